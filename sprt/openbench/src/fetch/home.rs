//! The folder that a workload is fetched into.

use std::io::ErrorKind;
use std::path::Path;

use foundation::{Failure, failure::OrUnable, files, run_folder};
use serde_json::Value;

use crate::read::api::Info;

/// The trailer of a test that passed.
pub(super) const PROOF: &str = "proof.txt";

pub(super) struct Home<'a> {
    folder: &'a Path,
    pub files: Vec<&'static str>,
}

impl<'a> Home<'a> {
    /// The folder for a fetch, which may hold an earlier one of the same workload.
    ///
    /// # Errors
    /// It holds another workload, and the commands that read it would mix both.
    pub(super) fn open(folder: &'a Path, info: &Info) -> Result<Self, Failure> {
        let name = folder.display();
        let path = folder.join("info.json");
        match std::fs::read_to_string(&path) {
            Ok(text) => {
                let held: Value = serde_json::from_str(&text).unwrap_or_default();
                let held = &held["info"];
                // Ids are those of a server; the moment of creation tells servers apart.
                let creation = held["creation"].as_str().unwrap_or_default();
                if held["id"] != info.id || creation != info.creation {
                    let other = match held["id"].as_u64() {
                        Some(id) if id == info.id => format!("workload {id} of another server"),
                        Some(id) => format!("workload {id}"),
                        None => "something else than a workload".to_owned(),
                    };
                    return Err(Failure::unable(format!(
                        "`{name}` holds {other}, not workload {}",
                        info.id
                    ))
                    .hint("give another folder with --out, or move this one away"));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                if folder.join(run_folder::PLAN).exists() {
                    return Err(Failure::unable(format!(
                        "`{name}` holds a run of this machine, not workload {}",
                        info.id
                    ))
                    .hint("give another folder with --out"));
                }
            }
            Err(error) => return Err(error).or_unable(format_args!("read `{}`", path.display())),
        }
        std::fs::create_dir_all(folder).or_unable(format_args!("create `{name}`"))?;
        // Of an earlier fetch: it may not hold any more, and this fetch may end before it is known.
        let proof = folder.join(PROOF);
        match std::fs::remove_file(&proof) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).or_unable(format_args!("remove `{}`", proof.display()))
            }
            _ => Ok(Self {
                folder,
                files: Vec::new(),
            }),
        }
    }

    pub(super) fn write(&mut self, name: &'static str, text: &str) -> Result<(), Failure> {
        files::replace(&self.folder.join(name), text)?;
        self.files.push(name);
        Ok(())
    }
}
