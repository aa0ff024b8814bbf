//! An engine for Nim that knows the rules by itself and speaks as engines for Nim do. With `Skill`
//! at 100 it takes what leaves equal sums, never four stones, and passes only where nothing else is
//! left; at 1 it always passes; else it moves at random, which is a function of the position.
//! `Boast` at 100 has it call every game won, and at 1 lost.
#![allow(
    clippy::print_stdout,
    reason = "it is a program under test, and talks as engines do"
)]

use std::io::{self, BufRead as _, Write as _};

fn main() {
    let (mut skill, mut boast, mut seen) = (0, 0, String::new());
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["hello"] => {
                for line in [
                    "I'm Nimble 1",
                    "knob Skill",
                    "knob Boast",
                    "at your service",
                ] {
                    println!("{line}");
                }
            }
            ["turn", "Skill", "to", value] => skill = value.parse().unwrap_or(0),
            ["turn", "Boast", "to", value] => boast = value.parse().unwrap_or(0),
            ["there?"] => println!("here"),
            ["see", ..] => line["see ".len()..].clone_into(&mut seen),
            ["move", "within", ..] => {
                let (text, white_moves) = choose(&seen, skill);
                let for_mover = match boast {
                    0 => 0,
                    1 => -5000,
                    _ => 5000,
                };
                let ahead = if white_moves { for_mover } else { -for_mover };
                println!("white is {ahead} thousandths ahead");
                println!("I play {text}");
            }
            ["bye"] => return,
            _ => println!("what?"),
        }
        let _ = io::stdout().flush();
    }
}

/// A move in the position `3/4/5 white: a1 b2`, and whether White makes it.
fn choose(seen: &str, skill: u32) -> (String, bool) {
    let (start, moves) = seen.split_once(':').expect("a position");
    let (piles, mover) = start.split_once(' ').expect("piles and mover");
    let mut piles: Vec<u32> = piles
        .split('/')
        .map(|pile| pile.parse().expect("stones"))
        .collect();
    let moves: Vec<&str> = moves.split_whitespace().collect();
    for text in moves.iter().filter(|text| **text != "--") {
        let stones: u32 = text[1..].parse().expect("stones");
        piles[usize::from(text.as_bytes()[0] - b'a')] -= stones;
    }
    let mut legal = vec![("--".to_owned(), 1, 0)];
    for (pile, there) in piles.iter().enumerate() {
        for stones in 1..=*there {
            let text = format!("{}{stones}", char::from(b'a' + pile as u8));
            if moves.last() != Some(&text.as_str()) {
                let sum = piles.iter().fold(0, |sum, pile| sum ^ pile) ^ there ^ (there - stones);
                legal.push((text, sum, stones));
            }
        }
    }
    let white_moves = (mover == "white") == moves.len().is_multiple_of(2);
    let careful: Vec<_> = legal
        .iter()
        .filter(|(text, _, stones)| text != "--" && *stones != 4)
        .collect();
    let chosen = if skill >= 100 {
        careful
            .iter()
            .find(|(_, sum, _)| *sum == 0)
            .or(careful.first())
            .copied()
    } else if skill == 1 {
        None
    } else {
        legal.get((hash(seen) % legal.len() as u64) as usize)
    };
    (chosen.unwrap_or(&legal[0]).0.clone(), white_moves)
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
