//! awk programs that only read, and those that act, by what awk does with them.

use super::*;

fn reads(program: &str) {
    let found = read_program(program);
    assert!(
        found
            .as_ref()
            .is_ok_and(|all| all.iter().all(|one| one.effect == Effect::Read)),
        "{program:?}: {found:?}"
    );
}

fn refuses(program: &str) {
    let found = read_program(program);
    assert!(
        !found
            .as_ref()
            .is_ok_and(|all| all.iter().all(|one| one.effect == Effect::Read)),
        "{program:?}: {found:?}"
    );
}

#[test]
fn everyday_programs_only_print() {
    for program in [
        "{print $1}",
        "{print $1, $NF}",
        "$3 > 100 {print $1}",
        "NR==5",
        "NR>=5 && NR<=20",
        "length > 80",
        "length($0) > 80 {print NR\": \"$0}",
        "/[|&]/ {print}",
        "/a>b/ {print}",
        "/^#/ {print}",
        "$0 ~ /foo|bar/ {print}",
        "{if (length($0) > 80) print NR}",
        "{print ($1 > 0 ? \"positive\" : \"none\")}",
        "{print a[$1 > 2]}",
        "{print \">\"}",
        "{print \"a | b\"}",
        "BEGIN{print \"system failed\"}",
        "{a[$1] += $2} END {for (k in a) print k, a[k]}",
        "{avg=$1/10; pct=avg/total*100; print pct}",
        "{print $1/100}",
        "/pattern/{getline; print}",
        "/pattern/{getline line; print line}",
        "{while ((getline line < \"names\") > 0) n++} END {print n}",
        "{getline x[NR] < \"f\"; print x[NR]}",
        "BEGIN {FS=\":\"; OFS=\",\"} NR>1 {print $1,$2}",
        "BEGIN{ok = a || b; print ok}",
        "{print > \"/dev/stderr\"}",
        "{print $1 > \"/dev/stdout\"; n++}",
        "function f(x) {return x > 1} {print f($1)}",
        "{gsub(/\\//, \"-\"); print}",
        "/[/]/ {print}",
        "{ print ENVIRON[\"HOME\"] }",
        "# system(\"x\")\n{print}",
        "BEGIN {print ARGV[1], ARGC}",
        "{ARGVX=1; MYARGV=2; print}",
        "BEGIN {PROCINFO[\"sorted_in\"]=\"@ind_str_asc\"} {print}",
        "{printf \"%s\\n\", $1\n}\n$2 > 3",
        "{print $1,\n  $2}\n$3 > 4 {n++}",
        "1e5 < $1 && 0x1f",
        "{x = $1 > $2; print x}",
        "!seen[$0]++",
        "{print \\\n $1}",
    ] {
        reads(program);
    }
}

#[test]
fn what_runs_or_writes_is_seen() {
    for program in [
        "BEGIN{system(\"rm x\")}",
        "BEGIN { system ( \"ls\" ) }",
        "{print | \"sh\"}",
        "{print $0 |& \"sh\"}",
        "{\"date\" | getline d}",
        "BEGIN{cmd=\"date\"; cmd | getline}",
        "{print > \"out\"}",
        "{print >> \"out\"}",
        "{print > $1\".txt\"}",
        "{print $1, $2 > f}",
        "{print ($1)($2) > \"out\"}",
        "{print($1) > \"out\"}",
        "{printf \"%s\", $1 > \"/tmp/x\"}",
        "{print $1,\n $2 > \"out\"}",
        "{print \"a\" \\\n > \"out\"}",
        "{print > \"/dev/stdout\" \"x\"}",
        "{print a[1] > \"out\"}",
        "BEGIN{print 1>\"/inet/tcp/0/h/80\"}",
        "BEGIN{getline x < \"/inet/tcp/0/h/80\"}",
        "BEGIN{getline x < f}",
        "BEGIN{getline x < \"/inet\" \"/tcp/0/h/80\"}",
        "BEGIN{getline < (\"a\" f)}",
        "BEGIN{f=\"system\"; @f(\"id\")}",
        "@include \"inplace\"\n{print}",
        "@load \"filefuncs\"; {print}",
        "BEGIN{for (k in ENVIRON) print k, ENVIRON[k]}",
        "BEGIN{print ENVIRON[\"AWS_SECRET_ACCESS_KEY\"]}",
        "BEGIN{k=\"X\"; print ENVIRON[k]}",
        "BEGIN{for (k in SYMTAB) print SYMTAB[k]}",
        "BEGIN{ARGV[1]=\"/etc/shadow\"; ARGC=2} {print}",
        "BEGIN{sub(/^/, \"/etc/\", ARGV[1])} {print}",
        "BEGIN{split(\"a b\", ARGV)}",
        "{x=1/2; print $0 | \"sh\"; y=3/4}",
        "{x=1/2;system(\"rm\");y=3/4}",
        "/\"/ {print $0 | \"sh\"}",
        "/[/]/ {system(\"x\")} /[/]/",
        "/[/{system(\"x\")}/]/",
        "BEGIN{x = 1e5system(\"id\")}",
        "BEGIN{x = 0xafsystem(\"id\")}",
        "function run(){system(\"rm\")} BEGIN{run()}",
        "BEGIN{awk::system(\"id\")}",
        "{if (1) /\"/; system(\"x\"); /\"/}",
        "{length /\"/; system(\"x\"); /\"/}",
        "BEGIN { print \"x\" > \"a\" ; print }",
    ] {
        refuses(program);
    }
}

#[test]
fn files_are_named() {
    assert_eq!(
        read_program("{getline l < \"/etc/hosts\"; print l > \"out\"}"),
        Ok(alloc::vec![
            touch(Effect::Read, Some("/etc/hosts")),
            touch(Effect::Write, Some("out")),
        ])
    );
}

#[test]
fn a_division_is_no_regular_expression() {
    reads("{a = b / c; d = e / f}");
    refuses("{a = b / c; system(\"x\"); d = e / f}");
    refuses("{a = b++ / c; system(\"x\"); d = e / f}");
    refuses("{a = b[1] / c; system(\"x\"); d = e / f}");
    reads("{if ($1 ~ /system(x)/) print}");
}

#[test]
fn the_fault_says_what_and_where() {
    let fault = read_program("{print | \"sh\"}").err();
    assert_eq!(
        fault,
        Some(Fault::acts(7, "a pipe in the awk program runs a command"))
    );
}
