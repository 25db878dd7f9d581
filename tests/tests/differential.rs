//! Every host gives the same answer: the program with the embedded module, the program without it, Node, and the code
//! compiled in, byte for byte, over the corpora and over text that nobody wrote.

use policy_core::service::Offsets;
use portcullis_tests::{corpus, hosts};
use serde_json::{Value, json};

/// Every case of the corpora with all facts said, and two damaged forms of each.
fn requests() -> Vec<Value> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut requests = Vec::new();
    for case in corpus::load(&corpus::dir()) {
        let mut request = case.request;
        for (key, usual) in [("platform", "linux"), ("shell", "bash")] {
            if request.get(key).is_none() {
                request[key] = json!(usual);
            }
        }
        for damage in 0..3 {
            let mut request = request.clone();
            if damage > 0 {
                request["command"] = json!(random.damage(&case.command));
            }
            requests.push(request);
        }
    }
    assert!(requests.len() > 1000, "the corpora are there");
    requests
}

/// A small generator, the same on every machine and run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    /// Removes, doubles, or adds a character that means something to a shell, up to three times.
    fn damage(&mut self, text: &str) -> String {
        const MEANING: &[char] = &[
            '\'', '"', '`', '$', '(', ')', '{', '}', '<', '>', '|', '&', ';', '\n', '\\', '#', '*',
            '=', '~', '!', ' ', 'é', '😀', '\u{202e}', '\r', '\0',
        ];
        let mut chars: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(chars.len() + 1);
            match self.below(3) {
                0 if at < chars.len() => {
                    chars.remove(at);
                }
                1 if at < chars.len() => chars.insert(at, chars[at]),
                _ => chars.insert(at, MEANING[self.below(MEANING.len())]),
            }
        }
        chars.into_iter().collect()
    }
}

fn assert_equal(what: &str, requests: &[Value], left: &[String], right: &[String]) {
    let mut wrong = Vec::new();
    for ((request, left), right) in requests.iter().zip(left).zip(right) {
        if left != right {
            wrong.push(format!("{request}\n  {left}\n  {right}"));
        }
    }
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(
        wrong.is_empty(),
        "{what}: {} of {} differ\n{shown}",
        wrong.len(),
        requests.len()
    );
}

#[test]
fn the_embedded_module_and_the_code_compiled_in_agree() {
    let requests = requests();
    let wasm = hosts::program_verdicts("wasm", &requests);
    let native = hosts::program_verdicts("native", &requests);
    assert_equal("program: wasm and native", &requests, &wasm, &native);
    // Requests that leave nothing for the program to find out: it must add nothing of its own either.
    let mut service = hosts::native_service(Offsets::Utf8);
    let whole = |request: &&Value| {
        ["cwd", "workspace", "home", "git"]
            .iter()
            .all(|key| request.get(key).is_some())
    };
    let (asked, answers): (Vec<_>, Vec<_>) = requests
        .iter()
        .zip(&wasm)
        .filter(|(request, _)| whole(request))
        .map(|(r, a)| (r.clone(), a.clone()))
        .unzip();
    let direct: Vec<String> = asked
        .iter()
        .map(|request| hosts::native_answer(&mut service, "evaluate", request, Offsets::Utf8))
        .collect();
    assert_equal("program and library", &asked, &answers, &direct);
}

#[test]
fn node_and_the_code_compiled_in_agree_on_every_operation() {
    let mut service = hosts::native_service(Offsets::Utf16);
    let requests = requests();
    let mut questions = Vec::new();
    let mut expected = Vec::new();
    for (index, request) in requests.iter().enumerate() {
        // Every request is judged; the other operations take turns.
        for operation in ["evaluate", ["explain", "parse", "suggest"][index % 3]] {
            questions.push(json!({ "operation": operation, "request": request }));
            expected.push(hosts::native_answer(
                &mut service,
                operation,
                request,
                Offsets::Utf16,
            ));
        }
    }
    let answers = hosts::node_answers(&questions);
    let (digest, answers) = answers.split_first().expect("a first line");
    assert_eq!(
        *digest,
        hosts::digest(),
        "Node loads the module that is embedded"
    );
    assert_equal("node and library", &questions, answers, &expected);
}
