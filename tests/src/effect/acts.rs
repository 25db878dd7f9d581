//! System calls to acts: what a traced command changed, started or connected to.

/// One thing a command did that a reading command does not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Opened for writing, created, removed, renamed or changed: the call and the path.
    Changed(String),
    /// Started a program: its path.
    Started(String),
    /// Opened a connection other than to a local socket.
    Connected(String),
}

/// Calls that change the file system whatever their arguments.
const CHANGING: &[&str] = &[
    "unlink",
    "unlinkat",
    "rmdir",
    "rename",
    "renameat",
    "renameat2",
    "mkdir",
    "mkdirat",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "chmod",
    "fchmod",
    "fchmodat",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "truncate",
    "ftruncate",
    "mknod",
    "mknodat",
    "utime",
    "utimes",
    "utimensat",
    "futimesat",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "mount",
    "umount2",
    "swapon",
    "sethostname",
    "settimeofday",
    "clock_settime",
];

/// Places that a program may write without changing anything a user has: terminals, null, its own process entries.
const INERT: &[&str] = &[
    "/dev/null",
    "/dev/tty",
    "/dev/pts/",
    "/dev/ptmx",
    "/dev/full",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/fd/",
    "/proc/self/",
    "/proc/thread-self/",
    "/dev/shm/sem.",
];

/// Reads the lines of `strace -f -qq -o FILE`: every act, the command's own start left out.
#[must_use]
pub fn acts(trace: &str) -> Vec<Act> {
    let mut acts = Vec::new();
    for line in trace.lines() {
        // `1234  openat(AT_FDCWD, "x", O_WRONLY|O_CREAT, 0666) = 3`
        let call = line.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' ');
        let Some((name, rest)) = call.split_once('(') else {
            continue;
        };
        let result = rest.rsplit(" = ").next().unwrap_or("");
        let failed_plainly = [
            "ENOENT",
            "ENOTDIR",
            "EBADF",
            "EEXIST",
            "ENOTTY",
            "EINVAL",
            "ENOSYS",
            "EOPNOTSUPP",
            "ENODATA",
        ]
        .iter()
        .any(|error| result.contains(error));
        let path = &place(rest);
        match name {
            "execve" | "execveat" if result.starts_with('-') => {}
            "execve" | "execveat" => acts.push(Act::Started(path.clone())),
            "open" | "openat" | "openat2" | "creat" => {
                let writes = name == "creat"
                    || ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"]
                        .iter()
                        .any(|flag| rest.contains(flag));
                if writes && !failed_plainly && !INERT.iter().any(|inert| path.starts_with(inert)) {
                    acts.push(Act::Changed(format!("{name} {path}")));
                }
            }
            "connect" | "sendto" | "sendmsg" => {
                // A connect to AF_UNSPEC goes nowhere, it undoes one (connect(2)).
                let local = rest.contains("AF_UNIX")
                    || rest.contains("AF_UNSPEC")
                    || rest.contains("AF_NETLINK")
                    || rest.contains("127.0.0.1")
                    || rest.contains("\"::1\"")
                    || !rest.contains("sa_family");
                if !local {
                    acts.push(Act::Connected(rest.chars().take(80).collect()));
                }
            }
            _ if CHANGING.contains(&name)
                && !failed_plainly
                && !INERT.iter().any(|inert| path.starts_with(inert)) =>
            {
                acts.push(Act::Changed(format!("{name} {path}")));
            }
            _ => {}
        }
    }
    acts
}

/// The path a call is about: its text, under the folder of its descriptor when that is relative; the descriptor's own path
/// when it has no text (`ftruncate(3</x>, 0)`). strace shows them with `-y`.
fn place(arguments: &str) -> String {
    let descriptor = arguments
        .split_once('<')
        .filter(|(before, _)| {
            before
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '_')
        })
        .and_then(|(_, rest)| rest.split_once('>'))
        .map_or("", |(path, _)| path);
    match arguments.split('"').nth(1) {
        Some(text) if text.starts_with('/') || descriptor.is_empty() => text.to_owned(),
        Some(text) => format!("{descriptor}/{text}"),
        None => descriptor.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_starting_and_connecting_are_seen() {
        let trace = "10 execve(\"/bin/sort\", [\"sort\"], 0x1) = 0\n10 openat(AT_FDCWD, \"f\", O_RDONLY) = 3\n10 openat(AT_FDCWD, \"out\", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 4\n\
                     10 openat(AT_FDCWD, \"/dev/null\", O_WRONLY) = 5\n10 unlink(\"x\") = 0\n10 ftruncate(4</tmp/x>, 0) = 0\n10 openat(5</tmp/d>, \"y\", O_RDWR) = 6\n10 connect(3, {sa_family=AF_INET, sin_port=htons(80)}, 16) = -1 ENETUNREACH\n10 connect(3, {sa_family=AF_UNIX}, 110) = -1 ENOENT\n";
        assert_eq!(
            acts(trace),
            [
                Act::Started("/bin/sort".into()),
                Act::Changed("openat out".into()),
                Act::Changed("unlink x".into()),
                Act::Changed("ftruncate /tmp/x".into()),
                Act::Changed("openat /tmp/d/y".into()),
                Act::Connected(
                    "3, {sa_family=AF_INET, sin_port=htons(80)}, 16) = -1 ENETUNREACH".into()
                ),
            ]
        );
    }
}
