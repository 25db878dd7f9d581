//! Texts to traces: one bash in one bwrap for a batch, a subshell a text.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What bash executed: the expanded words of every simple command, in order of the trace.
pub type Trace = Vec<Vec<String>>;

/// Whether bwrap and bash are there to be asked.
#[must_use]
pub fn available() -> bool {
    let found = |program: &str| {
        Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|s| s.success())
    };
    found("bwrap") && found("bash")
}

/// How `$'…'` can write the byte that parts the records.
const ESCAPED_SEPARATOR: &[&str] = &[
    "\\x1", "\\x01", "\\1", "\\01", "\\001", "\\ca", "\\cA", "\\u1", "\\u0001",
];

/// Whether running a text could change the trace itself, so that nothing can be read from it: it names the trace's prefix, its
/// descriptor (9) or the variable that holds it, or holds the byte that parts its records.
#[must_use]
pub fn disturbs_trace(text: &str) -> bool {
    text.contains("PS4")
        || text.contains("XTRACEFD")
        || text.contains('\u{1}')
        || text.contains("$'") && ESCAPED_SEPARATOR.iter().any(|escape| text.contains(escape))
        || [">&9", "<&9", "9>", "9<"]
            .iter()
            .any(|descriptor| text.contains(descriptor))
}

/// Whether bash reads each text without a complaint (`bash -n`).
///
/// # Errors
/// When bash cannot be started.
pub fn are_valid(texts: &[String]) -> std::io::Result<Vec<bool>> {
    let valid = |text: &String| {
        let status = Command::new("bash")
            .args(["--norc", "-n", "-c", text])
            .env_clear()
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        Ok(status.success())
    };
    texts.iter().map(valid).collect()
}

/// Runs the texts (without NUL) in bash; `succeed` is what commands that are not found answer.
///
/// # Errors
/// When bwrap cannot be started, or when a trace cannot be read back.
pub fn run(texts: &[String], succeed: bool) -> std::io::Result<Vec<Trace>> {
    let dir = Scratch::new()?;
    let mut input = fs::File::create(dir.0.join("in"))?;
    for text in texts {
        input.write_all(text.as_bytes())?;
        input.write_all(b"\0")?;
    }
    fs::create_dir(dir.0.join("t"))?;
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("oracle/driver.sh");
    let status = Command::new("timeout")
        .args([
            "600",
            "bwrap",
            "--unshare-all",
            "--die-with-parent",
            "--new-session",
            "--dev",
            "/dev",
            "--proc",
            "/proc",
        ])
        .args([
            "--ro-bind",
            "/bin/bash",
            "/bin/bash",
            "--ro-bind",
            "/lib",
            "/lib",
            "--ro-bind-try",
            "/lib64",
            "/lib64",
            "--ro-bind",
            "/usr/lib",
            "/usr/lib",
        ])
        .args([
            "--tmpfs",
            "/w",
            "--dir",
            "/w/app",
            "--dir",
            "/w/app/src",
            "--dir",
            "/w/app/sub",
            "--dir",
            "/home/u",
        ])
        .args([
            "--file",
            "4",
            "/w/app/f.txt",
            "--file",
            "5",
            "/w/app/a.txt",
            "--file",
            "6",
            "/w/app/src/lib.rs",
        ])
        .arg("--bind")
        .arg(dir.0.join("t"))
        .arg("/t")
        .args(["--ro-bind", "/bin/cat", "/r/cat"])
        .arg("--ro-bind")
        .arg(&driver)
        .arg("/driver.sh")
        .args([
            "--chdir",
            "/w/app",
            "--clearenv",
            "--setenv",
            "PATH",
            "/r",
            "--setenv",
            "HOME",
            "/home/u",
        ])
        .args(["--setenv", "ORACLE", if succeed { "0" } else { "1" }])
        .args(["/bin/bash", "--norc", "--noprofile", "/driver.sh"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .fd_input(&dir.0.join("in"))?
        .status()?;
    // bash ends by a signal when a text kills it; the texts after that one have no trace and are run again alone.
    let mut traces = Vec::with_capacity(texts.len());
    for (index, _) in texts.iter().enumerate() {
        match fs::read(dir.0.join(format!("t/{index}"))) {
            Ok(bytes) => traces.push(parse(&String::from_utf8_lossy(&bytes))),
            Err(_) if !status.success() && index > 0 => {
                traces.extend(run(texts.get(index..).unwrap_or(&[]), succeed)?);
                break;
            }
            Err(error) => {
                return Err(std::io::Error::other(format!(
                    "no trace of `{}`: {error}",
                    texts[index]
                )));
            }
        }
    }
    Ok(traces)
}

/// Gives a child the descriptors that the driver reads: 3 the texts, 4 to 6 small files.
trait FdInput {
    fn fd_input(&mut self, texts: &Path) -> std::io::Result<&mut Self>;
}

impl FdInput for Command {
    fn fd_input(&mut self, texts: &Path) -> std::io::Result<&mut Self> {
        // A shell in between opens the descriptors: std has no way to pass extra ones.
        let inner = std::mem::replace(self, Command::new("sh"));
        self.arg("-c")
            .arg("exec 3<\"$0\" 4</dev/null 5</dev/null 6</dev/null; exec \"$@\"")
            .arg(texts)
            .arg(inner.get_program())
            .args(inner.get_args());
        self.stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(self)
    }
}

/// A folder that goes when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> std::io::Result<Self> {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let path = std::env::temp_dir().join(format!(
            "portcullis-oracle-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        ));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The simple commands of a trace: records that are no assignment, no `[[`, `((`, `for`, `case` header, and neither the
/// driver's own `eval` nor its `set +x`.
fn parse(text: &str) -> Trace {
    let mut trace = Vec::new();
    // A text that is ended by its limits leaves half a record at the end.
    let text = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    for (index, record) in text
        .split('\u{1}')
        .filter(|record| !record.is_empty())
        .enumerate()
    {
        let record = record.strip_suffix('\n').unwrap_or(record);
        if index == 0 || record == "set +x" {
            continue;
        }
        if ["[[ ", "(( ", "for ", "case ", "select "]
            .iter()
            .any(|head| record.starts_with(head))
        {
            continue;
        }
        let words = words(record);
        if words.first().is_none_or(|word| is_assignment(word)) {
            continue;
        }
        trace.push(words);
    }
    trace
}

fn is_assignment(word: &str) -> bool {
    let name = word
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(word.len());
    let starts = word
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    let rest = &word[name..];
    starts
        && (rest.starts_with('=')
            || rest.starts_with("+=")
            || (rest.starts_with('[') && rest.contains("]=")))
}

/// Undoes the quoting of a trace: `'…'`, `$'…'`, backslashes.
fn words(record: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = record.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|&c| c != '\''));
            }
            '$' if chars.peek() == Some(&'\'') => {
                chars.next();
                ansi(&mut chars, word.get_or_insert_default());
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

fn ansi(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, into: &mut String) {
    while let Some(c) = chars.next() {
        match c {
            '\'' => return,
            '\\' => match chars.next() {
                Some('n') => into.push('\n'),
                Some('t') => into.push('\t'),
                Some('r') => into.push('\r'),
                Some('a') => into.push('\u{7}'),
                Some('b') => into.push('\u{8}'),
                Some('f') => into.push('\u{c}'),
                Some('v') => into.push('\u{b}'),
                Some('E' | 'e') => into.push('\u{1b}'),
                Some(digit @ '0'..='7') => {
                    let mut value = digit.to_digit(8).unwrap_or(0);
                    while let Some(next) = chars.peek().and_then(|c| c.to_digit(8)) {
                        value = value * 8 + next;
                        chars.next();
                    }
                    into.push(char::from_u32(value).unwrap_or('\u{fffd}'));
                }
                Some(other) => into.push(other),
                None => return,
            },
            other => into.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_read_back_as_words() {
        let trace = parse(
            "\u{1}eval 'echo a'\n\u{1}\u{1}echo 'b c' $'x\\ny' ''\n\u{1}x=1\n\u{1}[[ -f 1 ]]\n\u{1}set +x\n",
        );
        assert_eq!(trace, [vec!["echo", "b c", "x\ny", ""]]);
    }
}
