//! What a login shell is asked to tell about itself, in its own language.
//!
//! The answer goes through the report descriptor, NUL-framed, so nothing that start-up files print can mix with
//! it: `B` begin, `E` NAME=value, `F` name newline text, `A` name=value, `O` option, `Z` end.

use super::Kind;
use crate::protocol::REPORT_FD;

/// Options that let patterns match hidden names or another case stay behind: a verdict on `cat *` counts on it.
///
/// Nothing of what the start-up files set (options, traps, IFS, aliases) may disturb the telling.
const BASH: &str = r#"{ \builtin set +euxvn; \builtin set +o noclobber; \builtin trap - EXIT DEBUG ERR RETURN; \builtin shopt -u expand_aliases; } 2>/dev/null
IFS=$' \t\n'
{ \builtin printf 'B\0'
for __pc_n in $(\builtin compgen -e); do \builtin printf 'E%s=%s\0' "$__pc_n" "${!__pc_n}"; done
for __pc_n in $(\builtin compgen -A function); do \builtin printf 'F%s\n' "$__pc_n"; \builtin declare -f -- "$__pc_n"; \builtin printf '\0'; done
for __pc_n in "${!BASH_ALIASES[@]}"; do \builtin printf 'A%s=%s\0' "$__pc_n" "${BASH_ALIASES[$__pc_n]}"; done
for __pc_n in globstar nullglob; do \builtin shopt -q "$__pc_n" && \builtin printf 'O%s\0' "$__pc_n"; done
\builtin printf 'Z\0'; } >&FD 2>/dev/null
\builtin exit 0
"#;

const ZSH: &str = r#"{ builtin set +eux; builtin setopt no_xtrace clobber no_aliases; builtin trap - EXIT DEBUG ERR; } 2>/dev/null
IFS=$' \t\n\0'
__portcullis_tell(){ builtin emulate -L zsh
builtin zmodload zsh/parameter
local n
builtin printf 'B\0'
for n in ${(k)parameters[(R)*export*]}; do builtin printf 'E%s=%s\0' "$n" "${(P)n}"; done
for n in ${(k)functions}; do [[ $n == __portcullis_tell ]] && continue
[[ ${functions[$n]} == *'builtin autoload -X'* ]] && { builtin autoload +X -- "$n" || continue; }
builtin printf 'F%s\n' "$n"; builtin functions -- "$n"; builtin printf '\0'; done
for n in ${(k)aliases}; do builtin printf 'A%s=%s\0' "$n" "${aliases[$n]}"; done
}
{ __portcullis_tell; for __pc_n in nullglob; do [[ -o $__pc_n ]] && builtin printf 'O%s\0' "$__pc_n"; done; builtin printf 'Z\0'; } >&FD 2>/dev/null
builtin exit 0
"#;

/// The text for `-l -c`; `None` for a shell whose environment is not worth taking.
pub(super) fn script(kind: Kind) -> Option<String> {
    let text = match kind {
        Kind::Bash => BASH,
        Kind::Zsh => ZSH,
        Kind::Sh => return None,
    };
    Some(text.replace("FD", &REPORT_FD.to_string()))
}

/// What a login shell told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Told {
    /// The shell got past its start-up files.
    pub(super) begun: bool,
    /// All was told.
    pub(super) complete: bool,
    /// Exported variables.
    pub(super) exports: Vec<(Vec<u8>, Vec<u8>)>,
    /// Functions: name and definition.
    pub(super) functions: Vec<(String, Vec<u8>)>,
    /// Aliases.
    pub(super) aliases: Vec<(String, Vec<u8>)>,
    /// Options that are on, out of those that are asked for.
    pub(super) options: Vec<String>,
}

/// Reads the answer; what is malformed is left out.
pub(super) fn read(answer: &[u8]) -> Told {
    let mut told = Told::default();
    for frame in answer.split(|byte| *byte == 0) {
        let Some((letter, rest)) = frame.split_first() else {
            continue;
        };
        match letter {
            b'B' if rest.is_empty() => told.begun = true,
            b'Z' if rest.is_empty() => told.complete = true,
            b'E' => told
                .exports
                .extend(cut(rest, b'=').map(|(name, value)| (name.to_vec(), value.to_vec()))),
            b'F' => told.functions.extend(named(rest, b'\n')),
            b'A' => told.aliases.extend(named(rest, b'=')),
            b'O' => told
                .options
                .extend(std::str::from_utf8(rest).ok().map(str::to_owned)),
            _ => {}
        }
    }
    told
}

fn cut(text: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|byte| *byte == at)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

fn named(text: &[u8], at: u8) -> Option<(String, Vec<u8>)> {
    let (name, value) = cut(text, at)?;
    Some((std::str::from_utf8(name).ok()?.to_owned(), value.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_frames_and_leaves_out_what_is_none() {
        let told = read(b"B\0EPATH=/bin:/usr/bin\0EMULTI=a\nb\0Fgs\ngs () \n{ git status\n}\n\0All=ls -l\0Onullglob\0junk\0Z\0");
        assert!(told.begun && told.complete);
        assert_eq!(told.exports[1], (b"MULTI".to_vec(), b"a\nb".to_vec()));
        assert_eq!(told.functions[0].0, "gs");
        assert_eq!(told.aliases, [("ll".into(), b"ls -l".to_vec())]);
        assert_eq!(told.options, ["nullglob"]);
        assert!(!read(b"B\0EA=b\0").complete);
        assert!(!read(b"").begun);
    }
}
