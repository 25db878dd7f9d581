//! The page that is made from the specs: docs/commands.md.
//!
//! The test compares; with `PORTCULLIS_WRITE=1` it writes (`./x pages`).

use std::{collections::BTreeMap, env, fmt::Write as _, fs, path::Path};

use policy_core::{
    effect::Effect,
    specs::{
        builtin,
        model::{Form, Kind, Notes, Spec},
    },
};

#[test]
fn the_page_of_commands_is_what_the_specs_say() {
    let mut by_kind: BTreeMap<Kind, Vec<(Spec<'_>, Notes<'_>)>> = BTreeMap::new();
    for (spec, notes) in builtin::noted() {
        let kind = by_kind.entry(spec.root.kind).or_default();
        kind.push((spec, notes));
    }
    let names: usize = builtin::all().map(|spec| 1 + spec.aliases.len()).sum();
    let mut page = format!(
        "# Commands that are known\n\n{} specs, {names} names. Made from `policy-core/commands/` by `./x pages`. What is not named here, or in the spec\n\
         behind a row, is not read-only: it asks until a rule allows it. `docs/spec-format.md` says how to add one.\n\n\
         *Free* lists what runs without a question when its options and operands are as the spec says; *acts* lists subcommands and\n\
         effects that the spec knows and asks about.\n",
        builtin::all().count(),
    );
    for (kind, specs) in by_kind {
        let _ = write!(
            page,
            "\n## {}\n\n| command | what it is | free | acts |\n| --- | --- | --- | --- |\n",
            title(kind)
        );
        for (spec, notes) in specs {
            let aliases = if spec.aliases.is_empty() {
                String::new()
            } else {
                format!(
                    ", `{}`",
                    spec.aliases.iter().collect::<Vec<_>>().join("`, `")
                )
            };
            let _ = writeln!(
                page,
                "| [`{}`]({}){aliases} | {} | {} | {} |",
                spec.name,
                link(notes.manual),
                cell(notes.summary),
                cell(&free(&spec, &notes)),
                cell(&acts(&spec)),
            );
        }
    }
    hold("docs/commands.md", &page);
}

/// What of a command can be read-only.
fn free(spec: &Spec<'_>, notes: &Notes<'_>) -> String {
    let subs: Vec<&str> = spec
        .subs
        .iter()
        .filter(|sub| can_be_free(&sub.form()))
        .map(|sub| sub.words)
        .collect();
    if !subs.is_empty() {
        return subs.join(", ");
    }
    if can_be_free(&spec.root) && !notes.examples_read_only.is_empty() {
        return match (&spec.root.wrapper, spec.root.any_flags) {
            (Some(_), _) => "what it starts decides".into(),
            (None, true) => "any option".into(),
            (None, false) => "the options listed".into(),
        };
    }
    if spec.root.info.is_empty() {
        "nothing".into()
    } else {
        spec.root.info.replace(' ', ", ")
    }
}

fn can_be_free(form: &Form<'_>) -> bool {
    form.read_only
        && form
            .effects
            .iter()
            .all(|effect| matches!(effect, Effect::Read | Effect::Network))
}

/// What the spec knows to act.
fn acts(spec: &Spec<'_>) -> String {
    let mut found: Vec<String> = Vec::new();
    let own: Vec<String> = spec
        .root
        .effects
        .iter()
        .filter(|effect| *effect != Effect::Read)
        .map(|effect| word(effect).to_owned())
        .collect();
    found.extend(own);
    let flags: Vec<&str> = spec
        .root
        .flags
        .iter()
        .chain(spec.globals.iter())
        .filter(|flag| flag.effect.is_some())
        .filter_map(|flag| flag.names.split(' ').next())
        .collect();
    found.extend(flags.iter().map(|flag| format!("`{flag}`")));
    let subs: Vec<&str> = spec
        .subs
        .iter()
        .filter(|sub| !can_be_free(&sub.form()))
        .map(|sub| sub.words)
        .take(40)
        .collect();
    found.extend(subs.iter().map(ToString::to_string));
    found.join(", ")
}

fn word(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "reads",
        Effect::Write => "writes",
        Effect::Delete => "deletes",
        Effect::Network => "connects",
        Effect::Exec => "executes",
        Effect::Process => "changes processes",
        Effect::System => "changes the machine",
    }
}

fn title(kind: Kind) -> &'static str {
    match kind {
        Kind::Search => "Search",
        Kind::Read => "Reading",
        Kind::List => "Listing",
        Kind::Neutral => "Without effect",
        Kind::FileOp => "File operations",
        Kind::Vcs => "Version control",
        Kind::Build => "Building and testing",
        Kind::Package => "Package managers",
        Kind::Network => "Network",
        Kind::Process => "Processes",
        Kind::System => "The machine",
        Kind::Container => "Containers and clusters",
        Kind::Cloud => "Clouds and code hosts",
        Kind::Database => "Databases",
        Kind::Interpreter => "Interpreters and shells",
        Kind::Wrapper => "Wrappers",
        Kind::Unknown => "Others",
    }
}

/// The first address of a manual entry; a name alone (`man 1 x`) has none.
fn link(manual: &str) -> &str {
    manual
        .split([' ', ';'])
        .find(|word| word.starts_with("http"))
        .unwrap_or("#")
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn hold(place: &str, page: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .join(place);
    if env::var_os("PORTCULLIS_WRITE").is_some() {
        fs::write(&path, page).expect("the page is written");
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == page,
        "{place} is not what the tables say: run `./x pages` and commit the result"
    );
}
