//! The arguments, as clap reads them. Help texts are the documentation of each flag.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use policy_core::{Analysis, facts::Mode};

/// With the module that judges, so that two hosts can be seen to use the same.
const VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\nmodule sha256 ",
    env!("PORTCULLIS_MODULE")
);

/// Understands a shell command before it runs, decides allow, ask or deny and says why; runs it well.
#[derive(Parser, Debug)]
#[command(name = "portcullis", version, long_version = VERSION, max_term_width = 100)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(super) enum Verb {
    /// Judge a command: status 0 allow, 3 ask, 4 deny, 2 bad usage or configuration, 1 internal fault
    Check(CheckArgs),
    /// Show the command with each part marked, and the reason for each in words
    Explain(JudgeArgs),
    /// Print the rules that "always allow" would store, one a line
    Suggest(JudgeArgs),
    /// Print the invocations as the policy sees them
    Parse(ParseArgs),
    /// Judge a command and run it: its own status, 126 when refused, 127 when the shell cannot be started
    Run(RunArgs),
    /// Background tasks: list them, read their output, stop one
    Tasks(TasksArgs),
    /// The rules that count; add and remove rules
    Rules(RulesArgs),
    /// Where configuration is, what it amounts to, and its JSON Schema
    Config(ConfigArgs),
    /// Judge past commands: agents' transcripts, histories, lists; say which few rules would save most questions
    Replay(ReplayArgs),
    /// Print a completion script
    Completions(CompletionsArgs),
}

/// What every judging sub-command takes.
#[derive(Args, Debug, Clone)]
pub(super) struct PolicyArgs {
    /// How freely commands may run
    #[arg(long, value_name = "MODE")]
    pub(super) mode: Option<ModeName>,
    /// Which analysis decides what is judged part by part
    #[arg(long, value_name = "ANALYSIS")]
    pub(super) analysis: Option<AnalysisName>,
    /// An allow rule for this call; may be given again
    #[arg(long, value_name = "RULE")]
    pub(super) allow: Vec<String>,
    /// An ask rule for this call; may be given again
    #[arg(long, value_name = "RULE")]
    pub(super) ask: Vec<String>,
    /// A deny rule for this call; may be given again
    #[arg(long, value_name = "RULE")]
    pub(super) deny: Vec<String>,
    /// The working directory of the command
    #[arg(long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
    /// A workspace root, by default the repository's; may be given again
    #[arg(long, value_name = "DIR")]
    pub(super) workspace: Vec<PathBuf>,
    /// Nobody is there to answer: what would ask is denied
    #[arg(long)]
    pub(super) unattended: bool,
    /// Use this file in place of the project's and the user's own
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub(super) config: Option<PathBuf>,
    /// Use no configuration file but a managed one
    #[arg(long)]
    pub(super) no_config: bool,
    /// What judges: the module every host uses, or the same code compiled in
    #[arg(long, value_enum, default_value_t)]
    pub(super) engine: EngineName,
}

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
    /// Print the verdict as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Judge JSON lines from stdin ({"id"?, "command", rules and facts of the context}), print one verdict a line
    #[arg(long, conflicts_with_all = ["json", "command"])]
    pub(super) batch: bool,
    #[command(flatten)]
    pub(super) command: CommandArg,
}

#[derive(Args, Debug)]
pub(super) struct JudgeArgs {
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) command: CommandArg,
}

#[derive(Args, Debug)]
pub(super) struct ParseArgs {
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) command: CommandArg,
}

#[derive(Args, Debug)]
pub(super) struct RunArgs {
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
    /// Print the result as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Answer yes to a question; a denial stays one
    #[arg(long)]
    pub(super) yes: bool,
    /// Start it as a background task
    #[arg(long)]
    pub(super) background: bool,
    /// Give it what is on stdin; otherwise its input is closed
    #[arg(long)]
    pub(super) stdin: bool,
    /// End it after so many milliseconds; otherwise it has no limit
    #[arg(long, value_name = "MS")]
    pub(super) timeout: Option<u64>,
    #[command(flatten)]
    pub(super) command: CommandArg,
}

/// The command.
#[derive(Args, Debug)]
pub(super) struct CommandArg {
    /// The command, one string; `-` reads it from stdin. Several words are joined only where that cannot change their
    /// meaning
    #[arg(value_name = "COMMAND")]
    pub(super) command: Vec<String>,
}

#[derive(Args, Debug)]
pub(super) struct ConfigArgs {
    #[command(subcommand)]
    pub(super) verb: ConfigVerb,
}

#[derive(Subcommand, Debug)]
pub(super) enum ConfigVerb {
    /// Print the places where configuration is looked for, the strongest first
    Path(PolicyArgs),
    /// Print what the configuration amounts to, as JSON
    Show(PolicyArgs),
    /// Print the JSON Schema of portcullis.toml
    Schema,
    /// Trust a project's file as it is now: its allow rules count until a byte of it changes
    Trust {
        /// The file
        file: PathBuf,
    },
}

#[derive(Args, Debug)]
pub(super) struct ReplayArgs {
    #[command(flatten)]
    pub(super) policy: PolicyArgs,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Most rows of rules
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(super) most: usize,
    /// JSON-lines transcripts of Claude Code or Codex, JSON lines with a `command`, shell histories, or commands, one a line
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct TasksArgs {
    #[command(subcommand)]
    pub(super) verb: TasksVerb,
}

#[derive(Subcommand, Debug)]
pub(super) enum TasksVerb {
    /// Print the tasks, one a line
    List {
        /// Print JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Print a task's output
    Output {
        /// The task's id
        id: String,
        /// Wait for its end
        #[arg(long)]
        block: bool,
        /// How long to wait at most, in milliseconds
        #[arg(long, value_name = "MS", default_value_t = 30_000)]
        timeout: u64,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// End a task with all it started
    Stop {
        /// The task's id
        id: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
pub(super) struct RulesArgs {
    #[command(subcommand)]
    pub(super) verb: RulesVerb,
}

#[derive(Subcommand, Debug)]
pub(super) enum RulesVerb {
    /// Print every rule that counts, the strongest layer first
    List {
        #[command(flatten)]
        policy: PolicyArgs,
        /// Print JSON lines
        #[arg(long)]
        json: bool,
    },
    /// Print rules that do not do what they look like, with what to do: status 1 when there are any
    Lint {
        #[command(flatten)]
        policy: PolicyArgs,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Add a rule to a file; comments and order stay
    Add {
        /// Which list
        list: ListName,
        /// The rule: exact, `prefix:*`, or with `*`
        rule: String,
        /// Why it is there
        #[arg(long, value_name = "WORDS")]
        because: Option<String>,
        /// Which file
        #[arg(long, value_enum, default_value_t)]
        file: FileName,
    },
    /// Take over the rules of Claude Code, Codex, Gemini CLI, OpenCode or VS Code: status 1 when a rule that denies or
    /// asks cannot be kept
    Import(ImportArgs),
    /// Remove a rule from a file
    Remove {
        /// Which list
        list: ListName,
        /// The rule as it is written
        rule: String,
        /// Which file
        #[arg(long, value_enum, default_value_t)]
        file: FileName,
    },
}

#[derive(Args, Debug)]
pub(super) struct ImportArgs {
    /// Whose rules; with files whose names do not tell, exactly one; may be given again
    #[arg(long, value_name = "TOOL")]
    pub(super) from: Vec<VendorName>,
    /// Show what would be imported and what could not, and write nothing
    #[arg(long)]
    pub(super) check: bool,
    /// Write what was found without a question
    #[arg(long)]
    pub(super) yes: bool,
    /// Go on without the rules that cannot be kept, also those that deny or ask
    #[arg(long)]
    pub(super) partial: bool,
    /// Into which file; by default the user's, for a project's file the project's
    #[arg(long, value_enum)]
    pub(super) file: Option<FileName>,
    /// Print JSON lines, one a file
    #[arg(long)]
    pub(super) json: bool,
    /// Their files; without any, those in the usual places
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VendorName {
    /// settings.json
    Claude,
    /// *.rules
    Codex,
    /// policies/*.toml, settings.json
    Gemini,
    /// opencode.json, opencode.jsonc
    #[value(name = "opencode")]
    OpenCode,
    /// settings.json
    #[value(name = "vscode")]
    VsCode,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ListName {
    /// Runs without a question
    Allow,
    /// Asks
    Ask,
    /// Never runs
    Deny,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum FileName {
    /// The user's own
    #[default]
    User,
    /// The project's
    Project,
    /// The git-ignored one beside the project's
    Local,
}

#[derive(Args, Debug)]
pub(super) struct CompletionsArgs {
    /// For which shell
    pub(super) shell: clap_complete::Shell,
}

/// The names of modes, with those that other tools use.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ModeName {
    /// Only reading
    Plan,
    /// Reading is free, everything else asks
    #[value(aliases = ["default", "manual"])]
    Build,
    /// Also file operations inside the workspace
    #[value(alias = "acceptEdits")]
    Edit,
    /// Everything but deny, ask and managed rules
    #[value(aliases = ["bypassPermissions", "bypass"])]
    Yolo,
    /// As build, but what would ask is denied
    #[value(name = "dontAsk")]
    DontAsk,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Plan => Self::Plan,
            ModeName::Build => Self::Build,
            ModeName::Edit => Self::Edit,
            ModeName::Yolo => Self::Yolo,
            ModeName::DontAsk => Self::DontAsk,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnalysisName {
    /// Only lists and pipelines of plain words
    Strict,
    /// Follows compound commands, substitutions and known variables
    Deep,
}

impl From<AnalysisName> for Analysis {
    fn from(name: AnalysisName) -> Self {
        match name {
            AnalysisName::Strict => Self::Strict,
            AnalysisName::Deep => Self::Deep,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum EngineName {
    /// The WebAssembly module
    #[default]
    Wasm,
    /// Compiled in
    Native,
}
