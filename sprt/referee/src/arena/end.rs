//! How a game ended, as data; the words for it are those that match runners use.

use serde::{Deserialize, Serialize};

use engine_client::Color;

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum GameEnd {
    /// By the rules of the game; `None` is a draw.
    Rules { winner: Option<Color>, text: String },
    /// By the engines' scores, according to `rule`.
    Adjudication {
        winner: Option<Color>,
        text: String,
        rule: String,
    },
    /// An engine spoiled the game, and lost it unless `is_drawn`.
    Fault {
        loser: Color,
        #[serde(flatten)]
        fault: GameFault,
        /// Whether the opponent had no way to win, so that the game is drawn.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_drawn: bool,
    },
}

/// What an engine did to spoil a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "kebab-case")]
pub enum GameFault {
    /// The move came too late, by so many milliseconds, or not at all: `how` then says what came
    /// instead.
    TimeLoss {
        late_ms: Option<u64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        how: Option<String>,
    },
    /// The process ended; how, and its last words on stderr.
    Crash { how: String },
    /// It did not answer.
    Stall { how: String },
    /// The move that it tried, empty if it named none, and the likely cause.
    IllegalMove {
        tried: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        hint: Option<String>,
    },
}

/// A [`GameEnd`] without its particulars.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    Rules,
    Adjudication,
    TimeLoss,
    Crash,
    Stall,
    IllegalMove,
}

impl GameFault {
    /// Under a clock, who is silent has let the flag fall, too.
    pub(super) fn lets_flag_fall(&self, has_clock: bool) -> bool {
        match self {
            Self::TimeLoss { .. } => true,
            Self::Stall { .. } => has_clock,
            Self::Crash { .. } | Self::IllegalMove { .. } => false,
        }
    }
}

impl GameEnd {
    /// `None` is a draw.
    pub fn winner(&self) -> Option<Color> {
        match self {
            Self::Rules { winner, .. } | Self::Adjudication { winner, .. } => *winner,
            Self::Fault { is_drawn: true, .. } => None,
            Self::Fault { loser, .. } => Some(loser.opponent()),
        }
    }

    /// Who spoiled the game, also where it is drawn.
    pub fn spoiled_by(&self) -> Option<Color> {
        match self {
            Self::Rules { .. } | Self::Adjudication { .. } => None,
            Self::Fault { loser, .. } => Some(*loser),
        }
    }

    pub fn kind(&self) -> EndKind {
        match self {
            Self::Rules { .. } => EndKind::Rules,
            Self::Adjudication { .. } => EndKind::Adjudication,
            Self::Fault { is_drawn: true, .. } => EndKind::TimeLoss,
            Self::Fault { fault, .. } => match fault {
                GameFault::TimeLoss { .. } => EndKind::TimeLoss,
                GameFault::Crash { .. } => EndKind::Crash,
                GameFault::Stall { .. } => EndKind::Stall,
                GameFault::IllegalMove { .. } => EndKind::IllegalMove,
            },
        }
    }

    /// The words of match runners: `White mates`, `Black loses on time`.
    pub fn text(&self) -> String {
        match self {
            Self::Rules { text, .. } | Self::Adjudication { text, .. } => text.clone(),
            Self::Fault { is_drawn: true, .. } => {
                "Draw by timeout vs insufficient material".to_owned()
            }
            Self::Fault { loser, fault, .. } => {
                let what = match fault {
                    GameFault::TimeLoss { .. } => " loses on time",
                    GameFault::Crash { .. } => " disconnects",
                    GameFault::Stall { .. } => "'s connection stalls",
                    GameFault::IllegalMove { .. } => " makes an illegal move",
                };
                format!("{}{what}", loser.name())
            }
        }
    }

    /// What the text does not say: how the loser crashed, which move it tried, which rule was
    /// applied.
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Rules { .. } => None,
            Self::Adjudication { rule, .. } => Some(rule.clone()),
            Self::Fault { fault, .. } => match fault {
                GameFault::TimeLoss { late_ms, how } => {
                    let late = late_ms.map(|late| format!("{late} ms over"));
                    let parts: Vec<String> = late.into_iter().chain(how.clone()).collect();
                    (!parts.is_empty()).then(|| parts.join("; "))
                }
                GameFault::Crash { how } | GameFault::Stall { how } => Some(how.clone()),
                GameFault::IllegalMove { tried, hint } => {
                    let tried = if tried.is_empty() {
                        "no move at all"
                    } else {
                        tried
                    };
                    Some(match hint {
                        Some(hint) => format!("{tried}: {hint}"),
                        None => tried.to_owned(),
                    })
                }
            },
        }
    }

    pub fn is_fault(&self) -> bool {
        matches!(self, Self::Fault { .. })
    }
}

impl EndKind {
    /// Whether the loser spoiled the game instead of losing it.
    pub fn is_fault(self) -> bool {
        !matches!(self, Self::Rules | Self::Adjudication)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_reported_in_the_words_of_match_runners() {
        let end = |fault| GameEnd::Fault {
            loser: Color::Black,
            fault,
            is_drawn: false,
        };
        let stall = end(GameFault::Stall {
            how: "no answer within 1s".to_owned(),
        });
        assert_eq!(stall.text(), "Black's connection stalls");
        assert_eq!(stall.winner(), Some(Color::White));
        let late = end(GameFault::TimeLoss {
            late_ms: Some(12),
            how: None,
        });
        assert_eq!(late.detail().as_deref(), Some("12 ms over"));
        assert!(late.is_fault() && late.kind().is_fault());
    }

    #[test]
    fn an_end_is_read_back_from_json() {
        let end = GameEnd::Fault {
            loser: Color::White,
            fault: GameFault::IllegalMove {
                tried: "e1e9".to_owned(),
                hint: None,
            },
            is_drawn: false,
        };
        let json = serde_json::to_value(&end).expect("JSON");
        assert_eq!(json["kind"], "fault");
        assert_eq!(json["fault"], "illegal-move");
        assert_eq!(serde_json::from_value::<GameEnd>(json).ok(), Some(end));
    }
}
