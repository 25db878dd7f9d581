//! What the reader makes of texts: hand-judged trees in a compact notation, checked against the manual and real bash.
//!
//! `dump` writes a tree: words as they are, `'…'` for quoted text, `"…"` for double quotes, `$(…)` and `<(…)` with the list inside,
//! `$name`, `{name op parts}` for expansions; items end in `;` or `&`, heredoc bodies follow their operator in `«…»`.

mod dump;
mod faults;
mod table;
mod zsh;
