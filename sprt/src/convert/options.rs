//! The options of both tools, as what was asked for.

use foundation::Failure;

use super::side::Side;
use super::tool::Tool;
use crate::fastchess::{Warnings, count, draw_rule, one, resign_rule};

/// A match or a tournament in the words of another tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(super) tool: Tool,
    pub(super) sides: Vec<Side>,
    pub(super) each: Vec<(String, String)>,
    pub(super) rounds: u64,
    pub(super) games: u64,
    /// Whether an opening is played with both colours.
    pub(super) repeats: bool,
    pub(super) swaps: bool,
    pub(super) is_reversed: bool,
    /// Flags of a test, where there is one.
    pub(super) test: Option<Vec<(&'static str, String)>>,
    /// The value of `--kind`, where a tournament was asked for.
    pub(super) kind: Option<&'static str>,
    pub(super) seeds: Option<String>,
    pub(super) draw: Option<String>,
    pub(super) resign: Option<String>,
    /// Flags that both kinds of run have.
    pub(super) flags: Vec<(&'static str, String)>,
    pub(super) remarks: Vec<String>,
    /// Whether it is fastchess's short form, which plays on as many cores as there are.
    pub(super) is_quick: bool,
}

impl Asked {
    /// Whether it is more than a match of two engines and of fixed length, which is all that an
    /// OpenBench worker asks for.
    pub(crate) fn needs_a_run(words: &[String]) -> bool {
        let has = |option: &str| words.iter().any(|word| word == option);
        let engines = words.iter().filter(|word| *word == "-engine").count();
        let configs = words.split(|word| word == "-config").skip(1);
        let is_continued = configs
            .flat_map(|words| words.iter().take_while(|word| !word.starts_with('-')))
            .any(|word| word.starts_with("file="));
        let options = [
            "-sprt",
            "-tournament",
            "-seeds",
            "-quick",
            "-epdout",
            "-log",
        ];
        engines > 2 || options.into_iter().any(has) || is_continued
    }

    /// # Errors
    /// An option cannot be read, or asks for other games than can be played here.
    pub(super) fn read(tool: Tool, words: &[String]) -> Result<Self, Failure> {
        let usual = match tool {
            Tool::Fastchess => 2,
            Tool::Cutechess => 1,
        };
        let mut asked = Self {
            tool,
            sides: Vec::new(),
            each: Vec::new(),
            rounds: usual,
            games: usual,
            repeats: tool == Tool::Fastchess,
            swaps: true,
            is_reversed: false,
            test: None,
            kind: None,
            seeds: None,
            draw: None,
            resign: None,
            flags: Vec::new(),
            remarks: Vec::new(),
            is_quick: false,
        };
        let is_option = |word: &String| {
            word.strip_prefix('-')
                .is_some_and(|rest| rest.starts_with(|it: char| it.is_alphabetic() || it == '-'))
        };
        let mut rest = words;
        while let [option, after @ ..] = rest {
            if !is_option(option) {
                return Err(Failure::unable(format!("`{option}` follows no option"))
                    .hint("quote values with blanks, as in args=\"a b\""));
            }
            let count = after.iter().take_while(|word| !is_option(word)).count();
            let (values, after) = after.split_at(count);
            asked
                .option(option, values)
                .map_err(|failure| failure.context(option))?;
            rest = after;
        }
        Ok(asked)
    }

    fn option(&mut self, option: &str, values: &[String]) -> Result<(), Failure> {
        match option {
            "-engine" => {
                let mut side = Side::default();
                for word in values {
                    let (key, value) = pair(word)?;
                    side.read(self.tool, key, value, &mut self.remarks)?;
                }
                self.sides.push(side);
            }
            "-each" => {
                for word in values {
                    let (key, value) = pair(word)?;
                    self.each.push((key.to_owned(), value.to_owned()));
                }
            }
            "-rounds" => self.rounds = count(values)?,
            "-games" => {
                self.games = count(values)?;
                if self.tool == Tool::Fastchess {
                    self.repeats = self.games > 1;
                }
            }
            "-repeat" => {
                let times = if values.is_empty() { 2 } else { count(values)? };
                self.repeats = times > 1;
                match self.tool {
                    Tool::Fastchess => self.games = times,
                    // There it says how often an opening is taken, and nothing of the games.
                    Tool::Cutechess if times > 2 => self.remarks.push(format!(
                        "-repeat {times}: each opening is played twice, once with each colour"
                    )),
                    Tool::Cutechess => {}
                }
            }
            "-quick" if self.tool == Tool::Fastchess => self.quick(values)?,
            "-noswap" => self.swaps = false,
            "-reverse" => self.is_reversed = true,
            "-sprt" => self.test = Some(test(self.tool, values)?),
            "-tournament" => {
                self.kind = Some(match one(values)? {
                    "roundrobin" | "round-robin" => "round-robin",
                    "gauntlet" => "gauntlet",
                    "knockout" => "knock-out",
                    other => {
                        return Err(Failure::unable(format!(
                            "`{other}` tournaments are not played here"
                        ))
                        .hint("expected roundrobin, gauntlet or knockout"));
                    }
                });
            }
            "-seeds" => self.seeds = Some(one(values)?.to_owned()),
            "-draw" => {
                let mut warnings = Warnings::default();
                self.draw = Some(draw_rule(values, &mut warnings)?.to_string());
                self.remarks.extend(warnings.all());
            }
            "-resign" => {
                let mut warnings = Warnings::default();
                let rule = resign_rule(values, &mut warnings)?;
                if rule.score == 0 {
                    return Err(Failure::unable("score is missing or 0")
                        .hint("expected at least 1, such as -resign movecount=3 score=400"));
                }
                self.resign = Some(rule.to_string());
                self.remarks.extend(warnings.all());
            }
            // There 0 is no limit.
            "-maxmoves" if one(values)? == "0" => {}
            "-maxmoves" => self.flag("max-moves", values)?,
            "-tb" => self.flags.push(("syzygy", one(values)?.replace(';', ":"))),
            "-tbpieces" => self.flag("syzygy-pieces", values)?,
            "-tbignore50" => self.flags.push(("syzygy-ignore-50", String::new())),
            "-tbadjudicate" => {
                let which = match one(values)? {
                    "BOTH" => "all",
                    "WIN_LOSS" => "wins",
                    "DRAW" => "draws",
                    other => {
                        return Err(Failure::unable(format!(
                            "`{other}`: expected BOTH, WIN_LOSS or DRAW"
                        )));
                    }
                };
                self.flags.push(("syzygy-adjudicate", which.to_owned()));
            }
            "-openings" => self.openings(values)?,
            "-srand" => self.flag("seed", values)?,
            "-concurrency" => self.flag("concurrency", values)?,
            "-wait" => self.flag("wait", values)?,
            "-event" => self.flags.push(("event", values.join(" "))),
            "-site" => self.flags.push(("site", values.join(" "))),
            "-variant" => {
                let variant = match one(values)? {
                    "standard" => "standard",
                    "fischerandom" | "chess960" => "chess960",
                    other => {
                        return Err(Failure::unable(format!("`{other}` is not played here"))
                            .hint("expected standard or fischerandom"));
                    }
                };
                self.flags.push(("variant", variant.to_owned()));
            }
            "-startup-ms" => self.seconds("startup-timeout", values)?,
            "-ping-ms" => self.seconds("move-timeout", values)?,
            "-pgnout" => self.pgn_out(values),
            "-epdout" => {
                let file = values.iter().find(|word| !word.starts_with("append="));
                let file = file.map(|word| word.strip_prefix("file=").unwrap_or(word));
                self.flags
                    .push(("epd", file.unwrap_or("games.epd").to_owned()));
            }
            "-log" => {
                self.flags.push(("log", "logs".to_owned()));
                if values.iter().any(|word| word == "compress=true") {
                    self.flags.push(("log-gzip", String::new()));
                }
                self.remark("-log: what is said goes to the folder `logs`, a file for each game");
            }
            "-use-affinity" => {
                self.flags.push(if values.is_empty() {
                    ("affinity", "always".to_owned())
                } else {
                    ("processors", values.join(","))
                });
            }
            "-config" => {
                return Err(
                    Failure::unable("a saved state of another runner cannot be continued")
                        .hint("a run of ours is continued by `sprt resume RUN`"),
                );
            }
            "-crc32" => match one(values)? {
                "pgn=true" => self.flags.push(("pgn-crc32", String::new())),
                "pgn=false" => {}
                other => self.remark(&format!("-crc32 {other} has no counterpart here")),
            },
            "-bookmode" | "-recover" | "-testEnv" | "-force-concurrency" => {}
            "-ratinginterval" | "-scoreinterval" | "-outcomeinterval" | "-output" | "-report"
            | "-resultformat" => self.remark(&format!(
                "{option}: a line is written every ten seconds; `--events -` reports each game"
            )),
            "-autosaveinterval" => self.remark("-autosaveinterval: every pair is saved"),
            "-check-mate-pvs" => self.remark("-check-mate-pvs: such lines are always counted"),
            "-show-latency" => self.remark("-show-latency: --pgn-fields latency records it"),
            "-strict" if self.tool == Tool::Fastchess => {
                self.flags.push(("on-fault", "stop".to_owned()));
                self.remark(
                    "-strict: the first game that an engine spoils ends the run; other warnings do not",
                );
            }
            "-debug" => self.remark("-debug: `--log DIR` records all that is said"),
            "-ucinewgame-ms" => {
                self.remark("-ucinewgame-ms: `--move-timeout SECONDS` also limits this wait");
            }
            _ => {
                return Err(Failure::unable("this option is not known")
                    .hint("leave it out, or see docs/COMPARISON.md for what there is"));
            }
        }
        Ok(())
    }

    /// fastchess's short form of a match.
    fn quick(&mut self, values: &[String]) -> Result<(), Failure> {
        let mut has_book = false;
        for word in values {
            let (key, value) = pair(word)?;
            match key {
                "cmd" => {
                    let mut side = Side::default();
                    for (key, value) in [("cmd", value), ("tc", "10+0.1")] {
                        side.read(self.tool, key, value, &mut self.remarks)?;
                    }
                    self.sides.push(side);
                }
                "book" => {
                    has_book = true;
                    self.openings(&[format!("file={value}"), "order=random".to_owned()])?;
                }
                _ => return Err(Failure::unable(format!("`{word}` is not known"))),
            }
        }
        if !has_book {
            return Err(Failure::unable("book= is missing")
                .hint("such as -quick cmd=./dev cmd=./base book=openings.epd"));
        }
        self.is_quick = true;
        (self.rounds, self.games, self.repeats) = (25_000, 2, true);
        self.draw = Some("movenumber=30,movecount=8,score=8".to_owned());
        Ok(())
    }

    pub(super) fn remark(&mut self, text: &str) {
        self.remarks.push(text.to_owned());
    }

    fn flag(&mut self, flag: &'static str, values: &[String]) -> Result<(), Failure> {
        let number = count(values)?;
        self.flags.push((flag, number.to_string()));
        Ok(())
    }

    /// Milliseconds as whole seconds, no less.
    fn seconds(&mut self, flag: &'static str, values: &[String]) -> Result<(), Failure> {
        let seconds = count(values)?.div_ceil(1000).max(1);
        self.flags.push((flag, seconds.to_string()));
        Ok(())
    }

    fn openings(&mut self, values: &[String]) -> Result<(), Failure> {
        let mut order = "sequential".to_owned();
        for word in values {
            let (key, value) = pair(word)?;
            let value = value.to_owned();
            match key {
                "file" => self.flags.push(("book", value)),
                "order" => order = value,
                "start" => self.flags.push(("book-start", value)),
                "plies" if value == "-1" => {}
                "plies" => self.flags.push(("book-plies", value)),
                "policy" if value == "default" || value == "round" => {}
                "policy" if value == "encounter" => {
                    self.flags.push(("book-policy", "encounter".to_owned()));
                }
                // It is known by the file.
                "format" => {}
                _ => {
                    let text = format!("{key}={value} of -openings has no counterpart here");
                    self.remark(&text);
                }
            }
        }
        if order == "random" {
            self.remark("openings are shuffled by our own generator: the order is another one");
        }
        self.flags.push(("book-order", order));
        Ok(())
    }

    fn pgn_out(&mut self, values: &[String]) {
        let mut fields = Vec::new();
        let mut file = None;
        for word in values {
            match word.split_once('=') {
                // cutechess names the file alone.
                None if file.is_none() => file = Some(word.clone()),
                None if word == "min" => self.flags.push(("pgn-min", String::new())),
                None => self.remark(&format!("-pgnout {word} has no counterpart here")),
                Some(("file", value)) => file = Some(value.to_owned()),
                Some(("notation", value)) => self.flags.push(("pgn-notation", value.to_owned())),
                Some(("match_line", value)) => self.flags.push(("pgn-lines", value.to_owned())),
                Some(("min", "true")) => self.flags.push(("pgn-min", String::new())),
                Some((
                    field @ ("nps" | "hashfull" | "tbhits" | "pv" | "timeleft" | "latency"),
                    "true",
                )) => fields.push(field.to_owned()),
                Some(("append", "false")) => {
                    self.remark("-pgnout append=false: games are always appended");
                }
                // Records have options unless they are minimal.
                Some(("nodes" | "seldepth" | "append" | "options", _) | (_, "false")) => {}
                Some((key, value)) => {
                    self.remark(&format!("-pgnout {key}={value} has no counterpart here"));
                }
            }
        }
        if !fields.is_empty() {
            self.flags.push(("pgn-fields", fields.join(",")));
        }
        self.flags
            .push(("pgn", file.unwrap_or_else(|| "games.pgn".to_owned())));
    }
}

/// The flags of a test. cutechess's is of single games with BayesElo.
fn test(tool: Tool, values: &[String]) -> Result<Vec<(&'static str, String)>, Failure> {
    let (mut elo0, mut elo1) = (None, None);
    let mut flags = Vec::new();
    let mut model = match tool {
        Tool::Fastchess => "normalized",
        Tool::Cutechess => "bayesian",
    };
    for word in values {
        let (key, value) = pair(word)?;
        match key {
            "elo0" => elo0 = Some(value),
            "elo1" => elo1 = Some(value),
            "alpha" => flags.push(("alpha", value.to_owned())),
            "beta" => flags.push(("beta", value.to_owned())),
            "model" => {
                model = ["normalized", "logistic", "bayesian"]
                    .into_iter()
                    .find(|known| *known == value)
                    .ok_or_else(|| {
                        Failure::unable(format!(
                            "model={value}: expected normalized, logistic or bayesian"
                        ))
                    })?;
            }
            _ => return Err(Failure::unable(format!("`{word}` is not known"))),
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        return Err(Failure::unable("elo0 or elo1 is missing")
            .hint("such as -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05"));
    };
    flags.insert(0, ("bounds", format!("{elo0},{elo1}")));
    flags.push(("model", model.to_owned()));
    Ok(flags)
}

fn pair(word: &str) -> Result<(&str, &str), Failure> {
    word.split_once('=')
        .or((word == "ponder").then_some(("ponder", "true")))
        .or((word == "whitepov").then_some(("whitepov", "true")))
        .ok_or_else(|| Failure::unable(format!("`{word}` is not KEY=VALUE")))
}
