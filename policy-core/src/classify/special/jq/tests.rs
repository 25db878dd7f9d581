//! jq programs: which read, which look elsewhere.

use super::*;

#[test]
fn filters_that_only_compute() {
    for filter in [
        ".",
        ".name",
        ".[].title",
        ".env",
        ".env.PATH",
        ".\"env\"",
        ".[\"env\"]",
        "{env: 1}",
        "{a: .b, env: .c}",
        "{env}",
        "{\"a\": .b}",
        ".include[]",
        ".imports | keys",
        "map(select(.import == \"env\"))",
        "\"import env $ENV\"",
        "# env\n.",
        ".[] | select(.a > 1) | {a, b}",
        "\"\\(.a) and \\(.b | tostring)\"",
        "@base64 \"x\\(.y)\"",
        "@sh",
        "to_entries | map(\"\\(.key)=\\(.value)\") | .[]",
        "reduce .[] as $x (0; . + $x)",
        "def f(g): g | g; f(.a)",
        ".a // \"none\"",
        "if .a then .b else .c end",
        ".[1:3]",
        ".. | .environment? // empty",
        "$ENV[\"HOME\"]",
        ".a as {b: $c, env: $e} | $c",
        "input_line_number",
        "halt_error(1)",
        "$__loc__",
        "[limit(3; .[])] | length",
        "1e5 + .5",
        "getpath([\"env\"])",
        ".a |= ascii_downcase",
    ] {
        assert_eq!(read_filter(filter, Dialect::Jq), Ok(Vec::new()), "{filter}");
    }
}

#[test]
fn what_shows_the_environment_or_loads_is_refused() {
    for filter in [
        "env",
        "env.HOME",
        "env | keys",
        "{a: env}",
        "{(env|tostring): 1}",
        "[env]",
        ".a, env",
        "$ENV",
        "$ENV.HOME",
        "$ ENV.X",
        "{$ENV}",
        "$__prog::ENV",
        "\"\\(env)\"",
        "\"\\(\"\\(env)\")\"",
        "\"a\\\\\\(env)\"",
        "\"\\\"\" | env",
        "include \"m\"; f",
        "import \"x\" as d; d::f",
        "import \"d\" as $d; .",
        "\"m\" | modulemeta",
        "input_filename",
        "get_search_list",
        "# x\nenv",
        "#\\\nenv",
        ".\\env",
        "\"open",
        "\"\\(.a",
        "def f: env; f",
        "@text \"\\(env)\"",
        ".[env:1]",
        "{a:1} | env:2",
        ".env|env",
        "1e5|env",
        "$ENV[\"AWS_SECRET_ACCESS_KEY\"]",
        "$ENV[\"HOME\" , \"X\"]",
    ] {
        assert!(read_filter(filter, Dialect::Jq).is_err(), "{filter}");
    }
}

#[test]
fn yq_has_more_functions() {
    for filter in [
        "load(\"/etc/passwd\") | .x",
        ".a",
        "env(HOME)",
        ".a = \"b\"",
        "input_filename",
        "filename",
        "strenv(PATH)",
    ] {
        assert!(read_filter(filter, Dialect::Yq).is_ok(), "{filter}");
    }
    for filter in [
        "load(.path)",
        "env(SECRET)",
        "strenv(TOKEN)",
        "eval(strenv(Q))",
        "eval(.x)",
        "envsubst",
        ".a | envsubst(nu)",
    ] {
        assert!(read_filter(filter, Dialect::Yq).is_err(), "{filter}");
    }
    assert_eq!(
        read_filter("load(\"/etc/passwd\")", Dialect::Yq),
        Ok(alloc::vec![touch(Effect::Read, Some("/etc/passwd"))])
    );
}

#[test]
fn the_fault_says_what_and_where() {
    assert_eq!(
        read_filter(".a | $ENV", Dialect::Jq),
        Err(Fault::acts(5, "`$ENV` shows the environment"))
    );
}
