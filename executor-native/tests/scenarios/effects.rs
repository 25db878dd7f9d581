//! What a command leads to beside its output: a yes or no, an edit made in its place, files known as read.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use executor_native::{
    RunError, Session,
    approve::{Answer, Approver, Classified, Pending, Question},
    engine::{EngineKind, engine},
    input::{Input, Origin, SimulatedEdit},
};
use policy_core::wire;

use crate::common::*;

#[test]
fn the_policy_is_asked_and_its_answer_holds() {
    test(async {
        let denied = World::wanting(Wants {
            decision: policy_core::Decision::Deny,
            ..Wants::default()
        });
        let error = denied
            .session()
            .run(Input::new("touch f"))
            .await
            .unwrap_err();
        assert!(matches!(error, RunError::Refused(_)));
        assert!(!denied.work().join("f").exists());
        let asked = World::wanting(Wants {
            decision: policy_core::Decision::Ask,
            ..Wants::default()
        });
        let error = asked
            .session()
            .run(Input::new("touch f"))
            .await
            .unwrap_err();
        assert!(error.to_string().contains("nobody is there"), "{error}");
        let yes = asked.session_with(|options| {
            options.approver = std::sync::Arc::new(executor_native::approve::SaidYes)
        });
        assert_eq!(run(&yes, "touch f").await.exit_code, Some(0));
        assert!(asked.work().join("f").exists());
    });
}

/// A session under the real policy, with these rules of the user and this approver.
fn under(world: &World, rules: &str, approver: Arc<dyn Approver>) -> Session {
    let mut options =
        executor_native::ExecutorOptions::new(engine(EngineKind::Native, rules).unwrap());
    options.supervisor = Some(executor_native::spawn::Program::at(env!(
        "CARGO_BIN_EXE_portcullis"
    )));
    options.state = Some(world.state());
    let executor = executor_native::Executor::new(options).unwrap();
    let mut options = world.options();
    options.approver = approver;
    executor.session(options).unwrap()
}

/// Answers prompt rules by a word in them, and notes what people are asked.
struct Classifier {
    yes_to: &'static str,
    asked: Mutex<Vec<String>>,
}

impl Approver for Classifier {
    fn ask<'a>(&'a self, question: Question<'a>) -> Pending<'a> {
        self.asked
            .lock()
            .unwrap()
            .push(question.request.command.clone());
        Box::pin(std::future::ready(Answer::No(None)))
    }

    fn classify<'a>(
        &'a self,
        questions: &'a [wire::Question],
        about: Question<'a>,
    ) -> Classified<'a> {
        assert!(!about.request.command.is_empty());
        let answers = questions
            .iter()
            .map(|question| (question.id.clone(), question.prompt.contains(self.yes_to)))
            .collect();
        Box::pin(std::future::ready(answers))
    }
}

#[test]
fn prompt_rules_go_to_the_classifier_before_anybody_is_asked() {
    test(async {
        let rules = r#"{"user": {"deny": ["prompt: deletes data"], "allow": ["prompt: makes an empty file"]}}"#;
        for (yes_to, runs, asks) in [
            ("makes an empty file", true, 0),
            ("deletes data", false, 0),
            ("nothing", false, 1),
        ] {
            let world = World::new();
            let classifier = Arc::new(Classifier {
                yes_to,
                asked: Mutex::default(),
            });
            let session = under(&world, rules, Arc::clone(&classifier) as Arc<dyn Approver>);
            let outcome = session.run(Input::new("touch f")).await;
            assert_eq!(outcome.is_ok(), runs, "{yes_to}: {outcome:?}");
            assert_eq!(world.work().join("f").exists(), runs, "{yes_to}");
            assert_eq!(classifier.asked.lock().unwrap().len(), asks, "{yes_to}");
            if let Err(error) = outcome {
                assert!(matches!(error, RunError::Refused(_)));
            }
        }
    });
}

#[test]
fn an_edit_is_shown_and_then_made_in_place_of_the_command() {
    test(async {
        let world = World::new();
        let session = world.session();
        let file = world.work().join("f");
        std::fs::write(&file, "a b\na\n").unwrap();
        let command = "sed -i 's/a/it is/' f";
        let shown = session.preview_edit(command).unwrap();
        assert_eq!(
            (shown.file_path.as_str(), shown.new_content.as_str()),
            ("f", "it is b\nit is\n")
        );
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            "a b\na\n",
            "only shown"
        );
        let value = serde_json::json!({
            "command": command,
            "simulatedSedEdit": {"filePath": shown.file_path, "newContent": shown.new_content},
        });
        let input = Input::parse(&value, Origin::Host).unwrap();
        // Somebody wrote in between: nothing is overwritten.
        std::fs::write(&file, "a new\n").unwrap();
        let stale = session.run(input.clone()).await.unwrap_err().to_string();
        assert!(stale.contains("not what it was"), "{stale}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "a new\n");
        std::fs::write(&file, "a b\na\n").unwrap();
        assert_eq!(run_with(&session, input).await.exit_code, Some(0));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "it is b\nit is\n");
        // As the command itself would have done it.
        std::fs::write(&file, "a b\na\n").unwrap();
        run(&session, command).await;
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "it is b\nit is\n");
        assert_eq!(session.preview_edit("sed -n p f"), None);
        assert_eq!(session.preview_edit("sed -i s/a/b/ missing"), None);
    });
}

#[test]
fn an_edit_is_the_one_that_was_judged_and_no_other() {
    test(async {
        let world = World::new();
        let session = world.session();
        for name in ["f", "g"] {
            std::fs::write(world.work().join(name), "a\n").unwrap();
        }
        for (command, file, content) in [
            ("sed -i s/a/b/ f", "g", "b\n"),
            ("sed -i s/a/b/ f", "f", "evil\n"),
            ("ls", "f", "evil\n"),
            ("sed -i s/a/b/ f; touch ran", "f", "b\n"),
            ("sed -i s/a/b/ missing", "missing", "b\n"),
        ] {
            let input = Input {
                simulated_sed_edit: Some(SimulatedEdit {
                    file_path: file.into(),
                    new_content: content.into(),
                }),
                ..Input::new(command)
            };
            let error = session.run(input).await.unwrap_err();
            assert!(matches!(error, RunError::NotNow(_)), "{command}: {error}");
        }
        for name in ["f", "g"] {
            assert_eq!(
                std::fs::read_to_string(world.work().join(name)).unwrap(),
                "a\n"
            );
        }
        assert_eq!(std::fs::read_dir(world.work()).unwrap().count(), 2);
        // And a denial stays one.
        let denied = World::wanting(Wants {
            decision: policy_core::Decision::Deny,
            ..Wants::default()
        });
        std::fs::write(denied.work().join("f"), "a\n").unwrap();
        let session = denied.session();
        let input = Input {
            simulated_sed_edit: session.preview_edit("sed -i s/a/b/ f"),
            ..Input::new("sed -i s/a/b/ f")
        };
        assert!(matches!(
            session.run(input).await,
            Err(RunError::Refused(_))
        ));
        assert_eq!(
            std::fs::read_to_string(denied.work().join("f")).unwrap(),
            "a\n"
        );
    });
}

#[test]
fn what_a_command_showed_counts_as_read_and_what_a_formatter_changed_is_told() {
    test(async {
        let world = World::new();
        let tools = world.work().join("tools");
        std::fs::create_dir(&tools).unwrap();
        std::fs::write(
            tools.join("prettier"),
            "#!/bin/sh\necho formatted >> ../a\n",
        )
        .unwrap();
        let session = world.session_with(|options| {
            let path = format!("{}:/usr/bin:/bin", tools.display());
            options.env.overrides.insert("PATH".into(), Some(path));
        });
        run(
            &session,
            "chmod +x tools/prettier; for f in a b c; do seq 20 > $f; done; mkdir sub",
        )
        .await;
        let reads: BTreeMap<_, _> = session
            .reads()
            .files()
            .map(|(path, _)| (path.to_owned(), ()))
            .collect();
        assert!(reads.is_empty(), "{reads:?}");
        // What was written just now could have been written after it was shown, so that counts only a moment later.
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        run(&session, "cat a").await;
        run(&session, "head -n 3 b").await;
        let lines = |name: &str| {
            let reads = session.reads();
            reads.seen(&world.work().join(name)).map(|seen| seen.lines)
        };
        assert_eq!(
            (lines("a"), lines("b"), lines("c")),
            (Some(None), Some(Some((1, 3))), None)
        );
        // Not from a command that failed, was cut, or runs in the background.
        run(&session, "cat c; false").await;
        background(&session, "cat c").await;
        assert_eq!(lines("c"), None);
        let done = run(&session, "cd sub && prettier --write .").await;
        let note = done
            .notes
            .iter()
            .find(|note| note.contains("changed 1 file"));
        assert!(
            note.is_some_and(|note| note.contains(world.work().join("a").to_str().unwrap())),
            "{:?}",
            done.notes
        );
        let none = run(&session, "ls >/dev/null").await;
        assert_eq!(none.notes, [""; 0]);
    });
}
