// The shapes of policy-core/src/wire and policy-core/src/facts.rs, as TypeScript.

/** A stretch of the command text, `[start, end)` in UTF-16 units. */
export type Span = [number, number];
export type Decision = "allow" | "ask" | "deny";
export type Effect = "read" | "write" | "delete" | "network" | "exec" | "process" | "system";
export type Place = "inside" | "outside" | "sensitive" | "protected" | "critical";
export type Analysis = "strict" | "deep";
export type Mode = "plan" | "build" | "edit" | "yolo" | "dontAsk" | "default" | "manual" | "acceptEdits" | "bypassPermissions" | "bypass";
export type Platform = "linux" | "macos" | "windows" | "darwin" | "win32";
export type Shell = "bash" | "zsh" | "sh";
export type Session = "main" | "subagent" | "idle";
export type GitState = "trusted" | "suspicious" | "unknown" | "none";
export type Code = string;
export type Kind = string;

export interface GitFacts { state: GitState; executingKeys?: string[] }
export interface SandboxFacts { available?: boolean; enabled?: boolean; autoAllow?: boolean; excluded?: string[]; disabledByCall?: boolean }

export interface RuleLists { allow?: string[]; ask?: string[]; deny?: string[] }

export interface Facts {
  cwd?: string;
  workspace?: string | string[];
  home?: string;
  platform?: Platform;
  shell?: Shell;
  mode?: Mode;
  session?: Session;
  unattended?: boolean;
  git?: GitState | GitFacts;
  sandbox?: SandboxFacts;
  canApplyConditions?: boolean;
  askNetwork?: boolean;
  allowSensitiveReads?: boolean;
}

export interface Request extends Facts, RuleLists {
  command: string;
  analysis?: Analysis;
  hook?: Decision;
  answers?: Record<string, boolean>;
}
export type Context = Omit<Request, "command">;
export type Config = RuleLists & { [key: string]: unknown };

export interface Verdict {
  decision: Decision;
  reason: Reason;
  capability: Capability;
  parse: Parse;
  commands: CommandVerdict[];
  suggestions: Suggestion[];
  conditions: Conditions;
  questions: Question[];
}
export interface Reason { code: Code; message: string; span: Span; rule: string | null }
export interface Capability {
  readOnly: boolean;
  needsApproval: boolean;
  riskLevel: "low" | "medium" | "high";
  sideEffectScope: "none" | "workspace" | "network" | "system";
}
export interface Parse {
  status: "ok" | "error" | "tooLong" | "tooComplex";
  permissionSafe: boolean;
  unsupported: string[];
  incomplete?: boolean;
}
export interface CommandVerdict {
  text: string;
  argv: (string | null)[];
  span: Span;
  readOnly: boolean;
  kind: Kind;
  effects: Effect[];
  targets?: Target[];
  decision: Decision;
  reason: Reason;
  subjects?: string[];
}
export interface Target { effect: Effect; target: string; place?: Place }
export interface Suggestion { rule: string; scope: "prefix" | "exact"; covers: number[] }
export interface Conditions { env: Record<string, string> }
export interface Question { id: string; prompt: string; decision: Decision }
export type Explanation = unknown;
export type Invocations = unknown;
export type ToolSettings = Record<string, unknown>;
