// Made by `./x types` from the Rust types of policy-core; do not edit.
// Spans are UTF-16 offsets here: `command.slice(...span)` is the text meant.

/**
 * One question: a command, the facts around it, and rules for it alone.
 *
 * Read from JSON, unknown keys are refused by name (`request`).
 */
export interface Request {
  /** The command text. */
  command: string;
  /** Absolute working directory of the command. */
  cwd?: string;
  /** Absolute workspace roots. */
  workspace?: string | string[];
  /** Absolute home directory. */
  home?: string;
  /** The operating system; default Linux. */
  platform?: Platform;
  /** The shell that will run the text; default bash. */
  shell?: Shell;
  /** How freely commands may run; default `build`. */
  mode?: Mode;
  /** Who is asking; default `main`. */
  session?: Session;
  /** Nobody is there to answer: what would ask is denied. */
  unattended?: boolean;
  /** What is known of the repository at `cwd`. */
  git?: GitFacts;
  /** The sandbox the executor would use. */
  sandbox?: SandboxFacts;
  /**
   * Whether the host applies the verdict's `conditions.env` to what it runs; default true for our
   * executor, false when left out by another host.
   */
  canApplyConditions?: boolean;
  /** Turn the network effect of services' own reading verbs (`gh pr list`) into a question. */
  askNetwork?: boolean;
  /** Allow reading sensitive paths without a question. */
  allowSensitiveReads?: boolean;
  /** Which analysis; default deep. */
  analysis?: Analysis;
  /** Allowed. */
  allow?: string[];
  /** Asked about. */
  ask?: string[];
  /** Denied. */
  deny?: string[];
  /** What a hook of the host said, if one was asked. */
  hook?: Decision;
  /** Answers to prompt rules asked before: question id to "it matches". */
  answers?: Record<string, boolean>;
}

/** The configuration of a policy. Unknown keys are refused. */
export interface PolicyConfig {
  /** The administrator's rules: their deny and ask cannot be loosened, not even by a hook. */
  managed?: LayerConfig;
  /** Rules of this call (the command line, the session). */
  commandLine?: LayerConfig;
  /** The git-ignored file beside the project's. */
  local?: LayerConfig;
  /** The project's file. */
  project?: LayerConfig;
  /** The user's own file. */
  user?: LayerConfig;
  /** Rules of other tools, a set for each of their files. The strictest answer of all sets and rules holds. */
  ruleSets?: RuleSet[];
  /** Defaults for requests that leave them out. */
  settings?: Settings;
  /** Specs of commands that are not known, or are known otherwise, in the format of the built-in ones. */
  commands?: unknown[];
}

/** What the host has and how it is set up; the text follows from it. */
export interface Tools {
  /** The shell that runs the commands. */
  shell?: Shell;
  /** Default time limit in milliseconds; 0 stands for 120,000. */
  defaultTimeout?: number;
  /** Largest time limit in milliseconds; 0 stands for 600,000. */
  maxTimeout?: number;
  /** The name of the host's own tool to find files, if it has one. */
  glob?: string;
  /** The host has a tool to search in files. */
  grep?: string;
  /** The host has a tool to read files. */
  read?: string;
  /** The host has a tool to edit files. */
  edit?: string;
  /** The host has a tool to write files. */
  write?: string;
  /** Commands may go to the background. */
  background?: boolean;
  /** Commands run in a sandbox. */
  sandbox?: boolean;
  /** A command may ask to leave it. */
  mayLeaveSandbox?: boolean;
}

/** The operating system. */
export type Platform =
  /** Linux. */
  | "linux"
  /** macOS. */
  | "macos"
  /** macOS. */
  | "darwin"
  /** Windows. */
  | "windows"
  /** Windows. */
  | "win32";

/** The shell that runs the text. */
export type Shell =
  /** GNU bash. */
  | "bash"
  /** Z shell. */
  | "zsh"
  /** A POSIX shell (dash, busybox sh). */
  | "sh";

/** How freely commands may run. The common names of other tools are accepted. */
export type Mode =
  /** Only reading. */
  | "plan"
  /** Reading is free, everything else asks. */
  | "build"
  /** Reading is free, everything else asks. */
  | "default"
  /** Reading is free, everything else asks. */
  | "manual"
  /** Also file operations inside the workspace. */
  | "edit"
  /** Also file operations inside the workspace. */
  | "acceptEdits"
  /** Everything but deny, ask and managed rules. */
  | "yolo"
  /** Everything but deny, ask and managed rules. */
  | "bypassPermissions"
  /** Everything but deny, ask and managed rules. */
  | "bypass"
  /** As build, but what would ask is denied. */
  | "dontAsk";

/** Who is asking. */
export type Session =
  /** The main conversation. */
  | "main"
  /** A helper of it. */
  | "subagent"
  /** Work done while nobody waits. */
  | "idle";

/** On the wire: `GitState | { state: GitState; executingKeys?: string[] }`. */
export type GitFacts = GitState | { state: GitState; executingKeys?: string[] };

/** The sandbox. */
export interface SandboxFacts {
  /** A sandbox was probed and works. */
  available?: boolean;
  /** It is switched on. */
  enabled?: boolean;
  /** Commands that run inside it need no question. */
  autoAllow?: boolean;
  /** Commands that run outside it: exact, `prefix:*` or wildcard. */
  excluded?: string[];
  /** The call asked to leave the sandbox. */
  disabledByCall?: boolean;
}

/** Which analysis decides what is permission-safe. */
export type Analysis =
  /** Only lists, and-or lists and pipelines of static words. */
  | "strict"
  /** Follows compound commands, substitutions and known variables. */
  | "deep";

/** The answer for a command or a part of it. Parts combine by `max`. */
export type Decision =
  /** It may run without a question. */
  | "allow"
  /** A person (or hook) has to say yes. */
  | "ask"
  /** It must not run. */
  | "deny";

/** The rules of one layer. */
export interface LayerConfig {
  /** Allowed. */
  allow?: RuleEntry[];
  /** Asked about. */
  ask?: RuleEntry[];
  /** Denied. */
  deny?: RuleEntry[];
}

/** The rules of one file of another tool. */
export interface RuleSet {
  /** The tool it comes from: `claude`, `codex`, `gemini`, `opencode`, `vscode` or another word. */
  vendor: string;
  /** The file it comes from, for people. */
  file: string;
  /** Where it counts; default the user's rules. */
  layer?: Layer;
  /** Which of the rules that match decides. */
  resolution: Resolution;
  /** What an assignment in front of a command (`A=1 npm test`) does; default strip. */
  assignments?: Assignments;
  /** Its allow rules count only in a text of plain words joined by `&&`, `||`, `;` and `|`. */
  plainOnly?: boolean;
  /** The text as a whole is tried too, and a stricter answer for it counts. */
  wholeText?: boolean;
  /** Its allow rules never count: a project's file that nobody has trusted. */
  tightenOnly?: boolean;
  /** Commands (first word, then words that have to be among the rest) that only an allow rule without a wildcard may allow. */
  exactOnly?: string[][];
  /** Paths by which a command is the program of that name. */
  executables?: Record<string, string[]>;
  /** The rules, in the order of the file. */
  rules: SetRule[];
}

/** Defaults for requests that leave these keys out. */
export interface Settings {
  /** How freely commands may run; default build. */
  mode?: Mode;
  /** Which analysis; default deep. */
  analysis?: Analysis;
  /** Ask about the reading verbs of services (`gh pr list`). */
  askNetwork?: boolean;
  /** Allow reading sensitive paths without a question. */
  allowSensitiveReads?: boolean;
}

/** The state of the repository. */
export type GitState =
  /** An ordinary repository of the user. */
  | "trusted"
  /** A repository whose shape could redirect git (bare inside a work tree, foreign gitdir). */
  | "suspicious"
  /** Nobody looked. */
  | "unknown"
  /** No repository. */
  | "none";

/** A rule: its text alone, or with details. */
export type RuleEntry =
  /** The text. */
  | string
  /** The text and more. */
  | RuleDetails;

/** Where a rule comes from, the strongest first. */
export type Layer =
  /** The administrator of the machine. */
  | "managed"
  /** This call. */
  | "commandLine"
  /** The git-ignored file beside the project's. */
  | "local"
  /** The project's file. */
  | "project"
  /** The user's own file. */
  | "user";

/** Which of the rules that match decides. */
export type Resolution =
  /** The strictest: deny over ask over allow, wherever they stand. */
  | "strictest"
  /** The one of the greatest priority; of equal ones the first. */
  | "priority"
  /** The last in the file. */
  | "lastMatch";

/** What an assignment in front of a command does to the rules of a set. */
export type Assignments =
  /** Allow rules see the command without harmless ones, deny and ask rules without any. */
  | "strip"
  /** It is part of the text. */
  | "keep"
  /** No allow rule counts. */
  | "never";

/** One rule of a set. */
export interface SetRule {
  /** As written in its file, for people. */
  rule: string;
  /** What it decides. */
  decision: Decision;
  /** What it matches. */
  match: SetMatch;
  /** Its line in the file, from 1; 0 when not known. */
  line?: number;
  /** Its column, from 1; 0 when not known. */
  column?: number;
  /** For the resolution `priority`: the greater comes first. */
  priority?: number;
  /** Why it is there; shown with the verdict. */
  justification?: string;
  /** The modes in which it counts; all when empty. */
  modes?: Mode[];
  /** It is matched on the whole text instead of each command. */
  wholeLine?: boolean;
}

/** A rule with its details. */
export interface RuleDetails {
  /** The rule text. */
  rule: string;
  /** Why it is there; shown with the verdict. */
  justification?: string;
  /** Commands it must match; checked when the policy is made. */
  match?: string[];
  /** Commands it must not match; checked when the policy is made. */
  noMatch?: string[];
}

/** What a rule of a set matches. */
export type SetMatch =
  /** The whole text of a command, `*` any text; a trailing ` *` may be missing. */
  | { glob: string }
  /** The same, and `?` is any character. */
  | { wild: string }
  /** The first words, each one of these. */
  | { words: string[][] }
  /** A regular expression looked for in the text of a command; `(?i)` may stand first. */
  | { regex: string }
  /** A regular expression looked for in `{"command":"…"}`, the text of the command as a JSON string. */
  | { json: string };

/** The answer. */
export interface Verdict {
  /** allow, ask or deny. */
  decision: Decision;
  /** The reason that decided. */
  reason: Reason;
  /** What the command as a whole may do. */
  capability: Capability;
  /** How the text was read. */
  parse: Parse;
  /** Every invocation that would run, nested ones too, in the order of the text. */
  commands: CommandVerdict[];
  /** Rules that "always allow" would store. */
  suggestions: Suggestion[];
  /** Under which circumstances the verdict holds. */
  conditions: Conditions;
  /** Prompt rules that a classifier of the host may answer. */
  questions: Question[];
}

/** The invocations of a text. */
export interface ParseReport {
  /** How the text was read. */
  parse: Parse;
  /** What is wrong with it, when something is. */
  fault?: Reason;
  /** In the order of the text. */
  invocations: InvocationReport[];
  /** Redirects that belong to no single invocation. */
  redirects: RedirectReport[];
  /** What makes the text not permission-safe. */
  hazards: HazardReport[];
}

/** Why a command is answered as it is, part by part. */
export interface Explanation {
  /** The command. */
  command: string;
  /** The answer. */
  decision: Decision;
  /** The reason that decided. */
  reason: Reason;
  /** How the text was read. */
  parse: Parse;
  /** Parts with a reason of their own, by place. */
  spans: ExplainedSpan[];
}

/** Why. */
export interface Reason {
  /** One of the closed list. */
  code: Code;
  /** One line in words. */
  message: string;
  /** Where in the command. */
  span: Span;
  /** The rule that decided, as written. */
  rule: string | null;
  /** Where that rule was written, when it is one of another tool's file. */
  from?: Origin;
}

/** What the command as a whole may do. */
export interface Capability {
  /** It only reads. */
  readOnly: boolean;
  /** It needs a yes. */
  needsApproval: boolean;
  /** low, medium or high. */
  riskLevel: RiskLevel;
  /** How far its effects reach. */
  sideEffectScope: SideEffectScope;
}

/** How the text was read. */
export interface Parse {
  /** ok, error, tooLong or tooComplex. */
  status: ParseStatus;
  /** Its parts may be judged one by one. */
  permissionSafe: boolean;
  /** Constructs that the chosen analysis does not follow, as slugs. */
  unsupported: string[];
  /** The text ended inside a quote, a substitution or a compound command. */
  incomplete?: boolean;
}

/** One invocation, judged. */
export interface CommandVerdict {
  /** Its source. */
  text: string;
  /** Its words; `null` for a word that is only known when it runs. */
  argv: (string | null)[];
  /** Where it stands. */
  span: Span;
  /** It only reads. */
  readOnly: boolean;
  /** What it is for. */
  kind: Kind;
  /** Which effects it has, a set. */
  effects: Effect[];
  /** What the effects fall on, where known. */
  targets?: Target[];
  /** The answer for it alone. */
  decision: Decision;
  /** Why. */
  reason: Reason;
  /** The normalised texts that rules were matched on. */
  subjects?: string[];
}

/** A rule that could be stored. */
export interface Suggestion {
  /** The rule text. */
  rule: string;
  /** prefix or exact. */
  scope: SuggestionScope;
  /** Indices into `commands` that it would allow. */
  covers: number[];
}

/** Under which circumstances the verdict holds. */
export interface Conditions {
  /** Environment variables that must be set for the command. */
  env: Record<string, string>;
}

/** A prompt rule that may match; the host's classifier answers by id. */
export interface Question {
  /** Stable for the rule and command. */
  id: string;
  /** The words of the rule. */
  prompt: string;
  /** What a yes would decide. */
  decision: Decision;
}

/** One invocation. */
export interface InvocationReport {
  /** Its source. */
  text: string;
  /** Where it stands. */
  span: Span;
  /** Its words after expansion. */
  argv: WordReport[];
  /** Assignments before it. */
  assignments: AssignmentReport[];
  /** Its redirects. */
  redirects: RedirectReport[];
  /** What stands before it: `start`, `sequence`, `and`, `or`, `pipe`, `pipeBoth`, `background`. */
  connector: string;
  /** Where in the structure: `top`, `compound`, `substitution`, `wrapped`, `script`. */
  site: string;
  /** The invocation it is nested in, by position. */
  parent?: number;
  /** Wrappers that were looked through, outermost first. */
  wrappers: string[];
  /** The working directory where it is known to have changed; `null` when it is not known. */
  cwd: string | null;
}

/** A redirect. */
export interface RedirectReport {
  /** `read`, `write`, `nothing` or `network`. */
  kind: string;
  /** File or host; none for `nothing`. */
  target?: WordReport;
  /** Operator and target. */
  span: Span;
}

/** A hazard. */
export interface HazardReport {
  /** Its reason code. */
  code: Code;
  /** The offending text, short. */
  what: string;
  /** Where. */
  span: Span;
}

/** A part of the command and what is said of it. */
export interface ExplainedSpan {
  /** Where. */
  span: Span;
  /** `command`, `redirect`, `hazard` or `text` (all of it). */
  part: string;
  /** The answer for it. */
  decision: Decision;
  /** Why. */
  reason: Reason;
  /** What a command is for. */
  kind?: Kind;
  /** Which effects a command has. */
  effects?: Effect[];
  /** The texts that rules are matched on. */
  subjects?: string[];
}

/** Why a verdict is what it is: the closed list of reason codes. */
export type Code =
  /** the text is not complete, valid shell */
  | "parse.error"
  /** the two readers see different commands in the text */
  | "parse.readers-disagree"
  /** the text has more characters than are read */
  | "parse.too-long"
  /** the text has more parts, or deeper ones, than are read */
  | "parse.too-complex"
  /** there is no command in the text */
  | "parse.empty"
  /** the strict analysis does not follow this construct */
  | "shell.unsupported"
  /** the strict analysis does not accept an expansion here */
  | "shell.dynamic"
  /** which command runs is only known when it runs */
  | "shell.dynamic-command"
  /** text that is not known is run as code */
  | "shell.eval-unknown"
  /** arithmetic may run code held in a value */
  | "shell.arithmetic-eval"
  /** this expansion evaluates the value of a variable */
  | "shell.expansion-eval"
  /** a function is defined, so later names may mean something else */
  | "shell.function-definition"
  /** a name is given another meaning */
  | "shell.shadowing"
  /** a variable is set that changes what later commands run */
  | "shell.env-persist"
  /** a shell option is set that changes how later text is read or run */
  | "shell.option"
  /** code is registered to run later */
  | "shell.deferred-exec"
  /** a coprocess is started */
  | "shell.coproc"
  /** where a redirect goes is only known when it runs */
  | "shell.dynamic-redirect"
  /** this syntax is not followed */
  | "shell.opaque"
  /** the text holds control, bidirectional or invisible characters */
  | "shell.hidden-character"
  /** wrappers or scripts are nested too deep */
  | "shell.too-deep"
  /** the text makes more words or commands than are followed */
  | "shell.too-many"
  /** nothing is known of this command */
  | "command.unknown"
  /** the command is named by a path, so it need not be the tool of that name */
  | "command.by-path"
  /** this subcommand is not known to be read-only */
  | "command.subcommand"
  /** this option is not known to be harmless */
  | "command.flag"
  /** this option writes, executes or connects */
  | "command.flag-effect"
  /** this option does not take such a value */
  | "command.flag-value"
  /** this operand is not one that is known to be harmless */
  | "command.operand"
  /** a word that is only known when it runs could be an option that acts */
  | "command.unknown-word"
  /** the command changes something */
  | "command.effect"
  /** the command's own program (sed, awk, jq, …) acts or cannot be followed */
  | "command.script"
  /** a variable before the command may change what it runs */
  | "command.assignment"
  /** the command runs with other rights */
  | "command.privileged"
  /** git may run code of the repository here */
  | "command.git"
  /** the command talks to another machine */
  | "command.network"
  /** a UNC path names another machine */
  | "command.unc"
  /** output is written to a file */
  | "redirect.write"
  /** a redirect opens a connection */
  | "redirect.network"
  /** a path that holds credentials is read */
  | "path.sensitive"
  /** a path that gains execution later is written */
  | "path.protected"
  /** a path whose loss cannot be mended is removed */
  | "path.critical"
  /** a deny rule matches */
  | "rule.deny"
  /** an ask rule matches */
  | "rule.ask"
  /** allow rules cover every part that is not read-only */
  | "rule.allow"
  /** an allow rule equals the whole command */
  | "rule.exact"
  /** no rule allows it and it is not known to be read-only */
  | "rule.none"
  /** while planning only reading is allowed */
  | "mode.plan"
  /** file operations inside the workspace are allowed in edit mode */
  | "mode.edit"
  /** checks are skipped in this mode */
  | "mode.yolo"
  /** nobody is there to answer, so what would ask is denied */
  | "mode.unattended"
  /** a hook of the host decided */
  | "hook.answer"
  /** it runs inside the sandbox */
  | "sandbox.auto-allow"
  /** a prompt rule was answered */
  | "prompt.answer"
  /** every part only reads */
  | "read-only"
  /** a service's own reading command, and the setting asks for those */
  | "network-read"
  /** the engine failed, so the careful answer is given */
  | "engine.fault"
  /** the request could not be read */
  | "request.invalid";

/** On the wire: `[start: number, end: number]`. */
export type Span = [start: number, end: number];

/** Where a rule was written. */
export interface Origin {
  /** The file. */
  file: string;
  /** Its line, from 1; 0 when not known. */
  line: number;
  /** Its column, from 1; 0 when not known. */
  column: number;
}

/** How much may go wrong. */
export type RiskLevel =
  /** It only reads. */
  | "low"
  /** Known file operations inside the workspace. */
  | "medium"
  /** Everything else. */
  | "high";

/** How far effects reach. */
export type SideEffectScope =
  /** None. */
  | "none"
  /** Files of the workspace. */
  | "workspace"
  /** Other machines, reading only. */
  | "network"
  /** Anything. */
  | "system";

/** See `status`. */
export type ParseStatus =
  /** Read whole. */
  | "ok"
  /** Not valid, or the readers disagree. */
  | "error"
  /** Too many characters. */
  | "tooLong"
  /** Too many or too deep parts. */
  | "tooComplex";

/** What a command is for; also gives the display class. */
export type Kind =
  /** Finds things: find, grep, rg, fd, which. */
  | "search"
  /** Shows contents: cat, head, jq. */
  | "read"
  /** Lists: ls, tree, du. */
  | "list"
  /** No effect worth a word: echo, true, cd. */
  | "neutral"
  /** Makes, moves or removes files: mv, cp, rm, mkdir. */
  | "fileOp"
  /** Version control. */
  | "vcs"
  /** Builds, tests, formats. */
  | "build"
  /** Package managers. */
  | "package"
  /** Talks to other machines. */
  | "network"
  /** Processes: ps, kill. */
  | "process"
  /** The machine: systemctl, uname, mount. */
  | "system"
  /** Containers and clusters. */
  | "container"
  /** Cloud services and code hosts. */
  | "cloud"
  /** Databases. */
  | "database"
  /** Interpreters and shells. */
  | "interpreter"
  /** Starts another command. */
  | "wrapper"
  /** Not known. */
  | "unknown";

/** One kind of effect. The set is closed. */
export type Effect =
  /** Reads a file or folder. */
  | "read"
  /** Creates or changes a file or folder. */
  | "write"
  /** Removes a file or folder. */
  | "delete"
  /** Talks to another machine. */
  | "network"
  /** Starts a program that is not named as a command of its own in the text, or project code. */
  | "exec"
  /** Signals, waits for or changes other processes. */
  | "process"
  /** Changes the machine or the shell itself: clock, users, services, limits, shell options. */
  | "system";

/** What an effect falls on. */
export interface Target {
  /** Which effect. */
  effect: Effect;
  /** The path or host. */
  target: string;
  /** Where a path lies. */
  place?: Place;
}

/** How wide a suggested rule is. */
export type SuggestionScope =
  /** `prefix:*` */
  | "prefix"
  /** The whole command, letter for letter. */
  | "exact";

/** A word. */
export interface WordReport {
  /** `exact`, `oneOf`, `prefix`, `unknown` (one argument) or `many` (any number). */
  kind: string;
  /** The value, the values, or the text it begins with. */
  values: string[];
  /** Its source. */
  span: Span;
}

/** An assignment. */
export interface AssignmentReport {
  /** The variable. */
  name: string;
  /** What is assigned. */
  value: WordReport;
}

/** Where a path lies, by the facts of the request. */
export type Place =
  /** Under a workspace root. */
  | "inside"
  /** Elsewhere, or not known to be inside. */
  | "outside"
  /** Holds credentials (`~/.ssh`, `.env`, `/proc/* /environ`, …): reading it is not free. */
  | "sensitive"
  /** Gains execution later (shell rc files, `.git/hooks`, CI files, …): writing it always asks. */
  | "protected"
  /** A path whose loss cannot be mended (`/`, home, a workspace root, …). */
  | "critical";
