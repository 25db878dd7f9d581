//! Blocking work on a thread of its own, for a machine on which there may be none to be had.
//!
//! tokio's own pool panics when a thread cannot be started; a limit on processes is an error here, like any other.

use std::io;

use tokio::sync::oneshot;

/// Runs `work` to its end, on a thread that ends with it, although nobody may wait for the answer any more.
///
/// # Errors
/// When no thread could be started, or `work` panicked.
pub(crate) async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    let (answer, given) = oneshot::channel();
    std::thread::Builder::new()
        .name("portcullis".into())
        .spawn(move || drop(answer.send(work())))?;
    given
        .await
        .map_err(|_| io::Error::other("the work was not finished"))
}
