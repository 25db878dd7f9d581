//! Commands that are run on what was found or read: `xargs`, `find -exec`, `fd -x`, `parallel`.
//!
//! The command inside becomes an invocation whose replaced words (`{}`) are known only as far as the search says:
//! where it began, and, as a suspicion, the names it looks for. What is found is never called known.

use alloc::{
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Context, Lowerer, cwd,
    launchers::{first_operand, plain},
    model::{Arg, Connector, Cwd, HazardKind, Stdin, Value},
    printed::Printed,
    scope::Scope,
};
use crate::{limits::MAX_VALUES, specs::options};

impl Lowerer<'_> {
    pub(super) fn xargs(
        &mut self,
        argv: &[Arg],
        index: usize,
        body: Option<&str>,
        scope: &Scope,
        context: Context,
    ) {
        let specs = self.specs;
        let Some(spec) = specs.find("xargs") else {
            return;
        };
        let parsed = options::read(spec, argv);
        let start = parsed.wrapped(argv);
        self.may_shift(argv, start, parsed.uncertain);
        let Some(start) = start else {
            return;
        };
        let mut rest = argv.get(start..).unwrap_or(&[]).to_vec();
        let replaced = parsed.all("-I -i --replace -J").last();
        let mark = replaced.map(|option| match option.value.as_ref().map(Value::exact) {
            None => Some("{}".to_string()),
            Some(text) => text.map(ToString::to_string),
        });
        let no_option = self.reads_no_option(&parsed, index, context);
        let numbers = no_option && self.piped_to(index, context) == Printed::Numbers;
        let mut shapes = self.piped_shapes(index);
        let given = body.unwrap_or_default().split_whitespace();
        shapes.extend(given.map(below_anything).take(MAX_VALUES));
        match mark {
            None => rest.extend(more(argv).map(|more| Arg {
                shapes: shapes.clone(),
                no_option,
                samples: match numbers {
                    true => alloc::vec!["1".into()],
                    false => Vec::new(),
                },
                ..more
            })),
            Some(Some(mark)) if !mark.is_empty() => {
                let whole = replaced.is_some_and(|option| option.name == "-J");
                for arg in &mut rest {
                    arg.no_option = no_option && arg.value.exact() == Some(mark.as_str());
                    shape(arg, &mark, &shapes);
                    replace(arg, &mark, "", whole);
                }
            }
            // What is replaced is not known.
            Some(_) => {
                for arg in &mut rest {
                    arg.value = Value::Unknown;
                }
            }
        }
        self.wrapped("xargs", rest, index, None, &mut scope.clone(), context);
    }

    /// Whether nothing that `xargs` reads begins with `-`.
    fn reads_no_option(
        &self,
        parsed: &options::Parsed<'_>,
        index: usize,
        context: Context,
    ) -> bool {
        !parsed.has("-a --arg-file")
            && match self.piped_to(index, context) {
                Printed::Hashes | Printed::Numbers => true,
                Printed::Names => !parsed.has("-d --delimiter"),
                Printed::Paths => parsed.has("-0 --null"),
                _ => false,
            }
    }

    /// What the command at `index` reads from the pipe before it; nothing is known where it may read from elsewhere.
    pub(super) fn piped_to(&self, index: usize, context: Context) -> Printed {
        let invocation = self.program.invocations.get(index);
        let from_pipe = invocation.is_some_and(|reader| reader.redirects.is_empty())
            && context.stdin == Stdin::Pipe;
        if from_pipe {
            context.piped
        } else {
            Printed::Anything
        }
    }

    /// The names that the commands before this one in its pipeline may print.
    fn piped_shapes(&self, index: usize) -> Vec<String> {
        let earlier = self.program.invocations.get(..=index).unwrap_or(&[]);
        let mut shapes = Vec::new();
        let mut piped = true;
        for (at, invocation) in earlier.iter().enumerate().rev() {
            if at < index && invocation.parent.is_none() {
                if !piped {
                    break;
                }
                shapes.extend(names_printed(&invocation.argv));
            }
            if at == index || invocation.parent.is_none() {
                piped = matches!(invocation.connector, Connector::Pipe | Connector::PipeBoth);
            }
        }
        shapes.truncate(MAX_VALUES);
        shapes
    }

    pub(super) fn find(&mut self, argv: &[Arg], index: usize, scope: &Scope, context: Context) {
        let root = search_root(argv);
        let mut shapes = sought(argv);
        let home = self.facts.home.as_deref().map(cwd::normalise);
        let holds_home = home.is_some_and(|home| is_within(&home, &cwd::normalise(&root)));
        if root.starts_with("/proc") {
            shapes.push("/proc/*/environ".into());
        }
        if shapes.is_empty() && holds_home {
            // Whatever is there is found, keys and all.
            shapes.push(alloc::format!("{root}/.*"));
        }
        // `.` itself is no regular file, so all that is found goes on.
        let start = match root.as_str() {
            "." if only_files(argv) => "./",
            root => root,
        };
        let mut rest = argv.get(1..).unwrap_or(&[]);
        while let Some((arg, after)) = rest.split_first() {
            rest = after;
            let in_folder = match arg.value.exact() {
                Some("-exec" | "-ok") => false,
                Some("-execdir" | "-okdir") => true,
                _ => continue,
            };
            let mut words: Vec<Arg> = Vec::new();
            let mut batch = false;
            while let Some((word, after)) = rest.split_first() {
                rest = after;
                match word.value.exact() {
                    Some(";") => break,
                    Some("+")
                        if words.last().and_then(|arg: &Arg| arg.value.exact()) == Some("{}") =>
                    {
                        batch = true;
                        break;
                    }
                    Some(_) => {}
                    None => {
                        // It may be the `;`, and then the next word is an expression.
                        let next = rest.first().and_then(|arg| arg.value.exact());
                        let harmless = !matches!(word.value, Value::Many(_))
                            && next
                                .is_some_and(|next| !next.starts_with(['-', '(', ')', '!', ',']));
                        if !harmless {
                            let what = word.value.known_prefix().to_string();
                            self.hazard_in(HazardKind::DynamicCommand, word.span, &what);
                        }
                    }
                }
                words.push(word.clone());
            }
            let start = if in_folder { "" } else { start };
            for word in &mut words {
                shape(word, "{}", &shapes);
                replace(word, "{}", start, batch);
            }
            let mut copy = scope.clone();
            if in_folder {
                copy.cwd = Cwd::Unknown;
            }
            self.wrapped("find", words, index, None, &mut copy, context);
        }
    }

    pub(super) fn fd(&mut self, argv: &[Arg], index: usize, scope: &Scope, context: Context) {
        const BOOLEAN: &str = "HIusigFapLln01hVqA";
        let mut rest = argv.get(1..).unwrap_or(&[]);
        while let Some((arg, after)) = rest.split_first() {
            rest = after;
            let Some(text) = arg.value.exact() else {
                continue;
            };
            if text == "--" {
                return;
            }
            let (batch, attached) = match text {
                "--exec" => (false, ""),
                "--exec-batch" => (true, ""),
                _ => {
                    if let Some(command) = text.strip_prefix("--exec=") {
                        (false, command)
                    } else if let Some(command) = text.strip_prefix("--exec-batch=") {
                        (true, command)
                    } else {
                        let Some(letters) = text.strip_prefix('-') else {
                            continue;
                        };
                        let Some(place) = letters.find(['x', 'X']) else {
                            continue;
                        };
                        if !letters
                            .chars()
                            .take(place)
                            .all(|letter| BOOLEAN.contains(letter))
                        {
                            continue;
                        }
                        (
                            letters
                                .get(place..)
                                .is_some_and(|rest| rest.starts_with('X')),
                            letters.get(place + 1..).unwrap_or(""),
                        )
                    }
                }
            };
            let mut words: Vec<Arg> = Vec::new();
            if !attached.is_empty() {
                words.push(Arg::new(Value::Exact(attached.to_string()), arg.span));
            }
            while let Some((word, after)) = rest.split_first() {
                rest = after;
                if word.value.exact() == Some(";") {
                    break;
                }
                words.push(word.clone());
            }
            // The pattern is an expression: what it spells is enough for a suspicion.
            let shapes: Vec<String> = names_printed(argv)
                .iter()
                .map(|name| name.replace(['^', '$', '\\'], ""))
                .collect();
            let mut found = false;
            for word in &mut words {
                for mark in ["{}", "{/}", "{//}", "{.}", "{/.}"] {
                    let marked = word.value.exact().is_some_and(|text| text.contains(mark));
                    found |= marked;
                    if marked {
                        shape(word, mark, &shapes);
                        replace(word, mark, "", batch);
                    }
                }
            }
            if !found {
                words.extend(more(argv).map(|more| Arg { shapes, ..more }));
            }
            self.wrapped("fd", words, index, None, &mut scope.clone(), context);
        }
    }

    /// GNU parallel makes shell text of its words; what is known of it is reported for deny rules.
    pub(super) fn parallel(&mut self, argv: &[Arg], index: usize, scope: &Scope, context: Context) {
        let row = plain(
            &["parallel"],
            "jaSnNlLdCEIPs",
            &[
                "--jobs",
                "--arg-file",
                "--colsep",
                "--delay",
                "--timeout",
                "--joblog",
                "--results",
                "--max-args",
            ],
            0,
        );
        let span = argv.first().map_or_else(Default::default, |arg| arg.span);
        self.hazard_in(HazardKind::EvalUnknown, span, "parallel");
        if let Some(start) = first_operand(argv, &row) {
            let mut words: Vec<Arg> = argv
                .get(start..)
                .unwrap_or(&[])
                .iter()
                .take_while(|arg| !arg.value.known_prefix().starts_with(":::"))
                .cloned()
                .collect();
            for word in &mut words {
                replace(word, "{}", "", false);
            }
            words.extend(more(argv));
            self.wrapped("parallel", words, index, None, &mut scope.clone(), context);
        }
    }
}

/// Any number of arguments that come from elsewhere.
pub(super) fn more(argv: &[Arg]) -> Option<Arg> {
    argv.first()
        .map(|first| Arg::new(Value::Many(String::new()), first.span))
}

/// Puts what is known of a replaced mark into a word: text that begins with `start`.
fn replace(arg: &mut Arg, mark: &str, start: &str, many: bool) {
    let Value::Exact(text) = &arg.value else {
        // An unknown word may hold the mark; it is no better known than before.
        if let Value::OneOf(all) = &arg.value
            && all.iter().any(|text| text.contains(mark))
        {
            arg.value = Value::Unknown;
        }
        return;
    };
    let Some((before, _)) = text.split_once(mark) else {
        return;
    };
    let mut known = before.to_string();
    known.push_str(start);
    arg.value = match (many, known.is_empty()) {
        (true, _) => Value::Many(known),
        (false, true) => Value::Unknown,
        (false, false) => Value::Prefix(known),
    };
}

/// The shapes of a word in which `mark` stands for one of `names`.
fn shape(arg: &mut Arg, mark: &str, names: &[String]) {
    if let Value::Exact(text) = &arg.value
        && text.contains(mark)
    {
        let any = core::iter::once("*");
        let names = any.chain(names.iter().map(String::as_str));
        arg.shapes = names.map(|name| text.replace(mark, name)).collect();
    }
}

/// The names that a `find` looks for (`-name '.env*'`), below anything.
fn sought(argv: &[Arg]) -> Vec<String> {
    let exact = |at: usize| argv.get(at).and_then(|arg| arg.value.exact());
    (1..argv.len())
        .filter(|at| {
            matches!(
                exact(*at),
                Some("-name" | "-iname" | "-path" | "-ipath" | "-wholename" | "-iwholename")
            ) && !matches!(exact(at - 1), Some("!" | "-not"))
        })
        .filter_map(|at| {
            let name = exact(at + 1)?;
            let folds = exact(at).is_some_and(|test| test.starts_with("-i"));
            let name = opened(name);
            Some(below_anything(&if folds {
                name.to_ascii_lowercase()
            } else {
                name
            }))
        })
        .take(MAX_VALUES)
        .collect()
}

/// Whether the expression of `find` lets nothing but regular files through to all of its actions.
fn only_files(argv: &[Arg]) -> bool {
    let words = || argv.iter().map(|arg| arg.value.exact());
    let alternatives =
        words().any(|word| matches!(word, None | Some("-o" | "-or" | "," | "!" | "-not" | "(")));
    let tests = words().take_while(|word| {
        !word.is_some_and(|word| word.starts_with("-exec") || word.starts_with("-ok"))
    });
    let words: Vec<&str> = tests.flatten().collect();
    !alternatives && words.windows(2).any(|pair| pair == ["-type", "f"])
}

/// Whether the path is `folder` or lies in it.
fn is_within(path: &str, folder: &str) -> bool {
    let rest = path.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn below_anything(name: &str) -> String {
    alloc::format!("*/{name}")
}

/// The pattern with any text for each `[…]` in it.
fn opened(pattern: &str) -> String {
    let mut left = String::new();
    let mut rest = pattern;
    while let Some((before, after)) = rest.split_once('[') {
        let Some((_, behind)) = after.split_once(']') else {
            break;
        };
        left.push_str(before);
        left.push('*');
        rest = behind;
    }
    left.push_str(rest);
    left
}

/// The names that a command may print because its words say them.
pub(super) fn names_printed(argv: &[Arg]) -> Vec<String> {
    let mut words = argv.iter().map(|arg| arg.value.exact());
    match words.next().flatten() {
        Some("find") => {
            let mut names = sought(argv);
            names.push(alloc::format!("{}/*", search_root(argv)));
            names
        }
        Some("echo" | "printf" | "ls" | "fd" | "fdfind" | "locate") => argv
            .iter()
            .skip(1)
            .filter_map(|arg| match &arg.value {
                Value::Exact(word) if word.starts_with('-') => None,
                // The format of `printf`.
                Value::Exact(word) => Some(below_anything(word.trim_end_matches("\\n"))),
                Value::Prefix(start) | Value::Many(start) if !start.is_empty() => {
                    Some(alloc::format!("{start}*"))
                }
                _ => None,
            })
            .take(MAX_VALUES)
            .collect(),
        _ => Vec::new(),
    }
}

/// What every path that `find` reports begins with.
fn search_root(argv: &[Arg]) -> String {
    let mut roots: Vec<&str> = Vec::new();
    let mut args = argv.iter().skip(1).peekable();
    while let Some(arg) = args.peek() {
        match arg.value.exact() {
            Some("-H" | "-L" | "-P") => {
                args.next();
            }
            Some("-D") => {
                args.next();
                args.next();
            }
            Some(text) if text.starts_with("-O") => {
                args.next();
            }
            _ => break,
        }
    }
    for arg in args {
        match arg.value.exact() {
            Some(text) if text.starts_with(['-', '(', '!', ',']) => break,
            Some(text) => roots.push(text),
            None => roots.push(arg.value.known_prefix()),
        }
    }
    match roots.as_slice() {
        [] => ".".into(),
        [first, rest @ ..] => {
            let mut shared = first.to_string();
            for other in rest {
                let same = shared
                    .char_indices()
                    .zip(other.chars())
                    .find(|((_, a), b)| a != b)
                    .map_or_else(|| shared.len().min(other.len()), |((at, _), _)| at);
                shared.truncate(same);
            }
            shared
        }
    }
}
