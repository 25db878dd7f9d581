//! The states of a command and the steps between them; each step happens once or not at all.
//!
//! running → completed | killed | backgrounded → completed | killed.

use serde::{Deserialize, Serialize};

/// By which of the four ways a command came to the background.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum How {
    /// It was asked for with the command.
    Explicit,
    /// Its time limit was reached.
    Timeout,
    /// The user moved it.
    User,
    /// It blocked the host for longer than its budget allows.
    Budget,
}

/// Where a command is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum State {
    /// In the foreground.
    #[default]
    Running,
    /// In the background.
    Backgrounded(How),
    /// Ended by itself; with the way it came to the background, if it did.
    Completed(Option<How>),
    /// Ended from outside.
    Killed(Option<How>),
}

/// What happens to a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// It moves to the background.
    Background(How),
    /// It ended by itself.
    Complete,
    /// It was ended.
    Kill,
}

impl State {
    /// The state after `event`; `None` when it comes too late and changes nothing.
    #[must_use]
    pub fn on(self, event: Event) -> Option<Self> {
        match (self, event) {
            (Self::Running, Event::Background(how)) => Some(Self::Backgrounded(how)),
            (Self::Running, Event::Complete) => Some(Self::Completed(None)),
            (Self::Running, Event::Kill) => Some(Self::Killed(None)),
            (Self::Backgrounded(how), Event::Complete) => Some(Self::Completed(Some(how))),
            (Self::Backgrounded(how), Event::Kill) => Some(Self::Killed(Some(how))),
            (Self::Backgrounded(_), Event::Background(_))
            | (Self::Completed(_) | Self::Killed(_), _) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c05_whatever_the_order_there_is_one_end_and_at_most_one_move() {
        let events = [
            Event::Background(How::User),
            Event::Background(How::Timeout),
            Event::Complete,
            Event::Kill,
        ];
        // All orders of the four events.
        for a in 0..4 {
            for b in 0..4 {
                for c in 0..4 {
                    for d in 0..4 {
                        let order = [a, b, c, d];
                        if (0..4).any(|n| !order.contains(&n)) {
                            continue;
                        }
                        let (mut state, mut moves, mut ends) = (State::Running, 0, 0);
                        for event in order.map(|n| events[n]) {
                            if let Some(next) = state.on(event) {
                                state = next;
                                match event {
                                    Event::Background(_) => moves += 1,
                                    Event::Complete | Event::Kill => ends += 1,
                                }
                            }
                        }
                        assert_eq!(ends, 1);
                        assert!(moves <= 1);
                        assert!(matches!(state, State::Completed(_) | State::Killed(_)));
                    }
                }
            }
        }
    }
}
