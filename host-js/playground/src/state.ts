/** The state of the page, and its form in a link: everything that makes the verdict, and nothing else. */
import type { Config, Context } from "portcullis";

export interface State {
  command: string;
  mode: NonNullable<Context["mode"]>;
  analysis: NonNullable<Context["analysis"]>;
  allow: string;
  ask: string;
  deny: string;
  cwd: string;
  workspace: string;
  home: string;
  platform: NonNullable<Context["platform"]>;
  shell: NonNullable<Context["shell"]>;
  git: "trusted" | "suspicious" | "unknown" | "none";
  session: NonNullable<Context["session"]>;
  unattended: boolean;
  canApplyConditions: boolean;
  askNetwork: boolean;
  allowSensitiveReads: boolean;
  sandbox: boolean;
}

export const START: State = {
  command: "git log --oneline -5 | cat\ncd app && npm test -- --watch=false",
  mode: "build",
  analysis: "deep",
  allow: "",
  ask: "",
  deny: "",
  cwd: "/home/me/project",
  workspace: "/home/me/project",
  home: "/home/me",
  platform: "linux",
  shell: "bash",
  git: "trusted",
  session: "main",
  unattended: false,
  canApplyConditions: true,
  askNetwork: false,
  allowSensitiveReads: false,
  sandbox: false,
};

/** What each choice may be; a link that says otherwise is not followed there. */
export const CHOICES = {
  mode: ["plan", "build", "edit", "yolo", "dontAsk"],
  analysis: ["deep", "strict"],
  platform: ["linux", "macos", "windows"],
  shell: ["bash", "zsh", "sh"],
  git: ["trusted", "suspicious", "unknown", "none"],
  session: ["main", "subagent", "idle"],
} as const;

const lines = (text: string): string[] => text.split("\n").map((line) => line.trim()).filter((line) => line !== "");

/** The rules of a state. */
export function config(state: State): Config {
  return { allow: lines(state.allow), ask: lines(state.ask), deny: lines(state.deny) };
}

/** The facts of a state. */
export function context(state: State): Context {
  const { cwd, home } = state;
  return {
    ...(cwd && { cwd }),
    ...(home && { home }),
    workspace: state.workspace.split(",").map((root) => root.trim()).filter((root) => root !== ""),
    mode: state.mode,
    analysis: state.analysis,
    platform: state.platform,
    shell: state.shell,
    git: state.git,
    session: state.session,
    unattended: state.unattended,
    canApplyConditions: state.canApplyConditions,
    askNetwork: state.askNetwork,
    allowSensitiveReads: state.allowSensitiveReads,
    ...(state.sandbox && { sandbox: { available: true, enabled: true, autoAllow: true } }),
  };
}

/** `#v1=` and what differs from the start, deflated. */
export async function encode(state: State): Promise<string> {
  const changed = Object.fromEntries(Object.entries(state).filter(([key, value]) => value !== START[key as keyof State]));
  const packed = await through(new TextEncoder().encode(JSON.stringify(changed)), new CompressionStream("deflate-raw"));
  const text = btoa(String.fromCharCode(...packed));
  return `#v1=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Largest state that a link may hold; more is not a link that we made. */
const MAX_STATE = 1 << 20;

/** Reads a hash; `undefined` when it holds no state. `#cmd=` is for links written by hand. */
export async function decode(hash: string): Promise<State | undefined> {
  try {
    if (hash.startsWith("#cmd=")) return { ...START, command: decodeURIComponent(hash.slice(5)) };
    if (!hash.startsWith("#v1=")) return undefined;
    const bytes = Uint8Array.from(atob(hash.slice(4).replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    return adopt(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Takes from untrusted JSON what has the right type and is a known choice. */
export function adopt(given: unknown): State {
  const state: Record<string, unknown> = { ...START };
  if (typeof given !== "object" || given === null) return START;
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(START, key) || typeof value !== typeof state[key]) continue;
    const choices = (CHOICES as Record<string, readonly unknown[]>)[key];
    if (choices === undefined || choices.includes(value)) state[key] = value;
  }
  return state as unknown as State;
}

async function through(bytes: Uint8Array<ArrayBuffer>, transform: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = (new Blob([bytes]).stream().pipeThrough(transform) as ReadableStream<Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > MAX_STATE) throw new Error("too large");
    parts.push(part.value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
