//! What engines do wrong, and what must become of it.

use Expected::{Crash, IllegalMove, PlaysOn, Refused, Stall, TimeLoss};
use How::{File, Name, Script, Shell};

/// One thing that an engine does wrong.
pub struct Misbehaviour {
    pub what: &'static str,
    pub how: How,
    /// The limit of the match.
    pub limit: [&'static str; 2],
    pub expected: Expected,
}

pub enum How {
    /// The scripted engine, with its option.
    Script(&'static str),
    /// The scripted engine under a name.
    Name(&'static str),
    /// A shell script, in which `$ENGINE` is the scripted engine.
    Shell(&'static str),
    /// A file with this content and mode.
    File(&'static str, u32),
}

/// How the match ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    Crash,
    Stall,
    TimeLoss,
    IllegalMove,
    PlaysOn,
    /// Before the first game, with this exit code.
    Refused(i32),
    Hangs,
}

const NODES: [&str; 2] = ["--nodes", "1"];
const CLOCK: [&str; 2] = ["--tc", "60+1"];
/// Only NEW is short of time.
const SHORT: [&str; 2] = ["--new-tc", "1+0.01"];

const fn row(
    what: &'static str,
    how: How,
    limit: [&'static str; 2],
    expected: Expected,
) -> Misbehaviour {
    Misbehaviour {
        what,
        how,
        limit,
        expected,
    }
}

#[rustfmt::skip]
pub const TABLE: &[Misbehaviour] = &[
    // Before the first game.
    row("is a text without the right to run", File("no engine", 0o644), NODES, Refused(2)),
    row("is a text", File("no engine", 0o755), NODES, Refused(2)),
    row("has an interpreter that is not there", File("#!/no/such/thing\n", 0o755), NODES, Refused(2)),
    row("ends at once", Shell("exit 0"), NODES, Refused(3)),
    row("crashes at once", Shell("kill -SEGV $$"), NODES, Refused(3)),
    row("does not answer `uci`", Name("no-uciok"), NODES, Refused(3)),
    row("answers `uci` too late", Name("slow-uciok"), NODES, Refused(3)),
    row("speaks xboard", Shell( "while read -r word rest; do case $word in protover) echo 'feature done=1';; xboard) ;; *) echo \"Error (unknown command): $word\";; esac; done", ), NODES, Refused(3)),
    row("says `uciok` and ends", Shell("echo uciok"), NODES, Refused(3)),
    row("says `uciok` and nothing more", Shell("echo uciok; sleep 600"), NODES, Refused(3)),
    row("lists options without end", Shell("while echo 'option name x type button'; do :; done"), NODES, Refused(3)),
    row("says one endless line", Shell("cat /dev/zero"), NODES, Refused(3)),
    row("closes its output at once", Shell("exec >&-; sleep 600"), NODES, Refused(3)),
    row("crashes when an option is set", Script("crash@option"), NODES, Refused(3)),
    row("hangs when an option is set", Script("stall@option"), NODES, Refused(3)),
    row("searches without end at the trial", Name("endless"), NODES, Refused(3)),
    row("does not keep the node limit", Name("greedy"), ["--nodes", "2000"], PlaysOn),
    row("fails at every second start", Shell("n=$0.n; echo x >> $n; [ $(($(wc -l < $n) % 2)) = 1 ] || exit 1; exec $ENGINE"), NODES, PlaysOn),
    row("prints a banner of 1 MB", Shell("head -c 1000000 /dev/zero | tr '\\0' 'x'; echo; exec $ENGINE"), NODES, PlaysOn),
    row("has options that cannot be read", Shell( "echo 'option name type'; echo option; echo 'option name Hash type spin default much'; exec $ENGINE", ), NODES, PlaysOn),
    row("has a name of 100 KB with control characters", Shell( "printf 'id name \\033[2J'; head -c 100000 /dev/zero | tr '\\0' 'n'; echo; exec $ENGINE", ), NODES, PlaysOn),
    row("says `uciok` before it is asked", Shell("echo uciok; exec $ENGINE"), NODES, PlaysOn),
    // Between games.
    row("crashes at `ucinewgame`", Script("crash@game2"), NODES, Crash),
    row("hangs at `ucinewgame`", Script("stall@game2"), NODES, Stall),
    row("says a move at `ucinewgame`", Script("say:bestmove e2e4@game2"), NODES, PlaysOn),
    // The process ends.
    row("exits with 7 and last words", Script("crash@2"), NODES, Crash),
    row("exits with 0 and no word", Script("exit@2"), NODES, Crash),
    row("aborts", Script("abort@2"), NODES, Crash),
    row("has a segmentation fault", Script("segfault@2"), NODES, Crash),
    row("kills itself", Script("kill@2"), NODES, Crash),
    row("kills its process group", Script("kill-group@2"), NODES, Crash),
    row("kills the process that guards it", Script("kill-parent@2"), NODES, Crash),
    row("exits after its move", Script("move-then-exit@2"), NODES, Crash),
    row("crashes after its move", Script("move-then-crash@2"), NODES, Crash),
    row("exits in the middle of its line", Script("half-a-line@2"), NODES, Crash),
    row("dies with terminal commands as last words", Script("last-words@2"), NODES, Crash),
    row("closes its output and lives", Script("close-stdout@2"), NODES, Crash),
    row("closes its input and moves", Script("close-stdin@2"), NODES, Stall),
    row("dies, and its child keeps the output open", Script("leave-child@2"), NODES, Crash),
    row("dies, and leaves 20 children in sessions of their own", Script("many-children@2"), NODES, Crash),
    row("dies under a clock", Script("crash@2"), CLOCK, Crash),
    // No move.
    row("is silent", Script("stall@2"), NODES, Stall),
    row("is silent under a depth limit", Script("stall@2"), ["--depth", "1"], Stall),
    row("is silent under a clock", Script("stall@2"), SHORT, Stall),
    row("stops itself (SIGSTOP)", Script("stop-itself@2"), NODES, Stall),
    row("is silent in a session of its own", Script("own-session@2"), NODES, Stall),
    row("talks and gives no move", Script("chatter@2"), NODES, Stall),
    row("floods its output with lines", Script("flood@2"), NODES, Stall),
    row("floods its output without a line end", Script("flood-without-line-end@2"), NODES, Stall),
    row("floods stderr", Script("flood-stderr@2"), NODES, Stall),
    row("floods its output after its move", Script("flood-after-move@2"), NODES, Stall),
    row("moves only after `stop`", Script("wait-for-stop@2"), NODES, Stall),
    row("says half a line and is silent", Script("half-a-line-and-stall@2"), NODES, Stall),
    row("ends its lines with carriage returns only", Script("carriage-return@2"), NODES, Refused(3)),
    row("answers with `readyok`", Script("say:readyok@2"), NODES, Stall),
    row("says `bestmovee2e4`", Script("say:bestmove$best@2"), NODES, Stall),
    // Late.
    row("moves 100 ms late", Script("slow:1100@1"), SHORT, TimeLoss),
    row("moves much too late", Script("sleep:5000@1"), SHORT, Stall),
    row("moves late on `movetime`", Script("slow:600@2"), ["--new-movetime", "500"], TimeLoss),
    row("talks until its flag falls", Script("chatter@2"), SHORT, TimeLoss),
    row("floods its output under a clock", Script("flood@2"), SHORT, TimeLoss),
    row("moves under a clock only after `stop`", Script("wait-for-stop@2"), SHORT, TimeLoss),
    // Moves that are none.
    row("makes an illegal move", Script("illegal@2"), NODES, IllegalMove),
    row("makes an illegal move under a clock", Script("illegal@2"), CLOCK, IllegalMove),
    row("says `(none)`", Script("none@2"), NODES, IllegalMove),
    row("says `0000`", Script("say:bestmove 0000@2"), NODES, IllegalMove),
    row("says no move", Script("no-move@2"), NODES, IllegalMove),
    row("resigns in words", Script("say:bestmove resign@2"), NODES, IllegalMove),
    row("writes a move in upper case", Script("say:bestmove $BEST@2"), NODES, IllegalMove),
    row("writes a move as in a book", Script("say:bestmove Nf3@2"), NODES, IllegalMove),
    row("writes castling with letters", Script("say:bestmove O-O@2"), NODES, IllegalMove),
    row("writes more after the move without a blank", Script("say:bestmove $best!@2"), NODES, IllegalMove),
    row("names a square that is none", Script("say:bestmove e1e9@2"), NODES, IllegalMove),
    row("says a move of 100 KB", Script("endless-word@2"), NODES, IllegalMove),
    row("says NUL bytes for a move", Script("say:bestmove $zeros@2"), NODES, IllegalMove),
    // Wrong, but harmless.
    row("writes 1 MB to stderr under a clock", Script("megabyte-on-stderr@2"), CLOCK, PlaysOn),
    row("says its move twice", Script("twice@2"), NODES, PlaysOn),
    row("says its move again 100 ms later", Script("late-again@2"), NODES, PlaysOn),
    row("says two moves", Script("say:bestmove $best|bestmove a1a1@2"), NODES, PlaysOn),
    row("says `bestmovement`, and indents its move", Script("indented@2"), NODES, PlaysOn),
    row("ends its lines with CR and LF", Script("crlf"), NODES, PlaysOn),
    row("writes letter by letter", Script("letter-by-letter@2"), NODES, PlaysOn),
    row("says a line of 20 MB", Script("long-line@2"), NODES, PlaysOn),
    row("says bytes that are no UTF-8", Script("invalid-utf-8@2"), NODES, PlaysOn),
    row("says NUL bytes", Script("say:info string $zeros|$zeros|bestmove $best@2"), NODES, PlaysOn),
    row("says blank lines", Script("say:|||  |bestmove $best@2"), NODES, PlaysOn),
    row("says much nonsense, also on stderr", Script("noise@2"), NODES, PlaysOn),
    row("says `uciok` and `readyok` in a search", Script("say:uciok|readyok|id name x|bestmove $best@2"), NODES, PlaysOn),
    row("says a score that is none", Script("say:info depth 1 score cp much|info score|info score cp|bestmove $best@2"), NODES, PlaysOn),
    row("says numbers that overflow", Script( "say:info depth 99999999999 score cp 99999999999 nodes 99999999999999999999999 time 1|bestmove $best@2", ), NODES, PlaysOn),
    row("says negative numbers", Script( "say:info depth -1 seldepth -2 score cp -31 nodes -5 nps -1 hashfull -1|bestmove $best@2", ), NODES, PlaysOn),
    row("says `mate 0` and mates of both signs", Script( "say:info depth 1 score mate 0|info depth 2 score mate -99999|info depth 3 score mate 2147483647|bestmove $best@2", ), NODES, PlaysOn),
    row("says an illegal variation", Script("say:info depth 1 score cp 0 pv a1a1 h9h9 x|bestmove $best@2"), NODES, PlaysOn),
    row("says another move's line last", Script( "say:info depth 3 multipv 1 score cp 5 pv $best|info depth 3 multipv 2 score cp -900 pv a1a1|bestmove $best@2", ), NODES, PlaysOn),
    row("says only bounds of a score", Script("say:info depth 3 score cp 5 lowerbound|bestmove $best@2"), NODES, PlaysOn),
    row("says nothing but its move", Script("say:bestmove $best@2"), NODES, PlaysOn),
    row("ponders on an illegal move", Script("say:bestmove $best ponder a1a1@2"), NODES, PlaysOn),
    row("starts a child in a session of its own", Script("keep-child@2"), NODES, PlaysOn),
    row("ignores `quit` and the end of its input", Name("deaf"), NODES, PlaysOn),
];
