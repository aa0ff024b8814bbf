//! Whether the tests that a message shows were played by the engines of its commit: the digests of
//! a proof are compared with the sources of the commit and of those before it, and its fields with
//! the block.
//!
//! NEW is the commit itself. BASE is its parent, or an earlier commit in the line of first parents, if
//! each commit between is proved by a test of its own or says that it changes nothing.

use std::{cell::RefCell, collections::HashMap, rc::Rc};

use stats::block::{PrintedBlock, find_blocks};

use super::{proof, quoted::without_quotes};
use crate::{
    policy::{self, Duty},
    proof::{Journals, Proof, Required, Source, inputs},
    repository::{Commit, Range, Repository},
    settings::Settings,
};
use foundation::Failure;

/// Commits that are looked through for BASE.
const FARTHEST: usize = 500;

pub(super) struct Binding<'a> {
    pub(super) repository: &'a Repository,
    pub(super) settings: &'a Settings,
    pub(super) required: Required,
    pub(super) journals: Option<&'a Journals>,
    /// Digests of build inputs, by commit.
    known: RefCell<HashMap<String, String>>,
    /// First parents, by commit.
    parents: RefCell<HashMap<String, Option<Rc<Commit>>>>,
    /// Why the tests of a message do not belong to its commit, by commit.
    judged: RefCell<HashMap<String, Option<String>>>,
}

/// Why the tests of a commit cannot be judged now.
enum Open {
    Failed(Failure),
    /// Those of an earlier commit come first.
    Needs(Rc<Commit>),
}

impl From<Failure> for Open {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl<'a> Binding<'a> {
    pub(super) fn new(
        repository: &'a Repository,
        settings: &'a Settings,
        required: Required,
        journals: Option<&'a Journals>,
    ) -> Self {
        Self {
            repository,
            settings,
            required,
            journals,
            known: RefCell::default(),
            parents: RefCell::default(),
            judged: RefCell::default(),
        }
    }

    /// Why the tests of the message do not belong to this commit; `None` if each of them does. Each commit
    /// is judged once, with those before it that it needs on a stack of their own: a history of
    /// proofs is as long as it likes.
    pub(super) fn missing(&self, commit: &Commit) -> Result<Option<String>, Failure> {
        let mut open = vec![Rc::new(commit.clone())];
        while let Some(next) = open.last() {
            match self.judge(next) {
                Ok(missing) => {
                    self.judged.borrow_mut().insert(next.id.clone(), missing);
                    open.pop();
                }
                Err(Open::Needs(earlier)) => open.push(earlier),
                Err(Open::Failed(failure)) => return Err(failure),
            }
        }
        Ok(self.judged.borrow()[&commit.id].clone())
    }

    fn judge(&self, commit: &Commit) -> Result<Option<String>, Open> {
        if let Some(known) = self.judged.borrow().get(&commit.id) {
            return Ok(known.clone());
        }
        let message = without_quotes(&commit.message);
        let found = Proof::find(&message);
        let own = self.settings.name();
        let is_own = |proof: &Result<Proof, String>| {
            proof
                .as_ref()
                .map_or(true, |proof| proof.engine.as_deref() == own)
        };
        if !found.iter().any(|(_, proof)| is_own(proof)) {
            let of = own.map_or_else(String::new, |name| format!(" of the engine {name}"));
            return Ok(Some(format!(
                "the message has no trailer `SPRT-Proof`{of}, quotes left out"
            )));
        }
        let blocks = find_blocks(&message).unwrap_or_default();
        let mut problems = Vec::new();
        let mut proofs = Vec::new();
        for (line, proof) in found {
            let reasons = match proof {
                Err(why) => vec![why],
                Ok(proof) => {
                    let reasons = if proof.engine.as_deref() == own {
                        self.reasons(commit, &proof, &blocks)?
                    } else {
                        // This is checked where the other engine is checked.
                        Vec::new()
                    };
                    proofs.push(proof);
                    reasons
                }
            };
            let reasons = reasons.into_iter();
            problems.extend(reasons.map(|why| format!("the proof in line {line}: {why}")));
        }
        let unbound = |block: &&PrintedBlock| {
            block.llr.is_some() && !proofs.iter().any(|it| Some(it.penta) == block.penta)
        };
        problems.extend(
            blocks
                .iter()
                .filter(unbound)
                .map(|block| format!("the block in line {} belongs to no proof", block.line)),
        );
        Ok((!problems.is_empty()).then(|| problems.join("; ")))
    }

    fn reasons(
        &self,
        commit: &Commit,
        proof: &Proof,
        blocks: &[PrintedBlock],
    ) -> Result<Vec<String>, Open> {
        let mut reasons = Vec::new();
        let is_wanted = match (&proof.source, self.required) {
            (_, Required::Block) => true,
            (Source::Run { .. }, wanted) => wanted == Required::Run,
            (Source::OpenBench { .. }, wanted) => wanted == Required::Openbench,
        };
        if !is_wanted {
            reasons.push("it is of another kind than the one that is required".to_owned());
        }
        if proof.new == proof.base {
            reasons.push("both sides were built from the same sources".to_owned());
        }
        let own = self.inputs(commit)?;
        if proof.new == own {
            reasons.extend(self.against_base(commit, &proof.base)?);
        } else {
            reasons.push(format!(
                "NEW was built from {}, the sources of the commit are {own}",
                proof.new
            ));
        }
        match blocks.iter().find(|block| block.penta == Some(proof.penta)) {
            None => reasons.push("no block of the message has its pairs".to_owned()),
            Some(block) => reasons.extend(contradictions(proof, block)),
        }
        if let Some(journals) = self.journals {
            reasons.extend(journals.against(proof));
        }
        Ok(reasons)
    }

    /// Why BASE is not a commit that this one may be compared with.
    fn against_base(&self, commit: &Commit, base: &str) -> Result<Option<String>, Open> {
        let mut child = Rc::new(commit.clone());
        for _ in 0..FARTHEST {
            let Some(parent) = self.parent(&child)? else {
                return Ok(Some(format!(
                    "BASE was built from {base}, which are the sources of no commit before"
                )));
            };
            if self.inputs(&parent)? == base {
                return Ok(None);
            }
            if !self.is_passed_over(&parent)? {
                return Ok(Some(format!(
                    "BASE was built from {base}, which is not {} \"{}\", and that is neither proved nor without functional change",
                    parent.short(),
                    parent.subject()
                )));
            }
            child = parent;
        }
        Ok(Some(format!(
            "BASE was built from {base}, which none of the {FARTHEST} commits before has"
        )))
    }

    fn parent(&self, commit: &Commit) -> Result<Option<Rc<Commit>>, Failure> {
        if let Some(known) = self.parents.borrow().get(&commit.id) {
            return Ok(known.clone());
        }
        let parent = match commit.parents.first() {
            Some(parent) => self.repository.commits(&Range::One(parent.clone()))?.pop(),
            None => None,
        };
        let parent = parent.map(Rc::new);
        let id = commit.id.clone();
        self.parents.borrow_mut().insert(id, parent.clone());
        Ok(parent)
    }

    /// Whether a test across this commit also tests what came after it: it changes nothing, or has a
    /// proof of its own.
    fn is_passed_over(&self, commit: &Rc<Commit>) -> Result<bool, Open> {
        if let Duty::NonFunctional(_) = policy::claimed_duty(commit, self.settings, true) {
            return Ok(true);
        }
        if let Some(parent) = self.parent(commit)?
            && self.inputs(&parent)? == self.inputs(commit)?
        {
            return Ok(true);
        }
        if proof::missing(&commit.message, &self.settings.proof).is_some() {
            return Ok(false);
        }
        match self.judged.borrow().get(&commit.id) {
            Some(missing) => Ok(missing.is_none()),
            None => Err(Open::Needs(Rc::clone(commit))),
        }
    }

    fn inputs(&self, commit: &Commit) -> Result<String, Failure> {
        if let Some(known) = self.known.borrow().get(&commit.id) {
            return Ok(known.clone());
        }
        let revision = self.repository.resolve(&commit.id)?;
        let mut own = self.settings.as_of(self.repository, &revision)?;
        // An engine that takes its paths along leaves none of the rules' behind.
        own.paths = own.paths.and(&self.settings.paths);
        let inputs = inputs(self.repository, &revision, &own, &own.build_settings(1))?;
        self.known
            .borrow_mut()
            .insert(commit.id.clone(), inputs.clone());
        Ok(inputs)
    }
}

/// Where a block contradicts the proof of its test.
fn contradictions(proof: &Proof, block: &PrintedBlock) -> Vec<String> {
    let mut problems = Vec::new();
    if let Some(llr) = &block.llr {
        let printed = [&llr.elo0, &llr.elo1, &llr.lower, &llr.upper];
        let test = &proof.test;
        let own = [test.elo0, test.elo1, test.lower(), test.upper()];
        let is_printed = |(figure, value): (&&stats::block::Figure, f64)| {
            // Half a unit of the last digit, plus the rounding error of a double.
            (figure.value - value).abs() <= 0.501 * 0.1_f64.powi(figure.decimals as i32)
        };
        if !printed.iter().zip(own).all(is_printed) {
            problems.push(format!("the block in line {} has another test", block.line));
        }
    }
    let option = |name: &str, usual: &str| {
        let options = proof.options.iter();
        let found = options
            .rev()
            .find(|(option, _)| option.eq_ignore_ascii_case(name));
        found.map_or_else(|| usual.to_owned(), |(_, value)| value.clone())
    };
    let (threads, hash) = (option("Threads", "1"), option("Hash", "16"));
    let expected = format!("{} Threads={threads} Hash={hash}MB", proof.limit);
    if block.settings.as_deref() != Some(expected.as_str()) {
        problems.push(format!(
            "the block in line {} was not played at `{expected}`",
            block.line
        ));
    }
    problems
}
