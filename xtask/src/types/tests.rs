//! Declarations made of small Rust sources; expected texts are what serde reads and writes for them.

use super::{Way, shapes::Shapes};

fn shapes(text: &str) -> Shapes {
    let mut shapes = Shapes::default();
    for item in syn::parse_file(text).expect("valid").items {
        shapes.take(item).expect("taken");
    }
    shapes
}

fn written(text: &str, name: &str, way: Way) -> String {
    shapes(text)
        .write(name, way, &mut Vec::new())
        .expect("written")
}

#[test]
fn what_is_read_has_optional_keys_where_serde_has_defaults() {
    let rust = r#"
        /// A.
        #[derive(Deserialize, Serialize)]
        #[serde(rename_all = "camelCase")]
        struct A { must_be: String, #[serde(default)] may_be: Vec<u8>, other: Option<bool>, #[serde(flatten)] more: B }
        #[derive(Deserialize)]
        struct B {}
    "#;
    assert_eq!(
        written(rust, "A", Way::In),
        "/** A. */\nexport interface A extends B {\n  mustBe: string;\n  mayBe?: number[];\n  other?: boolean;\n}\n"
    );
}

#[test]
fn what_is_only_written_is_null_or_left_out_as_serde_does_it() {
    let rust = r#"
        #[derive(Serialize)]
        struct A { a: Option<String>, #[serde(skip_serializing_if = "Option::is_none")] b: Option<String>, c: Vec<Option<String>> }
    "#;
    assert_eq!(
        written(rust, "A", Way::Out),
        "export interface A {\n  a: string | null;\n  b?: string;\n  c: (string | null)[];\n}\n"
    );
}

#[test]
fn words_of_an_enum_include_the_aliases_that_are_read() {
    let rust = r#"
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        enum A { #[serde(alias = "one")] TooLong, B }
    "#;
    assert_eq!(
        written(rust, "A", Way::In),
        "export type A =\n  | \"tooLong\"\n  | \"one\"\n  | \"b\";\n"
    );
}

#[test]
fn documentation_has_no_rust_in_it() {
    let rust = r#"
        /// As [`Mode::Build`].
        ///
        /// ```
        /// let a = A {};
        /// ```
        #[derive(Serialize)]
        struct A {}
    "#;
    assert_eq!(
        written(rust, "A", Way::Out),
        "/** As `build`. */\nexport interface A {\n}\n"
    );
}

#[test]
fn a_shape_that_is_not_known_is_an_error() {
    let rust = "#[derive(Serialize)] struct A { a: HashMap<u8, u8> }";
    let error = shapes(rust)
        .write("A", Way::Out, &mut Vec::new())
        .expect_err("no such type");
    assert_eq!(
        format!("{error:#}"),
        "field `a`: `HashMap` has no serde and is no basic type"
    );
    let by_hand = "#[derive(Serialize)] struct A { a: u8 } impl Deserialize for A {}";
    assert!(
        shapes(by_hand)
            .write("A", Way::Out, &mut Vec::new())
            .is_err()
    );
}
