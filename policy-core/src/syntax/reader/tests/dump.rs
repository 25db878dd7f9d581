//! A tree as one line of text.

use alloc::{format, string::String, vec::Vec};

use crate::syntax::ast::{
    AndOrOp, ArithText, AssignValue, Assignment, Command, CompoundKind, CondToken, Descriptor,
    Param, ParamOp, Part, Pipeline, Redirect, RedirectOp, Script, Simple, Word,
};

pub(super) fn script(script: &Script) -> String {
    let items: Vec<String> = script
        .items
        .iter()
        .map(|item| {
            let mut text = pipeline(&item.and_or.first);
            for (op, next) in &item.and_or.rest {
                text += if *op == AndOrOp::And { " && " } else { " || " };
                text += &pipeline(next);
            }
            text + if item.background { " &" } else { "" }
        })
        .collect();
    items.join(" ; ")
}

fn pipeline(pipeline: &Pipeline) -> String {
    let mut text = String::new();
    for _ in 0..pipeline.bangs {
        text += "! ";
    }
    if pipeline.timed {
        text += "time ";
    }
    for (at, stage) in pipeline.stages.iter().enumerate() {
        if at > 0 {
            text += if stage.stderr_too { " |& " } else { " | " };
        }
        text += &command(&stage.command);
    }
    text
}

fn command(command_: &Command) -> String {
    match command_ {
        Command::Simple(one) => simple(one),
        Command::Compound(compound) => kind(&compound.kind) + &redirects(&compound.redirects),
        Command::Function(function) => format!("fn {} {}", function.name, command(&function.body)),
        Command::Coproc(inner, _) => format!("coproc {}", command(inner)),
    }
}

fn simple(simple: &Simple) -> String {
    let mut all: Vec<String> = simple.assignments.iter().map(assignment).collect();
    all.extend(simple.words.iter().map(word));
    format!("({}{})", all.join(" "), redirects(&simple.redirects))
}

fn assignment(one: &Assignment) -> String {
    let subscript = one
        .subscript
        .as_ref()
        .map(|text| format!("[{}]", arith(text)))
        .unwrap_or_default();
    let op = if one.append { "+=" } else { "=" };
    let value = match &one.value {
        AssignValue::Word(value) => word(value),
        AssignValue::Array(values) => format!("[{}]", words(values)),
    };
    format!("{}{subscript}{op}{value}", one.name)
}

fn redirects(all: &[Redirect]) -> String {
    let mut text = String::new();
    for one in all {
        text += " ";
        match &one.descriptor {
            Some(Descriptor::Number(number)) => text += &format!("{number}"),
            Some(Descriptor::Variable(name)) => text += &format!("{{{name}}}"),
            None => {}
        }
        text += match one.op {
            RedirectOp::Read => "<",
            RedirectOp::Write => ">",
            RedirectOp::Append => ">>",
            RedirectOp::Clobber => ">|",
            RedirectOp::ReadWrite => "<>",
            RedirectOp::DupInput => "<&",
            RedirectOp::DupOutput => ">&",
            RedirectOp::WriteBoth => "&>",
            RedirectOp::AppendBoth => "&>>",
            RedirectOp::HereDoc => "<<",
            RedirectOp::HereDocTabs => "<<-",
            RedirectOp::HereString => "<<<",
        };
        text += &word(&one.target);
        if let Some(document) = &one.heredoc {
            text += &format!("«{}»", parts(&document.parts));
        }
    }
    text
}

fn kind(kind: &CompoundKind) -> String {
    match kind {
        CompoundKind::Subshell(body) => format!("sub[{}]", script(body)),
        CompoundKind::Group(body) => format!("group[{}]", script(body)),
        CompoundKind::If(arms, last) => {
            let mut text = String::from("if");
            for (condition, body) in arms {
                text += &format!("[{}][{}]", script(condition), script(body));
            }
            if let Some(body) = last {
                text += &format!("else[{}]", script(body));
            }
            text
        }
        CompoundKind::While {
            until,
            condition,
            body,
        } => {
            format!(
                "{}[{}][{}]",
                if *until { "until" } else { "while" },
                script(condition),
                script(body)
            )
        }
        CompoundKind::For {
            name,
            words: list,
            body,
            select,
        } => {
            let list = list.as_ref().map_or(String::from("@"), |list| words(list));
            format!(
                "{} {name}[{list}][{}]",
                if *select { "select" } else { "for" },
                script(body)
            )
        }
        CompoundKind::ForArith { expression, body } => {
            format!("for(({}))[{}]", arith(expression), script(body))
        }
        CompoundKind::Case { subject, arms } => {
            let arms: Vec<String> = arms
                .iter()
                .map(|(patterns, body)| format!("[{}: {}]", words(patterns), script(body)))
                .collect();
            format!("case {}{}", word(subject), arms.join(""))
        }
        CompoundKind::Cond(tokens) => {
            let tokens: Vec<String> = tokens
                .iter()
                .map(|token| match token {
                    CondToken::Op(op, _) => format!("<{op}>"),
                    CondToken::Word(operand) => word(operand),
                })
                .collect();
            format!("[[{}]]", tokens.join(" "))
        }
        CompoundKind::Arith(text) => format!("(({}))", arith(text)),
        CompoundKind::Opaque(why) => format!("opaque<{why}>"),
    }
}

fn arith(text: &ArithText) -> String {
    let all: Vec<String> = text
        .parts
        .iter()
        .map(|one| match one {
            Part::Quoted(text, _) => text.clone(),
            other => part(other),
        })
        .collect();
    all.join("")
}

fn words(all: &[Word]) -> String {
    all.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn word(one: &Word) -> String {
    parts(&one.parts)
}

fn parts(all: &[Part]) -> String {
    all.iter().map(part).collect()
}

fn part(one: &Part) -> String {
    match one {
        Part::Literal(text, _) => text.clone(),
        Part::Quoted(text, _) => format!("'{text}'"),
        Part::Double(inside, _) => {
            let inside: String = inside
                .iter()
                .map(|one| match one {
                    Part::Quoted(text, _) => text.clone(),
                    other => part(other),
                })
                .collect();
            format!("\"{inside}\"")
        }
        Part::Param(param) => parameter(param),
        Part::CommandSub(body, _) => format!("$({})", script(body)),
        Part::ProcessSub {
            output,
            script: body,
            ..
        } => format!("{}({})", if *output { ">" } else { "<" }, script(body)),
        Part::Arith(text, _) => format!("$(({}))", arith(text)),
        Part::ExtGlob(inside, _) => format!("glob<{}>", parts(inside)),
        Part::Array(values, _) => format!("[{}]", words(values)),
        Part::Opaque(why, _) => format!("opaque<{why}>"),
    }
}

fn parameter(param: &Param) -> String {
    let subscript = param
        .subscript
        .as_ref()
        .map(|text| format!("[{}]", arith(text)))
        .unwrap_or_default();
    let name = format!("{}{subscript}", param.name);
    match &param.op {
        ParamOp::None => format!("${name}"),
        ParamOp::Length => format!("{{#{name}}}"),
        ParamOp::Indirect => format!("{{!{name}}}"),
        ParamOp::Default(op, inside) => format!("{{{name}{op}{}}}", parts(inside)),
        ParamOp::Pattern(op, inside) => format!("{{{name} {op} {}}}", parts(inside)),
        ParamOp::Slice(text) => format!("{{{name} : {}}}", arith(text)),
        ParamOp::Transform(letter) => format!("{{{name}@{letter}}}"),
        ParamOp::Opaque(inside) => format!("{{{name} opaque {}}}", parts(inside)),
    }
}
