//! find's command line: options, starting points, and the expression, primary by primary.
//!
//! Words in, touches out. Every primary of GNU, BSD and busybox find is known with its number of arguments; an
//! unknown one, or a word that is only known when it runs and could be one, is a fault. `-exec` and its like
//! start a command that `command::lower` makes an invocation of its own, so here they only have to be
//! well formed. Sources: findutils manual 4.9, FreeBSD and macOS `find(1)`, busybox `find.c`.

use alloc::{format, vec::Vec};

use super::script::{Fault, touch};
use crate::{
    classify::{check::CheckInput, model::Why, paths},
    command::model::{Arg, Value},
    diagnostic::Code,
    effect::{Effect, Place, Touch},
};

/// The check `find`.
pub(super) fn check(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    let touches = read_words(input.words()).map_err(|fault| {
        let index = input.parsed.start + fault.at;
        let unknown = input
            .word(index)
            .is_some_and(|word| word.value.exact().is_none());
        let code = if unknown {
            Code::CommandUnknownWord
        } else {
            Code::CommandFlag
        };
        input.refuse(code, index, &fault.what)
    })?;
    // It lists what it reads: names, not what the files hold. (A command that it starts is judged on its own.)
    Ok(touches
        .into_iter()
        .map(|touch| match (touch.effect, &touch.target) {
            (Effect::Read, Some(target)) => {
                let value = Value::Exact(target.clone());
                let cwd = &input.invocation.cwd;
                let found = paths::touch(&value, Effect::Read, cwd, input.facts);
                Touch {
                    place: found.place.min(Some(Place::Outside)),
                    ..touch
                }
            }
            _ => touch,
        })
        .collect())
}

/// A primary: its arguments.
enum Primary {
    /// It only tests or prints and takes this many arguments.
    Tests(u8),
    /// It takes a path that is read.
    Reads,
    /// It removes what is found.
    Deletes,
    /// It writes to the path that follows, and takes this many arguments after that.
    Writes(u8),
    /// It runs the words up to `;` or `+`.
    Runs,
    /// The same, after an answer that it reads from the terminal or the input.
    Asks,
}

fn primary(name: &str) -> Option<Primary> {
    Some(match name {
        "-a"
        | "-and"
        | "-o"
        | "-or"
        | "-not"
        | "-depth"
        | "-d"
        | "-daystart"
        | "-empty"
        | "-executable"
        | "-readable"
        | "-writable"
        | "-false"
        | "-true"
        | "-follow"
        | "-ignore_readdir_race"
        | "-noignore_readdir_race"
        | "-ls"
        | "-mount"
        | "-xdev"
        | "-x"
        | "-noleaf"
        | "-nogroup"
        | "-nouser"
        | "-nowarn"
        | "-warn"
        | "-print"
        | "-print0"
        | "-prune"
        | "-quit"
        | "-help"
        | "--help"
        | "-version"
        | "--version"
        | "-acl"
        | "-sparse" => Primary::Tests(0),
        "-amin" | "-atime" | "-cmin" | "-ctime" | "-mmin" | "-mtime" | "-fstype" | "-gid"
        | "-group" | "-ilname" | "-iname" | "-inum" | "-ipath" | "-iregex" | "-iwholename"
        | "-links" | "-lname" | "-maxdepth" | "-mindepth" | "-name" | "-path" | "-perm"
        | "-printf" | "-regex" | "-regextype" | "-size" | "-type" | "-uid" | "-used" | "-user"
        | "-wholename" | "-xtype" | "-context" | "-Bmin" | "-Btime" | "-flags" | "-xattrname" => {
            Primary::Tests(1)
        }
        "-newer" | "-anewer" | "-cnewer" | "-mnewer" | "-samefile" | "-files0-from" => {
            Primary::Reads
        }
        "-delete" => Primary::Deletes,
        "-fprint" | "-fprint0" | "-fls" => Primary::Writes(0),
        "-fprintf" => Primary::Writes(1),
        "-exec" | "-execdir" => Primary::Runs,
        "-ok" | "-okdir" => Primary::Asks,
        _ => return newer(name),
    })
}

/// `-newerXY`, where `t` makes the argument a time.
fn newer(name: &str) -> Option<Primary> {
    let mut letters = name.strip_prefix("-newer")?.chars();
    let (what, reference) = (letters.next()?, letters.next()?);
    if letters.next().is_some() || !matches!(what, 'a' | 'B' | 'c' | 'm') {
        return None;
    }
    match reference {
        'a' | 'B' | 'c' | 'm' => Some(Primary::Reads),
        't' => Some(Primary::Tests(1)),
        _ => None,
    }
}

/// A fault with the index of the word it is about in `at`.
pub(crate) fn read_words(words: &[Arg]) -> Result<Vec<Touch>, Fault> {
    let mut reader = Reader {
        words,
        at: 0,
        touches: Vec::new(),
        deletes: None,
    };
    reader.options()?;
    let roots = reader.roots()?;
    reader.expression()?;
    let mut touches = Vec::new();
    let root = |effect: Effect, value: Option<&Value>| match value {
        None => touch(effect, Some(".")),
        Some(value) => touch(effect, value.exact()),
    };
    let effects: &[Effect] = if reader.deletes.is_some() {
        &[Effect::Read, Effect::Delete]
    } else {
        &[Effect::Read]
    };
    for &effect in effects {
        if roots.is_empty() {
            touches.push(root(effect, None));
        }
        touches.extend(roots.iter().map(|value| root(effect, Some(value))));
    }
    touches.extend(reader.touches);
    Ok(touches)
}

struct Reader<'a> {
    words: &'a [Arg],
    at: usize,
    touches: Vec<Touch>,
    deletes: Option<usize>,
}

impl<'a> Reader<'a> {
    fn value(&self) -> Option<&'a Value> {
        self.words.get(self.at).map(|word| &word.value)
    }

    fn unread(&self, what: impl alloc::string::ToString) -> Fault {
        Fault::unread(self.at, what)
    }

    /// `-H -L -P -E -X -d -s -x`, `-D debug`, `-O3`, BSD's `-f path`.
    fn options(&mut self) -> Result<(), Fault> {
        while let Some(text) = self.value().and_then(Value::exact) {
            match text {
                "-D" => {
                    self.at += 1;
                    if self.value().and_then(Value::exact).is_none() {
                        return Err(self.unread("the value of `-D` is not known"));
                    }
                }
                "-O0" | "-O1" | "-O2" | "-O3" => {}
                "--" => {
                    self.at += 1;
                    return Ok(());
                }
                _ => {
                    let cluster = text.strip_prefix('-').is_some_and(|letters| {
                        !letters.is_empty() && letters.chars().all(|c| "HLPEXdsx".contains(c))
                    });
                    if !cluster {
                        return Ok(());
                    }
                }
            }
            self.at += 1;
        }
        Ok(())
    }

    /// Words before the first that begins the expression.
    fn roots(&mut self) -> Result<Vec<&'a Value>, Fault> {
        let mut roots = Vec::new();
        while let Some(value) = self.value() {
            match value {
                Value::Exact(text) if begins_expression(text) => break,
                Value::OneOf(all) if all.iter().any(|text| begins_expression(text)) => {
                    return Err(self.unread("a word that may begin the expression"));
                }
                Value::Exact(_) | Value::OneOf(_) => {}
                Value::Prefix(text) | Value::Many(text)
                    if !text.is_empty() && !begins_expression(text) => {}
                _ => return Err(self.unread("a word that may be `-delete` or `-exec`")),
            }
            roots.push(value);
            self.at += 1;
        }
        Ok(roots)
    }

    fn expression(&mut self) -> Result<(), Fault> {
        while let Some(value) = self.value() {
            let Some(text) = value.exact() else {
                return Err(self.unread("a word of the expression is not known"));
            };
            if matches!(text, "(" | ")" | "!" | ",") {
                self.at += 1;
                continue;
            }
            let Some(primary) = primary(text) else {
                return Err(self.unread(format!("`{text}` is no known primary of find")));
            };
            let name_at = self.at;
            self.at += 1;
            match primary {
                Primary::Tests(count) => self.arguments(count)?,
                Primary::Reads => {
                    let path = self.argument()?;
                    self.touches.push(touch(Effect::Read, path.exact()));
                }
                Primary::Deletes => self.deletes = Some(name_at),
                Primary::Writes(more) => {
                    let path = self.argument()?;
                    let inert = matches!(
                        path.exact(),
                        Some("/dev/stdout" | "/dev/stderr" | "/dev/null")
                    );
                    if !inert {
                        self.touches.push(touch(Effect::Write, path.exact()));
                    }
                    self.arguments(more)?;
                }
                Primary::Runs => self.command()?,
                Primary::Asks => {
                    return Err(Fault::acts(
                        name_at,
                        format!("`{text}` runs a command when the answer it reads is yes"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn arguments(&mut self, count: u8) -> Result<(), Fault> {
        for _ in 0..count {
            self.argument()?;
        }
        Ok(())
    }

    /// One argument, whatever its value; it must be exactly one word.
    fn argument(&mut self) -> Result<&'a Value, Fault> {
        match self.value() {
            None => Err(self.unread("an argument of find is missing")),
            Some(Value::Many(_)) => Err(self.unread("a word that may be no word or several")),
            Some(value) => {
                self.at += 1;
                Ok(value)
            }
        }
    }

    /// The words of `-exec` up to `;`, or `+` after `{}`.
    fn command(&mut self) -> Result<(), Fault> {
        let start = self.at;
        let mut braces = false;
        // A word that is not known could be `;` and end the command: then the words after it are the expression.
        let mut may_have_ended = false;
        let ends = "a word that may end the command of `-exec`";
        while let Some(value) = self.value() {
            let at = self.at;
            self.at += 1;
            match value {
                Value::Exact(text) if text == ";" && at > start => return Ok(()),
                Value::Exact(text) if text == "+" && braces => return Ok(()),
                Value::Exact(text) => {
                    let acts = matches!(
                        primary(text),
                        Some(Primary::Deletes | Primary::Writes(_) | Primary::Runs | Primary::Asks)
                    );
                    if may_have_ended && acts {
                        return Err(Fault::unread(at, ends));
                    }
                    braces = text == "{}";
                }
                Value::Prefix(text) | Value::Many(text)
                    if !(matches!(text.as_str(), ";" | "+" | "")
                        || (may_have_ended && text.starts_with('-'))) =>
                {
                    braces = false;
                }
                Value::Unknown | Value::OneOf(_) if !may_have_ended => {
                    may_have_ended = true;
                    braces = false;
                }
                _ => return Err(Fault::unread(at, ends)),
            }
        }
        Err(self.unread("`;` is missing after `-exec`"))
    }
}

/// GNU: a word that begins with `-` (and more), or `(`, `)`, `!`, `,` alone; older ones: that begins with these.
fn begins_expression(text: &str) -> bool {
    text.starts_with(['-', '(', ')', '!', ','])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::Span;
    use alloc::string::ToString;

    fn words(line: &str) -> Vec<Arg> {
        line.split(' ')
            .map(|word| {
                Arg::new(
                    match word {
                        "$x" => Value::Many("".into()),
                        "\"$x\"" => Value::Unknown,
                        "src/*" => Value::Many("src/".into()),
                        "\"$x.c\"" => Value::Unknown,
                        word => Value::Exact(word.to_string()),
                    },
                    Span::default(),
                )
            })
            .collect()
    }

    fn only_reads(line: &str) -> bool {
        read_words(&words(line)).is_ok_and(|all| all.iter().all(|one| one.effect == Effect::Read))
    }

    #[test]
    fn searches_only_read() {
        for line in [
            ".",
            ". -name *.rs",
            ". -type f -name x -print0",
            "src tests -maxdepth 2 ( -name a -o -name b ) -prune -o -print",
            ". ! -path */node_modules/* -mtime -7",
            "-L . -size +10M -ls",
            "-H -P /usr -newer /etc/passwd",
            "-O3 . -empty",
            "-D tree . -name x",
            ". -newermt 2020-01-01",
            ". -newerBm f",
            ". -printf %p\\n",
            ". -exec grep -l x {} +",
            ". -exec grep -l x {} ;",
            ". -name x -exec wc -l {} ; -exec head {} ;",
            ". -name \"$x\"",
            "src/* -name x",
            ". -regextype posix-extended -regex .*x",
            ". -perm /u+x -user root -links +1",
            ". -fprint /dev/stdout",
            "-E . -regex x",
            ". -not -empty -a -readable",
            ". -name -delete",
            ". -execdir cat {} ;",
            ". -type f -samefile x",
            ". -inum 5 -xdev",
            "-- . -name x",
            "--version",
            ". -exec grep \"$x\" {} +",
            ". -exec echo {} + -print",
            ". -depth 1",
        ] {
            let fine = only_reads(line);
            // BSD's `-depth n` is not told from a stray word.
            assert_eq!(fine, line != ". -depth 1", "{line}");
        }
    }

    #[test]
    fn what_acts_or_is_not_known_is_seen() {
        for line in [
            ". -delete",
            ". -name x -delete",
            ". -fprint out",
            ". -fprint0 out",
            ". -fls out",
            ". -fprintf out %p",
            ". -name x -fprintf /dev/stderr",
            ". -frobnicate",
            ". $x",
            "$x",
            "\"$x\" -name a",
            ". -name $x",
            ". \"$x\"",
            ". -ok cat {} ;",
            ". -okdir cat {} ;",
            ". -exec rm {}",
            ". -exec",
            ". -exec echo \"$x\" -delete ;",
            ". -exec echo \"$x\" \"$x\" ;",
            ". -exec echo $x ; -print",
            ". -name",
            ". -newerXX f",
            ". -newermtt f",
            "-D \"$x\" .",
            ". -name a b",
            ". -maxdepth 1 -ok rm",
            ". -exec ls {} x + -name y",
            ". -deletee",
            ". -Delete",
            ". -exec + ;x",
            "-f . -delete",
            ". ( -delete )",
            ". ! -delete",
        ] {
            assert!(!only_reads(line), "{line}");
        }
    }

    #[test]
    fn deleting_names_the_starting_points() {
        let touches = read_words(&words("a b -name x -delete"));
        assert_eq!(
            touches,
            Ok(alloc::vec![
                touch(Effect::Read, Some("a")),
                touch(Effect::Read, Some("b")),
                touch(Effect::Delete, Some("a")),
                touch(Effect::Delete, Some("b")),
            ])
        );
    }

    #[test]
    fn the_fault_names_the_word() {
        assert_eq!(
            read_words(&words(". -frobnicate")),
            Err(Fault::unread(
                1,
                "`-frobnicate` is no known primary of find"
            ))
        );
    }
}
