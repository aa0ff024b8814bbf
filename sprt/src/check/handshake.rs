//! The introduction and the options of an engine, and input that any engine must survive.

use super::subject::{Checked, Subject, failed, skipped};
use engine_client::{OptionKind, UciOption};

/// The fields that an option of each type must have.
const NEEDED: [(&str, &[&str]); 4] = [
    ("spin", &["default", "min", "max"]),
    ("combo", &["default", "var"]),
    ("check", &["default"]),
    ("string", &["default"]),
];

pub(super) async fn answers_uci(subject: &mut Subject) -> Checked<()> {
    subject.introduce().await
}

pub(super) async fn id(subject: &mut Subject) -> Checked<()> {
    let lines = subject.introduction().await?;
    for what in ["name", "author"] {
        let given = lines.iter().filter_map(|line| {
            let (first, rest) = line.trim().strip_prefix("id ")?.split_once(' ')?;
            (first == what).then(|| rest.trim().to_owned())
        });
        match given.collect::<Vec<_>>().as_slice() {
            [] => return failed(format!("no `id {what}`")),
            [given] if given.is_empty() => return failed(format!("`id {what}` is empty")),
            [_] => {}
            more => return failed(format!("`id {what}` is said {} times", more.len())),
        }
    }
    Ok(())
}

pub(super) async fn options(subject: &mut Subject) -> Checked<()> {
    each_option(&subject.introduction().await?, |text| {
        let Some(option) = UciOption::parse(text) else {
            return Err("it cannot be read".to_owned());
        };
        let kind = word_after(text, "type");
        let needed = NEEDED.iter().find(|(name, _)| Some(*name) == kind);
        let missing = needed
            .into_iter()
            .flat_map(|(_, fields)| *fields)
            .find(|field| !has_word(text, field));
        match missing {
            Some(field) => Err(format!("`{}` has no `{field}`", option.name)),
            None => Ok(()),
        }
    })
}

pub(super) async fn defaults(subject: &mut Subject) -> Checked<()> {
    each_option(&subject.introduction().await?, |text| {
        let Some(option) = UciOption::parse(text) else {
            return Ok(());
        };
        match &option.kind {
            OptionKind::Spin { default, min, max } if !(min..=max).contains(&default) => Err(
                format!("the default {default} is not in the range from {min} to {max}"),
            ),
            OptionKind::Combo { default, choices } if !choices.contains(default) => {
                Err(format!("the default `{default}` is not among its values"))
            }
            OptionKind::Check { .. } => match word_after(text, "default") {
                Some("true" | "false") | None => Ok(()),
                Some(word) => Err(format!("the default `{word}` is neither true nor false")),
            },
            _ => Ok(()),
        }
    })
}

pub(super) async fn unique_options(subject: &mut Subject) -> Checked<()> {
    let mut names: Vec<String> = Vec::new();
    each_option(&subject.introduction().await?, |text| {
        let name = UciOption::parse(text).map(|option| option.name.to_lowercase());
        match name {
            Some(name) if names.contains(&name) => Err("it is there twice".to_owned()),
            Some(name) => {
                names.push(name);
                Ok(())
            }
            None => Ok(()),
        }
    })
}

fn each_option(lines: &[String], mut judge: impl FnMut(&str) -> Result<(), String>) -> Checked<()> {
    let options: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.trim().strip_prefix("option "))
        .collect();
    if options.is_empty() {
        return skipped("it has no options");
    }
    for text in options {
        if let Err(why) = judge(text) {
            return failed(format!("`option {text}`: {why}"));
        }
    }
    Ok(())
}

fn word_after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut words = text.split_whitespace().skip_while(|it| *it != word);
    words.nth(1)
}

fn has_word(text: &str, word: &str) -> bool {
    text.split_whitespace().any(|it| it == word)
}

/// An option of the engine, names compared without case.
pub(super) async fn find_option(subject: &mut Subject, name: &str) -> Checked<Option<UciOption>> {
    let lines = subject.introduction().await?;
    let mut options = lines
        .iter()
        .filter_map(|line| UciOption::parse(line.trim().strip_prefix("option ")?));
    Ok(options.find(|option| option.name.eq_ignore_ascii_case(name)))
}

pub(super) async fn isready(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    subject.ping().await.map(drop)
}

pub(super) async fn new_game(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    for _ in 0..2 {
        subject.send("ucinewgame\n").await?;
        subject.ping().await?;
    }
    Ok(())
}

/// Every option is set to what it is already.
pub(super) async fn set_options(subject: &mut Subject) -> Checked<()> {
    let lines = subject.introduction().await?;
    let options = lines
        .iter()
        .filter_map(|line| UciOption::parse(line.trim().strip_prefix("option ")?));
    for UciOption { name, kind } in options {
        let value = match kind {
            OptionKind::Check { default } => default.to_string(),
            OptionKind::Spin { default, .. } => default.to_string(),
            OptionKind::Combo { default, .. } => default,
            OptionKind::String { default } if !default.is_empty() => default,
            // What a button does cannot be known, and `<empty>` is the name of a file to some.
            OptionKind::String { .. } | OptionKind::Button => continue,
        };
        survives(subject, &format!("setoption name {name} value {value}")).await?;
    }
    Ok(())
}

/// Unknown names, malformed values, and values out of range.
pub(super) async fn nonsense_options(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    let mut lines = vec![
        "setoption name NoSuchOption value 3".to_owned(),
        "setoption name NoSuchOption".to_owned(),
        "setoption".to_owned(),
    ];
    for name in ["Hash", "Threads"] {
        let option = find_option(subject, name).await?;
        if let Some(OptionKind::Spin { min, .. }) = option.map(|option| option.kind) {
            for value in ["", "abc", "-1", &min.saturating_sub(1).to_string()] {
                lines.push(format!("setoption name {name} value {value}"));
            }
        }
    }
    for line in lines {
        survives(subject, &line).await?;
    }
    Ok(())
}

/// Sends `line` and checks that the engine still answers.
async fn survives(subject: &mut Subject, line: &str) -> Checked<()> {
    subject.send(&format!("{line}\n")).await?;
    let answer = subject.ping().await;
    answer.map_err(|objection| objection.after(line)).map(drop)
}

pub(super) async fn unknown_words(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    for line in [
        "xyzzy",
        "",
        "   ",
        "joho debug on",
        "register later",
        "debug off",
        "position",
        "\u{fffd}\u{e9}\t",
    ] {
        survives(subject, line).await?;
    }
    Ok(())
}

/// Blanks and tabs between words, and the line end of another system.
pub(super) async fn blanks(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    for line in ["  isready\n", "isready  \n", "\tisready\n", "isready\r\n"] {
        subject.send(line).await?;
        let wait = subject.answer_timeout();
        let answer = subject.read_until("readyok", wait).await;
        answer.map_err(|objection| objection.after(&format!("{line:?}")))?;
    }
    Ok(())
}

pub(super) async fn lines_in_parts(subject: &mut Subject) -> Checked<()> {
    subject.ready().await?;
    subject.send("isre").await?;
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    subject.send("ady\nisready\n").await?;
    let wait = subject.answer_timeout();
    subject.read_until("readyok", wait).await?;
    subject.read_until("readyok", wait).await.map(drop)
}
