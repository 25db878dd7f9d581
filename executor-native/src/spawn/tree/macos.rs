//! macOS: `libproc` and `sysctl`. Compiled, and not yet tried on a machine.
//!
//! There is no subreaper: what loses its parent belongs to launchd. So what is left of a command is found by three traits
//! that daemons keep: a parent of ours, the shell's session, and the task's mark in the environment. And there is no
//! pidfd: a signal goes to the number, right after the start time was compared.

use std::{io, mem, ptr};

use rustix::process::Signal;

use super::{Found, Stat, descendants};

/// `SZOMB` of `sys/proc.h`.
const ZOMBIE: u32 = 5;

fn info(pid: i32) -> Option<libc::proc_bsdinfo> {
    // SAFETY: the structure is plain numbers, and the call writes at most its size.
    unsafe {
        let mut info: libc::proc_bsdinfo = mem::zeroed();
        let size = mem::size_of::<libc::proc_bsdinfo>() as libc::c_int;
        let written = libc::proc_pidinfo(
            pid,
            libc::PROC_PIDTBSDINFO,
            0,
            ptr::from_mut(&mut info).cast(),
            size,
        );
        (written == size).then_some(info)
    }
}

/// The state of a process, `None` if there is none. The start is in microseconds since 1970.
pub fn stat(pid: i32) -> Option<Stat> {
    let info = info(pid)?;
    Some(Stat {
        parent: info.pbi_ppid as i32,
        state: if info.pbi_status == ZOMBIE {
            b'Z'
        } else {
            b'R'
        },
        start: info.pbi_start_tvsec * 1_000_000 + info.pbi_start_tvusec,
    })
}

/// The id of this boot.
pub fn boot_id() -> String {
    let mut id = [0u8; 64];
    let mut length = id.len();
    // SAFETY: a C string as name, a buffer with its length.
    let failed = unsafe {
        libc::sysctlbyname(
            c"kern.bootsessionuuid".as_ptr(),
            id.as_mut_ptr().cast(),
            &mut length,
            ptr::null_mut(),
            0,
        )
    };
    if failed != 0 {
        return String::new();
    }
    let text: Vec<u8> = id
        .into_iter()
        .take(length)
        .take_while(|byte| *byte != 0)
        .collect();
    String::from_utf8_lossy(&text).into_owned()
}

pub(super) fn children(parent: i32) -> Vec<i32> {
    all()
        .into_iter()
        .filter(|pid| stat(*pid).is_some_and(|stat| stat.parent == parent))
        .collect()
}

/// All processes.
pub(super) fn all() -> Vec<i32> {
    // More than there are now, for those that begin meanwhile.
    // SAFETY: without a buffer the call tells a number.
    let count = unsafe { libc::proc_listallpids(ptr::null_mut(), 0) };
    let mut pids = vec![0i32; usize::try_from(count).unwrap_or(0) + 256];
    let size = mem::size_of_val(pids.as_slice()) as libc::c_int;
    // SAFETY: the buffer is as large as is said.
    let count = unsafe { libc::proc_listallpids(pids.as_mut_ptr().cast(), size) };
    pids.truncate(usize::try_from(count).unwrap_or(0));
    pids.retain(|pid| *pid > 0);
    pids
}

/// Sends `signal` to the process with this pid and start, to no other but in the instant between the look and the signal.
pub fn signal_exactly(pid: i32, start: u64, signal: Signal) -> io::Result<()> {
    match (stat(pid), rustix::process::Pid::from_raw(pid)) {
        (Some(stat), Some(target)) if stat.start == start => {
            Ok(rustix::process::kill_process(target, signal)?)
        }
        _ => Err(io::Error::from_raw_os_error(libc::ESRCH)),
    }
}

/// `KERN_PROCARGS2`: a count, the program, padding, that many arguments, then the environment; only of one's own processes.
fn arguments(pid: i32) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut name = [libc::CTL_KERN, libc::KERN_PROCARGS2, pid];
    let mut raw = vec![0u8; 1024 * 1024];
    let mut length = raw.len();
    // SAFETY: the name has three numbers, the buffer is as large as is said.
    let failed = unsafe {
        libc::sysctl(
            name.as_mut_ptr(),
            3,
            raw.as_mut_ptr().cast(),
            &mut length,
            ptr::null_mut(),
            0,
        )
    };
    if failed != 0 {
        return None;
    }
    raw.truncate(length);
    let count = i32::from_ne_bytes(raw.get(..4)?.try_into().ok()?);
    let after_program = raw.get(4..)?.split(|byte| *byte == 0).skip(1);
    let words: Vec<&[u8]> = after_program.skip_while(|word| word.is_empty()).collect();
    let (arguments, environment) = words.split_at_checked(usize::try_from(count).ok()?)?;
    Some((arguments.join(&0), environment.join(&0)))
}

pub(super) fn raw_command_line(pid: i32) -> Vec<u8> {
    if let Some((arguments, _)) = arguments(pid) {
        return arguments;
    }
    let name = info(pid).map(|info| info.pbi_comm).unwrap_or_default();
    name.into_iter()
        .take_while(|letter| *letter != 0)
        .map(|letter| letter as u8)
        .collect()
}

/// The environment that a process was started with; empty when it may not be read.
pub(super) fn environment(pid: i32) -> Vec<u8> {
    arguments(pid)
        .map(|(_, environment)| environment)
        .unwrap_or_default()
}

/// What is left of a command.
pub(super) fn left_by(supervisor: i32, shell: i32, mark: (&str, &str)) -> Vec<Found> {
    let mut found = descendants(supervisor);
    let known: Vec<i32> = found.iter().map(|process| process.pid).collect();
    // SAFETY: no pointers.
    let in_session = |pid: i32| unsafe { libc::getsid(pid) } == shell;
    let marked = super::carrying(mark.0, mark.1);
    for pid in all() {
        let ours = in_session(pid) || marked.iter().any(|process| process.pid == pid);
        if let (true, false, Some(stat)) =
            (ours && pid != supervisor, known.contains(&pid), stat(pid))
        {
            found.push(Found {
                pid,
                start: stat.start,
                dead: stat.is_dead(),
            });
        }
    }
    found
}
