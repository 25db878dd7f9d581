//! A `sed -i` that a person sees as the change it makes: shown beforehand, and made by us when accepted.
//!
//! The edit that is made must be the one that the judged command makes, of the file as it is: a host cannot use it to
//! write anything else, and nothing that was written in between is lost.

use std::{
    fs,
    path::{Path, PathBuf},
};

use policy_core::{
    facts::Shell,
    outcome::{SedEdit, sed_edit, steps},
};

use super::{Finished, RunError};
use crate::{input::SimulatedEdit, spawn::RunState};

/// Larger files are not shown beforehand.
const FILE_MOST: u64 = 10 * 1024 * 1024;

/// What a lone `sed -i` would make of its file; `None` for every other command, and for a file that is not there, too
/// large, or no text.
pub(super) fn preview(cwd: &Path, command: &str, shell: Shell) -> Option<SimulatedEdit> {
    let edit = edit_of(command, shell)?;
    let content = content(&cwd.join(&edit.path))?;
    Some(SimulatedEdit {
        new_content: edit.apply(&content),
        file_path: edit.path,
    })
}

fn edit_of(command: &str, shell: Shell) -> Option<SedEdit> {
    sed_edit(&steps(command, shell)?)
}

fn content(path: &Path) -> Option<String> {
    let meta = fs::metadata(path).ok()?;
    if !meta.is_file() || meta.len() > FILE_MOST {
        return None;
    }
    fs::read_to_string(path).ok()
}

/// Makes the edit that a person saw and accepted, in place of the command.
pub(super) fn simulate(
    cwd: &Path,
    command: &str,
    shell: Shell,
    edit: &SimulatedEdit,
) -> Result<Finished, RunError> {
    let refuse = |why: String| Err(RunError::NotNow(why));
    let Some(makes) = edit_of(command, shell) else {
        return refuse("the command is no edit that can be made without running it".into());
    };
    let path: PathBuf = cwd.join(&makes.path);
    if cwd.join(&edit.file_path) != path {
        return refuse(format!(
            "the command edits `{}` and not `{}`",
            makes.path, edit.file_path
        ));
    }
    match content(&path) {
        None => return refuse(format!("cannot edit {}: it cannot be read", path.display())),
        Some(content) if makes.apply(&content) != edit.new_content => {
            return refuse(format!(
                "{} is not what it was when the edit was shown; look at it again",
                path.display()
            ));
        }
        Some(_) => {}
    }
    replace(&path, &edit.new_content)
        .map_err(|error| RunError::NotNow(format!("cannot edit {}: {error}", path.display())))?;
    Ok(Finished {
        state: RunState::Completed,
        exit_code: Some(0),
        cwd: cwd.to_owned(),
        ..Finished::default()
    })
}

/// As `sed -i` does it: a new file takes the place of the old one.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let meta = fs::metadata(path)?;
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut beside = tempfile::NamedTempFile::new_in(folder)?;
    std::io::Write::write_all(&mut beside, text.as_bytes())?;
    beside.as_file().set_permissions(meta.permissions())?;
    beside.persist(path).map_err(|error| error.error)?;
    Ok(())
}
