//! Telling that a task ended: at least once, and after that no more.
//!
//! A mark in the task's folder says that it was told; it is made after the telling. A host that dies between the two
//! tells again.

use super::{NOTIFIED, Task, Tasks};
use crate::{
    output::human_size,
    spawn::{Reason, RunState, create_private},
};

impl Tasks {
    /// Tasks that ended and whose end nobody was told.
    pub fn pending(&self, owner: Option<&str>) -> Vec<Task> {
        self.list(owner)
            .into_iter()
            .filter(|task| !task.is_running() && !task.is_notified())
            .collect()
    }

    /// The end was told. True for the first who says so.
    pub fn mark_notified(&self, id: &str) -> bool {
        create_private(&self.folder(id).join(NOTIFIED)).is_ok()
    }
}

/// How the end of a task is told to a model.
impl Task {
    /// One `<task-notification>`.
    pub fn notification(&self) -> String {
        let name = self
            .info
            .description
            .as_deref()
            .unwrap_or(&self.info.command);
        let name: String = name.chars().take(100).collect();
        format!(
            "<task-notification>\n<task-id>{}</task-id>\n<status>{}</status>\n<summary>{}</summary>\n<output-file>{}</output-file>\n</task-notification>",
            self.info.id,
            self.status(),
            escape(&format!(
                "The background command \"{name}\" {}",
                self.how_it_ended()
            )),
            escape(&self.output_file.display().to_string()),
        )
    }

    /// The end of a sentence about it: `ended with exit code 3 and printed 8 bytes`, `is still running`, ….
    pub fn how_it_ended(&self) -> String {
        let record = &self.record;
        let printed = human_size(record.bytes);
        match record.state {
            RunState::Running => "is still running".into(),
            RunState::Lost => {
                "was lost: its supervisor was killed, and how it ended is not known".into()
            }
            RunState::Completed => match (record.exit_code, record.signal) {
                (Some(code), None) => format!("ended with exit code {code} and printed {printed}"),
                (_, Some(signal)) => format!("was ended by signal {signal}"),
                (None, None) => "ended".into(),
            },
            RunState::Killed => {
                let by = record.stopped_by.as_deref().unwrap_or("somebody");
                match record.reason {
                    Some(Reason::Timeout) => "was ended because its time was up".into(),
                    Some(Reason::OutputLimit) => {
                        format!("was ended because it printed too much ({printed})")
                    }
                    Some(Reason::DiskFloor) => "was ended because the disk is nearly full".into(),
                    _ => format!("was stopped by {by}"),
                }
            }
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
