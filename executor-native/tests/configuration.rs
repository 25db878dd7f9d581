//! Configuration as a person meets it: each fault is one clear error at its place with status 2 and nothing is lost; rules of other tools are shown,
//! written, and named by the verdicts they decide.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

struct World {
    root: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let root = tempfile::Builder::new()
            .prefix("config-")
            .tempdir()
            .unwrap();
        for folder in ["work/.git", "home", "config/portcullis"] {
            std::fs::create_dir_all(root.path().join(folder)).unwrap();
        }
        Self { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portcullis"));
        command
            .args(args)
            .current_dir(self.path("work"))
            .env("HOME", self.path("home"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_DATA_HOME", self.path("data"))
            .stdin(Stdio::null());
        command
    }

    fn portcullis(&self, args: &[&str]) -> Output {
        self.command(args).output().unwrap()
    }

    /// Status, stdout and stderr.
    fn says(&self, args: &[&str]) -> (i32, String, String) {
        let output = self.portcullis(args);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.code().unwrap_or(-1),
            text(&output.stdout),
            text(&output.stderr),
        )
    }

    fn check(&self, command: &str) -> (i32, String, String) {
        self.says(&["check", "--engine", "native", "--", command])
    }
}

#[test]
fn every_fault_is_one_error_at_its_place() {
    for (name, bytes, place, words) in [
        ("work/portcullis.toml", &b"mode = \"edit\"\n[rulez]\n"[..], ":2:2", "unknown field `rulez`"),
        ("work/portcullis.toml", b"[rules]\nallow = [\"a\"]\ndeni = []\n", ":3:1", "unknown field `deni`"),
        ("work/portcullis.toml", b"askNetwork = \"yes\"\n", ":1:14", "invalid type: string \"yes\", expected a boolean"),
        ("work/portcullis.toml", b"[rules]\nallow = \"ls\"\n", ":2:9", "invalid type"),
        ("work/portcullis.toml", b"mode = \"fast\"\n", ":1:8", "unknown variant `fast`"),
        ("work/portcullis.toml", b"[rules\n", ":1:7", "unclosed table"),
        ("work/portcullis.toml", b"mode = \"edit\"\nmode = \"plan\"\n", ":2:1", "duplicate key"),
        ("work/portcullis.toml", b"[rules]\ndeny = [\n  \"ok\",\n  \"Bash(\",\n]\n", ":4:4", "rule `Bash(`: `Bash(` is not closed"),
        ("work/portcullis.toml", b"[rules]\ndeny  = [{ rule = \"npm test:*\", match = [\"npm ci\"] }]\n", ":2:20", "does not match its example `npm ci`"),
        ("work/portcullis.toml", b"# \xc3\xa9\nx = \"\xff\"\n", ":2:6", "is not UTF-8 text"),
        ("work/portcullis.json", b"{\n  \"mode\": \"edit\",\n  \"rulez\": {}\n}", ":3:9", "unknown field `rulez`"),
        ("work/portcullis.json", b"{\"rules\": {\"allow\": [1]}}", ":1:", "did not match"),
        ("work/portcullis.json", b"{\"mode\": \"edit\"", ":1:15", "EOF"),
        ("config/portcullis/portcullis.toml", b"[[commands]]\nname = \"x\"\nsummary = \"s\"\nmanual = \"m\"\nkind = \"nothing\"\n", ":2:9", "kind: `nothing` is none of"),
        ("work/portcullis.toml", b"[[ruleSets]]\nvendor = \"x\"\nfile = \"f\"\nresolution = \"strictest\"\nrules = [{ rule = \"r\", decision = \"ask\", match = { regex = \"(a\" } }]\n", ":5:20", "this `(` is not closed"),
        ("work/portcullis.toml", b"[[ruleSets]]\nvendor = \"x\"\nfile = \"f\"\nresolution = \"first\"\nrules = []\n", ":4:14", "unknown variant `first`"),
    ] {
        let world = World::new();
        world.write(name, bytes);
        let (status, out, err) = world.check("ls");
        let shown = String::from_utf8_lossy(bytes);
        assert_eq!(status, 2, "{shown}: {err}");
        assert!(out.is_empty(), "{shown}: {out}");
        assert!(err.contains(&format!("{name}{place}")) && err.contains(words), "{shown}: {err}");
        // One error, and what to do next at most.
        assert!(err.lines().filter(|line| line.contains(name)).count() == 1, "{shown}: {err}");
    }
}

#[test]
fn what_is_no_readable_file_is_a_fault() {
    let world = World::new();
    std::fs::create_dir(world.path("work/portcullis.toml")).unwrap();
    let (status, _, err) = world.check("ls");
    assert!(
        status == 2 && err.contains("portcullis.toml: is a folder, not a file"),
        "{err}"
    );
    std::fs::remove_dir(world.path("work/portcullis.toml")).unwrap();

    // A link to itself: nobody can read that, root neither.
    std::os::unix::fs::symlink("portcullis.toml", world.path("work/portcullis.toml")).unwrap();
    let (status, _, err) = world.check("ls");
    assert!(
        status == 2 && err.contains("portcullis.toml: cannot be read: "),
        "{err}"
    );
    std::fs::remove_file(world.path("work/portcullis.toml")).unwrap();

    let (status, _, err) = world.says(&[
        "check",
        "--engine",
        "native",
        "--config",
        "none.toml",
        "--",
        "ls",
    ]);
    assert!(
        status == 2 && err.contains("none.toml: there is no such file"),
        "{err}"
    );
    assert_eq!(world.check("ls").0, 0);
}

#[test]
fn faults_of_several_files_are_told_together() {
    let world = World::new();
    world.write("work/portcullis.toml", "x = 1\n");
    world.write("config/portcullis/portcullis.toml", "[rules]\nallow = 1\n");
    let (status, _, err) = world.check("ls");
    assert!(
        status == 2
            && err.contains("work/portcullis.toml:1:1")
            && err.contains("config/portcullis/portcullis.toml:2:9"),
        "{err}"
    );
}

#[test]
fn a_change_to_a_faulty_file_leaves_it_as_it_was() {
    let world = World::new();
    for text in [
        "[rules]\nallow = [\n",
        "[rules]\nallow = \"x\"\n",
        "bad = 1\n",
    ] {
        world.write("work/portcullis.toml", text);
        let (status, _, err) = world.says(&["rules", "add", "deny", "rm:*", "--file", "project"]);
        assert!(
            status == 2 && err.contains("work/portcullis.toml:"),
            "{err}"
        );
        assert_eq!(world.read("work/portcullis.toml"), text);
    }
}

#[test]
fn a_change_to_json_keeps_order_and_layout() {
    let world = World::new();
    let text = "{\n\t\"rules\": {\n\t\t\"deny\": [\n\t\t\t\"rm:*\"\n\t\t],\n\t\t\"allow\": [ \"a:*\" ]\n\t},\n\t\"mode\": \"edit\"\n}";
    world.write("work/portcullis.json", text);
    assert_eq!(
        world
            .says(&["rules", "add", "deny", "dd:*", "--file", "project"])
            .0,
        0
    );
    assert_eq!(
        world
            .says(&["rules", "add", "allow", "b:*", "--file", "project"])
            .0,
        0
    );
    let want = text
        .replace("\"rm:*\"", "\"rm:*\",\n\t\t\t\"dd:*\"")
        .replace("\"a:*\" ", "\"a:*\", \"b:*\" ");
    assert_eq!(world.read("work/portcullis.json"), want);
    assert_eq!(
        world
            .says(&["rules", "remove", "allow", "b:*", "--file", "project"])
            .0,
        0
    );
    assert_eq!(
        world
            .says(&["rules", "remove", "deny", "dd:*", "--file", "project"])
            .0,
        0
    );
    assert_eq!(world.read("work/portcullis.json"), text);
}

#[test]
fn writers_at_once_lose_nothing() {
    let world = World::new();
    world.write(
        "work/portcullis.toml",
        "# kept\n[rules]\nallow = [\"first:*\"] # and this\n",
    );
    let writers: Vec<_> = (0..12)
        .map(|n| {
            let rule = format!("tool{n} sub:*");
            world
                .command(&["rules", "add", "allow", &rule, "--file", "project"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().unwrap().success());
    }
    let text = world.read("work/portcullis.toml");
    assert!(
        text.starts_with("# kept\n") && text.contains("# and this") && text.contains("first:*"),
        "{text}"
    );
    for n in 0..12 {
        assert!(text.contains(&format!("\"tool{n} sub:*\"")), "{text}");
    }
    assert_eq!(world.check("ls").0, 0);
}

#[test]
fn the_reason_for_a_rule_is_shown_with_the_verdict() {
    let world = World::new();
    world.write("work/portcullis.toml", "[rules]\ndeny = [{ rule = \"git push --force:*\", because = \"history is shared\" }]\nask = [{ rule = \"npm publish:*\", justification = \"ask the \\u001b[31mrelease team\" }]\n");
    let (status, out, _) = world.check("git push -f");
    assert!(
        status == 4 && out.contains("`git push --force:*` denies `git push -f`: history is shared"),
        "{out}"
    );
    let (status, out, _) = world.check("npm publish");
    assert!(
        status == 3 && out.contains("release team") && !out.contains('\u{1b}'),
        "{out:?}"
    );
    let (_, out, _) = world.says(&["check", "--engine", "native", "--json", "--", "git push -f"]);
    assert!(
        out.contains("denies `git push -f`: history is shared\""),
        "{out}"
    );
}

fn data(name: &str) -> String {
    std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/import")
            .join(name),
    )
    .unwrap()
}

#[test]
fn rules_of_other_tools_are_shown_then_written_then_named() {
    let world = World::new();
    world.write("home/.codex/rules/default.rules", "prefix_rule(pattern=[\"make\"], decision=\"allow\")\nprefix_rule(pattern=[\"make\", \"deploy\"], decision=\"forbidden\", justification=\"by the pipeline alone\")\n");
    world.write(
        "work/opencode.json",
        "{\"permission\": {\"bash\": {\"cargo *\": \"allow\", \"cargo publish *\": \"ask\"}}}",
    );
    let mine = "# mine\nmode = \"build\" # default\n";
    world.write("config/portcullis/portcullis.toml", mine);

    // Shown, and nothing written.
    let (status, out, err) = world.says(&["rules", "import", "--check"]);
    assert_eq!(status, 0, "{err}");
    assert!(
        out.contains("home/.codex/rules/default.rules (codex): 2 rules, for the user's rules"),
        "{out}"
    );
    assert!(
        out.contains("words make deploy") && out.contains("wild cargo publish *"),
        "{out}"
    );
    assert_eq!(world.read("config/portcullis/portcullis.toml"), mine);
    // What was found is not written without a yes.
    let (status, _, err) = world.says(&["rules", "import"]);
    assert!(status == 2 && err.contains("--yes"), "{err}");
    assert!(!world.path("work/portcullis.toml").exists());

    let (status, _, err) = world.says(&["rules", "import", "--yes"]);
    assert_eq!(status, 0, "{err}");
    let text = world.read("config/portcullis/portcullis.toml");
    assert!(
        text.starts_with(mine) && text.contains("file = \"~/.codex/rules/default.rules\""),
        "{text}"
    );
    let (status, out, _) = world.check("make deploy");
    assert!(
        status == 4 && out.contains("(~/.codex/rules/default.rules:2): by the pipeline alone"),
        "{out}"
    );
    assert_eq!(world.check("make all").0, 0);

    // The project's file is written by whoever writes to the repository: it only tightens until it is trusted.
    assert_eq!(world.check("cargo build").0, 3);
    let (status, out, _) = world.check("cargo publish");
    assert!(status == 3 && out.contains("(opencode.json:1)"), "{out}");
    let (_, out, _) = world.says(&["rules", "list"]);
    assert!(
        out.contains("\"cargo *\": \"allow\" (opencode.json:1) (not trusted)"),
        "{out}"
    );
    assert_eq!(world.says(&["config", "trust", "portcullis.toml"]).0, 0);
    assert_eq!(world.check("cargo build").0, 0);

    // Once more: nothing changes; changed rules take the place of the old ones.
    let (_, out, _) = world.says(&["rules", "import", "--yes"]);
    assert!(out.contains("is there already"), "{out}");
    world.write(
        "home/.codex/rules/default.rules",
        "prefix_rule(pattern=[\"make\"], decision=\"prompt\")\n",
    );
    assert_eq!(
        world
            .says(&["rules", "import", "--from", "codex", "--yes"])
            .0,
        0
    );
    let text = world.read("config/portcullis/portcullis.toml");
    assert!(
        text.starts_with(mine)
            && text.matches("[[ruleSets]]").count() == 1
            && !text.contains("deploy"),
        "{text}"
    );
    assert_eq!(world.check("make all").0, 3);
}

#[test]
fn a_rule_that_denies_is_not_lost_in_silence() {
    let world = World::new();
    let file = "home/.claude/settings.json";
    world.write(file, data("claude.settings.json"));
    let path = world.path(file).display().to_string();
    let (status, out, err) = world.says(&["rules", "import", &path]);
    assert!(
        status == 1 && out.contains("22:7  lost: `Read(./.env)`") && err.contains("--partial"),
        "{out}{err}"
    );
    assert!(!world.path("config/portcullis/portcullis.toml").exists());
    let (status, _, err) = world.says(&["rules", "import", "--partial", &path]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(world.check("terraform apply").0, 4);
    // JSON for programs: the set and what could not be kept.
    let (_, out, _) = world.says(&["rules", "import", "--check", "--json", &path]);
    let row: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(row["lost"], true);
    assert_eq!(
        row["ruleSet"]["rules"][0]["match"]["glob"],
        "npm run test *"
    );

    world.write(file, "{\"permissions\": {\"allow\": [\"x\",]}}");
    let (status, _, err) = world.says(&["rules", "import", &path]);
    assert!(
        status == 2 && err.contains("settings.json:1:32: a value was expected"),
        "{err}"
    );
}
