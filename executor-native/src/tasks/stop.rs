//! Ending a task: once, the whole tree, and it is written down who did it.

use std::{
    fs::OpenOptions,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    time::{Duration, Instant},
};

use rustix::process::Signal;
use serde::Serialize;

use super::{Task, TaskError, Tasks};
use crate::spawn::{Order, Reason, files};

/// How long a stop may take.
const STOP_MOST: Duration = Duration::from_secs(10);

/// What a stop led to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stopped {
    /// The task as it is now.
    pub task: Task,
    /// It had ended before.
    pub already_finished: bool,
    /// Some of its processes could not be seen to end.
    pub unconfirmed: bool,
}

impl Tasks {
    /// Ends a task and all it left running. Stopping what has ended is no error and changes nothing.
    pub async fn stop(
        &self,
        id: &str,
        by: &str,
        owner: Option<&str>,
    ) -> Result<Stopped, TaskError> {
        let task = self.find(id, owner)?;
        let already_finished = !task.is_running();
        if task.record.gone {
            return Ok(Stopped {
                unconfirmed: !task.record.unconfirmed.is_empty(),
                task,
                already_finished,
            });
        }
        let order = Order::Stop {
            reason: Reason::Stopped,
            by: by.to_owned(),
        };
        if self.tell(id, &order).is_err() {
            // No way to say who it was; the supervisor ends the tree all the same.
            let _ = task.record.supervisor.signal(Signal::TERM);
        }
        let until = Instant::now() + STOP_MOST;
        loop {
            let task = self.find(id, owner)?;
            if task.record.gone || Instant::now() >= until {
                return Ok(Stopped {
                    unconfirmed: !task.record.gone || !task.record.unconfirmed.is_empty(),
                    task,
                    already_finished,
                });
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    fn tell(&self, id: &str, order: &Order) -> io::Result<()> {
        // Without a supervisor on the other side this fails at once instead of waiting.
        let mut orders = OpenOptions::new()
            .write(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_CLOEXEC | libc::O_NOFOLLOW)
            .open(self.folder(id).join(files::ORDERS))?;
        orders.write_all(order.to_line().as_bytes())
    }
}
