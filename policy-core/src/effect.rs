//! What running something does to the world, as far as the text tells.

use alloc::string::String;
use serde::{Deserialize, Serialize};

/// One kind of effect. The set is closed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Effect {
    /// Reads a file or folder.
    Read,
    /// Creates or changes a file or folder.
    Write,
    /// Removes a file or folder.
    Delete,
    /// Talks to another machine.
    Network,
    /// Starts a program that is not named as a command of its own in the text, or project code.
    Exec,
    /// Signals, waits for or changes other processes.
    Process,
    /// Changes the machine or the shell itself: clock, users, services, limits, shell options.
    System,
}

/// An effect together with what it falls on, where the text says so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    /// What is done.
    pub effect: Effect,
    /// The path (as written, after expansion) or host; `None` when the text does not tell.
    pub target: Option<String>,
    /// Where a path lies; `None` for hosts and unknown targets.
    pub place: Option<Place>,
}

/// Where a path lies, by the facts of the request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Place {
    /// Under a workspace root.
    Inside,
    /// Elsewhere, or not known to be inside.
    Outside,
    /// Holds credentials (`~/.ssh`, `.env`, `/proc/*/environ`, …): reading it is not free.
    Sensitive,
    /// Gains execution later (shell rc files, `.git/hooks`, CI files, …): writing it always asks.
    Protected,
    /// A path whose loss cannot be mended (`/`, home, a workspace root, …).
    Critical,
}
