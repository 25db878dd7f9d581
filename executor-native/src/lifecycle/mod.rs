//! The life of one command as its host sees it: one state machine, moved by one task.
//!
//! `drive` waits for whatever comes first: the end, a deadline, a wish. Moving to the background happens in one
//! step without a pause in it: the task is registered, its supervisor told, deadlines and the turn's abort are out
//! of reach; so neither an abort nor an end in between can kill or lose it.

mod state;

use std::{io, time::Duration};

use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, MissedTickBehavior, interval_at, sleep_until},
};

pub use state::{Event, How, State};

use crate::{
    output::{PROGRESS_AFTER, PROGRESS_EVERY, Ring, Sample},
    spawn::{Failure, Order, Reason, Status, Supervised, files},
};

/// A deadline later than this was not merely served late.
const OVERSLEPT: Duration = Duration::from_millis(500);
/// How long the news of that time are waited for.
const SECOND_LOOK: Duration = Duration::from_millis(100);

/// Why a turn was aborted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Abort {
    /// The user began to type something else: running commands go on as they are.
    Interrupt,
    /// Anything else ends the command; the words say who or what.
    Because(String),
}

/// What the host's side may ask of a running command.
#[derive(Debug)]
pub(crate) enum Wish {
    /// Move it to the background; the answer says whether that happened.
    Background(oneshot::Sender<bool>),
    /// Its turn is aborted.
    Abort(Abort),
}

/// When a command moves to the background by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Terms {
    /// At once.
    pub(crate) explicit: bool,
    /// After this time: its time limit, where that does not kill.
    pub(crate) deadline: Option<Duration>,
    /// After this time: the host does not want to be blocked for longer.
    pub(crate) budget: Option<Duration>,
}

/// How the foreground part of a life ended.
#[derive(Debug)]
pub(crate) enum Settled {
    /// The shell ended; the state says how.
    Ended(Box<Status>),
    /// It goes on as a background task.
    Backgrounded(How),
    /// It never began.
    Failed(Failure),
}

/// A deadline that is found long after it was due: the host was stopped meanwhile. What happened in that time (the command's
/// end, most likely) waits to be read, so there is another, short one before anything follows from it.
fn overslept(due: Option<Instant>) -> Option<Instant> {
    let now = Instant::now();
    due.is_some_and(|due| now.saturating_duration_since(due) > OVERSLEPT)
        .then(|| now + SECOND_LOOK)
}

/// Follows a command until it ends or moves to the background. `register` makes it a known task; it must not wait.
pub(crate) async fn drive(
    supervised: &Supervised,
    terms: Terms,
    wishes: &mut mpsc::Receiver<Wish>,
    samples: Option<mpsc::Sender<Sample>>,
    mut register: impl FnMut(How) -> io::Result<()>,
) -> Settled {
    let begun = Instant::now();
    let mut status = supervised.status();
    let mut state = State::Running;
    let mut ring = Ring::new(supervised.folder().join(files::OUTPUT));
    let mut sequence = 0;
    let mut ticker = interval_at(begun + PROGRESS_AFTER, PROGRESS_EVERY);
    ticker.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let (mut listening, mut stopping) = (true, false);
    // A deadline too far to be told is none.
    let at = |after: Option<Duration>| after.and_then(|after| begun.checked_add(after));
    let (mut deadline, mut budget) = (at(terms.deadline), at(terms.budget));
    let far = begun + Duration::from_secs(365 * 24 * 3600);
    let mut commit = |state: &mut State, how: How| -> bool {
        let Some(next) = state.on(Event::Background(how)) else {
            return false;
        };
        // One step: nothing here waits.
        if register(how).is_err() && how != How::Explicit {
            return false;
        }
        *state = next;
        supervised.order(&Order::Detach);
        true
    };
    loop {
        let started = status.borrow().started;
        if terms.explicit && started && !stopping && commit(&mut state, How::Explicit) {
            return Settled::Backgrounded(How::Explicit);
        }
        tokio::select! {
            biased;
            changed = status.changed() => {
                let now = status.borrow_and_update().clone();
                if let Some(failure) = now.failed {
                    return Settled::Failed(failure);
                }
                // Asked for as a task, and so it is one, though it ended before anybody looked.
                if now.ended && terms.explicit && !stopping && commit(&mut state, How::Explicit) {
                    return Settled::Backgrounded(How::Explicit);
                }
                if now.ended || changed.is_err() {
                    return Settled::Ended(Box::new(now));
                }
            }
            wish = wishes.recv(), if listening => match wish {
                Some(Wish::Abort(Abort::Interrupt)) => {}
                Some(Wish::Abort(Abort::Because(who))) => {
                    stopping = true;
                    supervised.order(&Order::Stop { reason: Reason::Aborted, by: who });
                }
                Some(Wish::Background(answer)) => {
                    let moved = started && !stopping && commit(&mut state, How::User);
                    let _ = answer.send(moved);
                    if moved {
                        return Settled::Backgrounded(How::User);
                    }
                }
                None => {
                    listening = false;
                    stopping = true;
                    supervised.order(&Order::Stop {
                        reason: Reason::Cancelled,
                        by: "its caller, who no longer waits".into(),
                    });
                }
            },
            () = sleep_until(deadline.unwrap_or(far)), if deadline.is_some() && started && !stopping => {
                if let Some(later) = overslept(deadline) {
                    deadline = Some(later);
                } else if commit(&mut state, How::Timeout) {
                    return Settled::Backgrounded(How::Timeout);
                }
            }
            () = sleep_until(budget.unwrap_or(far)), if budget.is_some() && started && !stopping => {
                if let Some(later) = overslept(budget) {
                    budget = Some(later);
                } else if commit(&mut state, How::Budget) {
                    return Settled::Backgrounded(How::Budget);
                }
            }
            _ = ticker.tick(), if samples.is_some() => {
                if let Some(samples) = &samples {
                    sequence += 1;
                    // Only for a reader that is there: reading costs.
                    if let Ok(slot) = samples.try_reserve() {
                        ring.refresh();
                        let now = status.borrow().clone();
                        slot.send(Sample {
                            sequence,
                            elapsed: begun.elapsed().as_millis() as u64,
                            total_bytes: now.bytes,
                            total_lines: now.lines,
                            tail: ring.last(5),
                        });
                    }
                }
            }
        }
    }
}
