//! `sprt convert`: the command of ours that plays the command line of another match runner.

use foundation::{Exit, Failure, Printer, process::word};

use crate::convert::{Tool, convert};

/// Print the `sprt` command that plays a command line of fastchess or cutechess-cli
///
/// Differences are reported on stderr. `sprt fastchess` plays such a command line at once.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// The command line, in quotes or word by word: 'fastchess -engine cmd=./new -engine cmd=./old
    /// -each tc=8+0.08 -rounds 100 -sprt elo0=0 elo1=5'
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "COMMAND"
    )]
    pub words: Vec<String>,
}

pub fn run(args: &Args, printer: Printer) -> Result<Exit, Failure> {
    let words = match &args.words[..] {
        [line] => shlex::split(&line.replace("\\\n", " "))
            .ok_or_else(|| Failure::unable("a quote of the command line is not closed"))?,
        words => words.to_vec(),
    };
    let program = words.first().map_or("", String::as_str);
    let tool = Tool::of(program).ok_or_else(|| {
        Failure::unable(format!("`{program}` is no match runner that is known here"))
            .hint("expected a command line that begins with `fastchess` or `cutechess-cli`")
    })?;
    let converted = convert(tool, &words[1..])?;
    for remark in &converted.remarks {
        printer.warn(remark);
    }
    let words = converted.words.iter().map(|it| word(it));
    printer.result(&format!("sprt {}", words.collect::<Vec<_>>().join(" ")));
    Ok(Exit::Yes)
}
