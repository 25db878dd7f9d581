/**
 * Tool calls → permissions, whatever the agent: which calls are shell commands, which facts they carry, what the policy
 * says. The adapters for agent SDKs are thin layers over this.
 *
 * What cannot be understood is never let through: a shell call without a readable command, or one that changes the
 * environment, asks.
 */
import type { Classifier } from "../policy.js";
import type { Context, Decision, Suggestion, Verdict } from "../types.js";

/** What an adapter needs of a `Policy`. */
export interface Judge {
  resolve(command: string, context?: Context, classify?: Classifier): Promise<Verdict>;
}

/** A call of a tool by a model. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
}

/** The answer for a tool call. */
export interface Permission {
  decision: Decision;
  /** One line in words, fit for the model and the user. */
  reason: string;
  /** The command judged; absent for tools that are no shell. */
  command?: string;
  /** Everything the policy said; absent when it was not asked. */
  verdict?: Verdict;
  /** What "always allow" would store. */
  suggestions: Suggestion[];
}

/** What a person is asked. */
export interface AskRequest extends Permission, ToolCall {
  /** Aborted when the answer is no longer wanted. */
  signal?: AbortSignal;
  /** Whether "always" may be offered. */
  canRemember: boolean;
}

/** What a person answers; `always` also stores the suggested rules. */
export type Answer = "allow" | "deny" | "always";

export interface HandlerOptions {
  policy: Judge;
  /** Facts about the world, or how to gather them for one call. */
  context?: Context | ((call: ToolCall) => Context | Promise<Context>);
  /** Names of the tools that run shell commands. Default: {@link SHELL_TOOLS}. */
  shellTools?: readonly string[];
  /** The answer for tools that are no shell; default `ask`. */
  otherTools?: Decision | ((call: ToolCall) => Decision | Promise<Decision>);
  /** Answers prompt rules. */
  classify?: Classifier;
}

export interface AskingOptions extends HandlerOptions {
  /** Asks a person. Without it, what would ask is refused (or left to the SDK's own prompt, where it has one). */
  ask?: (request: AskRequest) => Answer | Promise<Answer>;
  /** Stores rules after "always"; usually `policy.update` and a settings file. */
  remember?: (rules: string[]) => void | Promise<void>;
}

/** The names under which common agents offer a shell. */
export const SHELL_TOOLS: readonly string[] = [
  "Bash",
  "bash",
  "shell",
  "Shell",
  "local_shell",
  "exec_command",
  "run_shell_command",
  "run_in_terminal",
  "run_terminal_cmd",
  "execute_command",
  "run_command",
  "terminal",
];

/** Makes `(tool, input) => permission`. */
export function permissionHandler(options: HandlerOptions): (tool: string, input: unknown) => Promise<Permission> {
  const names = new Set(options.shellTools ?? SHELL_TOOLS);
  return async (tool, input) => {
    const call = { tool, input };
    if (!names.has(tool)) {
      const other = options.otherTools ?? "ask";
      const decision = typeof other === "function" ? await other(call) : other;
      return { decision, reason: `\`${tool}\` is not a shell tool`, suggestions: [] };
    }
    const read = readCall(input);
    if (typeof read === "string") return { decision: "ask", reason: read, suggestions: [] };
    const given = typeof options.context === "function" ? await options.context(call) : (options.context ?? {});
    return judge(options, read, given);
  };
}

/** Judges commands that one call runs, in one shell or several. */
export async function judge(options: HandlerOptions, read: ReadCall, given: Context): Promise<Permission> {
  const context = withCallFacts(given, read);
  // Several commands of one call may share a shell or not, so both readings have to hold.
  const texts = read.commands.length > 1 ? [read.commands.join("\n"), ...read.commands] : read.commands;
  let worst: Permission | undefined;
  for (const command of texts) {
    const verdict = await options.policy.resolve(command, context, options.classify);
    if (worst === undefined || RANK[verdict.decision] > RANK[worst.decision]) {
      worst = { decision: verdict.decision, reason: verdict.reason.message, command, verdict, suggestions: verdict.suggestions };
    }
  }
  if (worst === undefined) return { decision: "ask", reason: "the call holds no command", suggestions: [] };
  if (read.environment && worst.decision === "allow") {
    worst = { ...worst, decision: "ask", reason: "the call sets environment variables, which may change what runs" };
  }
  return worst;
}

const RANK: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 };

/** What a shell tool's input says. */
export interface ReadCall {
  commands: string[];
  directory?: string;
  /** It sets variables of its own. */
  environment: boolean;
  /** It asks to leave the sandbox. */
  unsandboxed: boolean;
}

/** Reads the input of a shell tool; a text says why it cannot be read. */
export function readCall(input: unknown): ReadCall | string {
  if (typeof input === "string") return { commands: [input], environment: false, unsandboxed: false };
  if (typeof input !== "object" || input === null) return "the call has no readable input";
  const fields = input as Record<string, unknown>;
  const commands = readCommands(fields["command"] ?? fields["cmd"] ?? fields["commands"]);
  if (commands === undefined) return "the call has no readable command";
  const directory = ["cwd", "workdir", "working_directory", "dir_path", "directory"]
    .map((key) => fields[key])
    .find((value) => typeof value === "string" && value !== "");
  const environment = [fields["env"], fields["environment"]].some(
    (value) => typeof value === "object" && value !== null && Object.keys(value).length > 0,
  );
  const unsandboxed =
    fields["dangerouslyDisableSandbox"] === true || fields["sandbox_permissions"] === "require_escalated" || fields["with_escalated_permissions"] === true;
  return { commands, environment, unsandboxed, ...(typeof directory === "string" ? { directory } : {}) };
}

function readCommands(value: unknown): string[] | undefined {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value) || value.length === 0 || !value.every((word) => typeof word === "string")) return undefined;
  const words = value as string[];
  // One command as its words (`["git", "log"]`, `["bash", "-lc", "…"]`): quoted, so that each stays one word.
  return [words.map(quote).join(" ")];
}

function quote(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function withCallFacts(given: Context, read: ReadCall): Context {
  let context = given;
  if (read.directory !== undefined) context = { ...context, ...directoryFact(given.cwd, read.directory) };
  if (read.unsandboxed) context = { ...context, sandbox: { ...context.sandbox, disabledByCall: true } };
  return context;
}

/** The directory of a call; one that is relative to an unknown directory is unknown. */
function directoryFact(base: string | undefined, directory: string): Context {
  const absolute = (path: string): boolean => path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
  // The state of the repository was gathered for another directory, so it is unknown here.
  const git = { git: "unknown" } as const;
  if (directory === "." || directory === base) return {};
  if (absolute(directory)) return { cwd: directory, ...git };
  return base === undefined ? git : { cwd: `${base.replace(/\/$/, "")}/${directory}`, ...git };
}

/** Asks a person about what the policy leaves to one; `undefined` when nobody can be asked. */
export async function settle(
  options: AskingOptions,
  call: ToolCall,
  permission: Permission,
  more: { signal?: AbortSignal | undefined; canRemember?: boolean } = {},
): Promise<{ allowed: boolean; always: boolean; asked: boolean }> {
  if (permission.decision === "allow") return { allowed: true, always: false, asked: false };
  if (permission.decision === "deny" || options.ask === undefined) return { allowed: false, always: false, asked: false };
  const canRemember = (more.canRemember ?? true) && permission.suggestions.length > 0;
  const answer = await options.ask({ ...permission, ...call, canRemember, ...(more.signal ? { signal: more.signal } : {}) });
  const always = answer === "always" && canRemember;
  if (always) await options.remember?.(permission.suggestions.map((suggestion) => suggestion.rule));
  return { allowed: answer === "allow" || answer === "always", always, asked: true };
}

/** What a model is told when something did not run. */
export function refusalText(permission: Permission, asked: boolean): string {
  if (permission.decision === "deny") return `Refused by policy: ${permission.reason}`;
  return asked ? `The user said no: ${permission.reason}` : `This needs a yes from the user: ${permission.reason}`;
}
