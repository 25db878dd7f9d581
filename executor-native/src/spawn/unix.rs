//! The few calls that need `unsafe`: what runs between fork and exec, the signal pipe, resource usage.
//!
//! Everything called after a fork is async-signal-safe: no allocation, no locks.

use std::{
    io,
    os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd},
    os::unix::process::CommandExt,
    process::Command,
    sync::atomic::{AtomicI32, Ordering},
};

use crate::protocol::REPORT_FD;

/// How much more likely than its parents a command is to be chosen when memory runs out.
const OOM_SCORE: &[u8] = b"300";

static SIGNAL_PIPE: AtomicI32 = AtomicI32::new(-1);

/// Makes `command` start in a session of its own, with default signals, none blocked, no inherited descriptors
/// but 0–2 and the report pipe, no core dumps, and tied to the life of the calling thread.
pub(super) fn isolate(command: &mut Command, report: Option<RawFd>) {
    let parent = std::process::id();
    // SAFETY: the closure runs in the forked child and calls only async-signal-safe functions.
    unsafe {
        command.pre_exec(move || prepare_child(parent, report));
    }
}

fn prepare_child(parent: u32, report: Option<RawFd>) -> io::Result<()> {
    // SAFETY: plain system calls on our own process, with valid pointers; nothing allocates.
    unsafe {
        if libc::setsid() == -1 {
            return Err(io::Error::last_os_error());
        }
        reset_signals();
        #[cfg(target_os = "linux")]
        {
            // The supervisor is single-threaded, so the thread-scoped parent death signal is process-scoped here.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            if libc::getppid() as u32 != parent {
                return Err(io::Error::from_raw_os_error(libc::ESRCH));
            }
            let file = libc::open(
                c"/proc/self/oom_score_adj".as_ptr(),
                libc::O_WRONLY | libc::O_CLOEXEC,
            );
            if file >= 0 {
                libc::write(file, OOM_SCORE.as_ptr().cast(), OOM_SCORE.len());
                libc::close(file);
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (parent, OOM_SCORE);
        let no_core = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        libc::setrlimit(libc::RLIMIT_CORE, &no_core);
        if let Some(report) = report {
            if report != REPORT_FD && libc::dup2(report, REPORT_FD) == -1 {
                // A limit below that number: the command runs all the same, and its directory stays unknown.
                close_on_exec(3, RawFd::MAX);
                return Ok(());
            }
            libc::fcntl(REPORT_FD, libc::F_SETFD, 0);
            close_on_exec(3, REPORT_FD - 1);
            close_on_exec(REPORT_FD + 1, RawFd::MAX);
        } else {
            close_on_exec(3, RawFd::MAX);
        }
    }
    Ok(())
}

/// # Safety
/// Only between fork and exec, or before any other thread runs.
unsafe fn reset_signals() {
    // SAFETY: zeroed `sigaction` and `sigset_t` are valid; SIGKILL and SIGSTOP merely fail.
    unsafe {
        let mut default: libc::sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        libc::sigemptyset(&mut default.sa_mask);
        for signal in 1..=64 {
            if libc::sigaction(signal, &default, std::ptr::null_mut()) == -1 {
                // glibc keeps two signals for itself and refuses to name them; a host may still ignore them.
                #[cfg(target_os = "linux")]
                {
                    let kernel = [0u64; 4];
                    libc::syscall(
                        libc::SYS_rt_sigaction,
                        signal,
                        kernel.as_ptr(),
                        0usize,
                        8usize,
                    );
                }
            }
        }
        libc::sigprocmask(libc::SIG_SETMASK, &default.sa_mask, std::ptr::null_mut());
    }
}

/// Marks descriptors `first..=last` close-on-exec (std's own exec-error pipe must live until then).
fn close_on_exec(first: RawFd, last: RawFd) {
    #[cfg(target_os = "linux")]
    {
        /// `CLOSE_RANGE_CLOEXEC`, Linux 5.11.
        const CLOEXEC: libc::c_uint = 4;
        // SAFETY: no pointers; an unknown call or flag fails without effect.
        let done = unsafe { libc::syscall(libc::SYS_close_range, first, last, CLOEXEC) };
        if done == 0 {
            return;
        }
    }
    let last = last.min(4096);
    for fd in first..=last {
        // SAFETY: F_SETFD on a descriptor that may not exist fails without effect.
        unsafe { libc::fcntl(fd, libc::F_SETFD, libc::FD_CLOEXEC) };
    }
}

/// Closes every descriptor from `first` up. For a process that has just started and owns none of them.
pub(super) fn close_from(first: RawFd) {
    #[cfg(target_os = "linux")]
    {
        // SAFETY: no pointers; called before anything here has opened a descriptor.
        let done = unsafe { libc::syscall(libc::SYS_close_range, first, RawFd::MAX, 0) };
        if done == 0 {
            return;
        }
    }
    for fd in first..4096 {
        // SAFETY: as above.
        unsafe { libc::close(fd) };
    }
}

extern "C" fn note_signal(signal: libc::c_int) {
    let pipe = SIGNAL_PIPE.load(Ordering::Relaxed);
    let byte = [signal as u8];
    // SAFETY: write(2) is async-signal-safe; errno is restored for the code that was interrupted.
    unsafe {
        #[cfg(target_os = "linux")]
        let errno = libc::__errno_location();
        #[cfg(not(target_os = "linux"))]
        let errno = libc::__error();
        let saved = *errno;
        libc::write(pipe, byte.as_ptr().cast(), 1);
        *errno = saved;
    }
}

/// Turns `signals` into bytes on a pipe; its reading end is returned, non-blocking.
pub(super) fn signal_pipe(signals: &[libc::c_int]) -> io::Result<OwnedFd> {
    let mut ends = [0; 2];
    // SAFETY: `ends` has room for two descriptors, which are ours from here on.
    let reader = unsafe {
        if libc::pipe(ends.as_mut_ptr()) == -1 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(ends[0])
    };
    for end in ends {
        // SAFETY: both are open and ours.
        unsafe {
            libc::fcntl(end, libc::F_SETFD, libc::FD_CLOEXEC);
            libc::fcntl(end, libc::F_SETFL, libc::O_NONBLOCK);
        }
    }
    SIGNAL_PIPE.store(ends[1], Ordering::Relaxed);
    for signal in signals {
        // SAFETY: the handler is async-signal-safe and stays valid for the life of the process.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = note_signal as *const () as usize;
            action.sa_flags = libc::SA_RESTART;
            libc::sigemptyset(&mut action.sa_mask);
            if libc::sigaction(*signal, &action, std::ptr::null_mut()) == -1 {
                return Err(io::Error::last_os_error());
            }
        }
    }
    Ok(reader)
}

/// Processor time (ms) and largest resident size (KiB) of all children that were waited for.
pub(super) fn children_usage() -> (u64, u64) {
    // SAFETY: a zeroed `rusage` is valid and the call fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        if libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage) == -1 {
            return (0, 0);
        }
        usage
    };
    // Bytes on macOS, KiB on Linux.
    let unit = if cfg!(target_os = "macos") { 1024 } else { 1 };
    let ms = |t: libc::timeval| t.tv_sec as u64 * 1000 + t.tv_usec as u64 / 1000;
    (
        ms(usage.ru_utime) + ms(usage.ru_stime),
        usage.ru_maxrss as u64 / unit,
    )
}

/// Fills `bytes` from the system's generator.
pub(crate) fn random(bytes: &mut [u8]) -> io::Result<()> {
    // SAFETY: the buffer is as long as is said; the call takes up to 256 bytes.
    match unsafe { libc::getentropy(bytes.as_mut_ptr().cast(), bytes.len()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Makes a FIFO that only the user may use.
pub(super) fn make_fifo(path: &std::path::Path) -> io::Result<()> {
    let path = std::ffi::CString::new(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()))?;
    // SAFETY: a valid C string.
    if unsafe { libc::mkfifo(path.as_ptr(), 0o600) } == -1 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// Sets `O_NONBLOCK`.
pub(super) fn set_nonblocking(fd: &impl AsRawFd) -> io::Result<()> {
    let fd = fd.as_raw_fd();
    // SAFETY: the descriptor is open for the length of the borrow.
    unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        if flags == -1 || libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK) == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
