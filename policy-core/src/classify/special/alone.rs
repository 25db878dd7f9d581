//! Commands that show or run more when nothing follows them: `set` alone prints every variable, secrets too.

use alloc::{format, vec::Vec};

use crate::{
    classify::{called, check::CheckInput, model::Why},
    diagnostic::Code,
    effect::Touch,
};

/// Refuses the command without any word.
pub(super) fn not_alone(input: &CheckInput<'_>) -> Result<Vec<Touch>, Why> {
    if input.invocation.argv.len() > 1 {
        return Ok(Vec::new());
    }
    Err(Why {
        code: Code::CommandOperand,
        message: format!(
            "`{}` alone prints every variable, which may hold secrets",
            called(input.invocation, input.parsed)
        ),
        span: input.invocation.span,
    })
}
