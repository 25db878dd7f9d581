/**
 * `<portcullis-verdict>`: a command with each invocation underlined by its verdict, the reasons, and the rules that
 * "always allow" would store.
 *
 * Give it `policy` and it judges `command` itself, or give it the `verdict` that somebody else made. While `streaming`
 * is set the command counts as still being written: what is finished is underlined, and nothing is called an error.
 * Works without a framework; importing it defines the element where there is a DOM.
 */
import { prose, segments, visible } from "./segments.js";
import type { CommandVerdict, Context, Decision, Verdict } from "./types.js";

/** What the element needs of a `Policy`. */
export interface Evaluator {
  evaluate(command: string, context?: Context): Verdict;
}

export interface VerdictEventMap {
  /** A new verdict is shown; `detail` is it. */
  "portcullis-verdict": CustomEvent<Verdict>;
  /** The user chose to store rules; `detail.rules` are they. */
  "portcullis-remember": CustomEvent<{ rules: string[] }>;
}

type State = Decision | "empty" | "writing" | "incomplete" | "failed";

const WORDS: Record<State, string> = {
  allow: "Allowed",
  ask: "Needs a yes",
  deny: "Denied",
  empty: "No command",
  writing: "Being written",
  incomplete: "Not complete",
  failed: "Not judged",
};
const SIGNS: Record<State, string> = { allow: "✓", ask: "?", deny: "✕", empty: "", writing: "…", incomplete: "…", failed: "!" };

const STYLE = `
:host { display: block; color-scheme: inherit; font: 14px/1.5 system-ui, sans-serif;
  --_allow: var(--portcullis-allow, light-dark(#176b34, #6fd08c));
  --_ask: var(--portcullis-ask, light-dark(#8a5300, #f0b35a));
  --_deny: var(--portcullis-deny, light-dark(#b3261e, #ff8a80));
  --_quiet: var(--portcullis-quiet, light-dark(#5c6370, #a2a9b5));
  --_text: var(--portcullis-text, light-dark(#1c1f24, #e6e8ec));
  --_ground: var(--portcullis-ground, light-dark(#f6f7f9, #1d2025));
  --_line: var(--portcullis-line, light-dark(#d7dae0, #383d46));
  color: var(--_text); }
:host([hidden]), [hidden] { display: none !important; }
.box { border: 1px solid var(--_line); border-left: 4px solid var(--_tone); border-radius: 6px; background: var(--_ground); overflow: hidden; }
.box, li { --_tone: var(--_quiet); }
.allow { --_tone: var(--_allow); } .ask { --_tone: var(--_ask); } .deny { --_tone: var(--_deny); }
.head { display: flex; gap: .5em; align-items: baseline; padding: .5em .75em; }
.sign { font-weight: 700; color: var(--_tone); min-width: 1em; text-align: center; }
.word { font-weight: 600; color: var(--_tone); white-space: nowrap; }
.why { color: var(--_text); overflow-wrap: anywhere; }
.why code { font: .92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; background: color-mix(in srgb, currentColor 9%, transparent); border-radius: 3px; padding: 0 .25em; }
pre { margin: 0; padding: .25em .75em .6em; font: 13px/1.7 ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; unicode-bidi: plaintext; }
.seg { text-decoration: underline 2px var(--_tone); text-underline-offset: .3em; border-radius: 2px; --_tone: var(--_quiet); cursor: help; }
.seg.allow { --_tone: var(--_allow); } .seg.ask { --_tone: var(--_ask); text-decoration-style: dotted; } .seg.deny { --_tone: var(--_deny); text-decoration-style: wavy; text-decoration-thickness: 1.5px; }
.seg.writing { text-decoration-style: dashed; text-decoration-thickness: 1px; --_tone: var(--_quiet); }
.seg.on { background: color-mix(in srgb, var(--_tone) 18%, transparent); }
.seg:focus-visible, button:focus-visible { outline: 2px solid light-dark(#1a5fd0, #8ab4ff); outline-offset: 2px; }
.hid { font-size: .75em; border: 1px solid var(--_deny); color: var(--_deny); border-radius: 3px; padding: 0 .2em; margin: 0 .1em; unicode-bidi: isolate; }
ol { list-style: none; margin: 0; padding: .4em .75em .6em; border-top: 1px solid var(--_line); }
li { display: grid; grid-template-columns: 1.2em minmax(0, auto) minmax(0, 1fr); gap: .5em; padding: .1em .2em; border-radius: 3px; align-items: baseline; }
li.on { background: color-mix(in srgb, var(--_tone) 14%, transparent); }
li > code { font: 12px/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; max-width: 24em; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
li .why { color: var(--_quiet); }
.rules { display: flex; flex-wrap: wrap; gap: .4em; align-items: center; padding: .5em .75em; border-top: 1px solid var(--_line); }
button { font: 12px/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; color: inherit; background: transparent; border: 1px solid var(--_line); border-radius: 4px; padding: .25em .6em; cursor: pointer; max-width: 100%; overflow-wrap: anywhere; text-align: left; }
button:hover { border-color: var(--_quiet); }
.tip { position: fixed; z-index: 2147483647; max-width: min(32em, 90vw); padding: .4em .6em; border-radius: 5px; background: light-dark(#1c1f24, #e6e8ec); color: light-dark(#fff, #16181c); font: 12px/1.4 system-ui, sans-serif; pointer-events: none; }
.sr, :host([compact]) ol { position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (forced-colors: active) { .seg { text-decoration-color: CanvasText; } }
`;

interface Parts {
  box: HTMLElement;
  head: HTMLElement;
  pre: HTMLElement;
  list: HTMLElement;
  rules: HTMLElement;
  tip: HTMLElement;
}

// A server that renders pages may import this file; it then gets a class that is never used.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class PortcullisVerdict extends Base {
  static readonly observedAttributes = ["command", "streaming", "no-rules"];

  #policy: Evaluator | undefined;
  #context: Context = {};
  #given: Verdict | undefined;
  #shown: { command: string; verdict: Verdict } | undefined;
  /** The last reading that had invocations, so that underlines stay while the next word is being written. */
  #kept: { command: string; commands: CommandVerdict[] } = { command: "", commands: [] };
  #pending = false;
  #parts: Parts | undefined;

  /** The command text. */
  get command(): string {
    return this.getAttribute("command") ?? "";
  }
  set command(value: string) {
    this.setAttribute("command", value);
  }

  /** Whether the command is still being written. */
  get streaming(): boolean {
    return this.hasAttribute("streaming");
  }
  set streaming(value: boolean) {
    this.toggleAttribute("streaming", value);
  }

  /** Judges the command; a `Policy`. */
  get policy(): Evaluator | undefined {
    return this.#policy;
  }
  set policy(value: Evaluator | undefined) {
    this.#policy = value;
    this.#schedule();
  }

  /** Facts for the policy. */
  get context(): Context {
    return this.#context;
  }
  set context(value: Context) {
    this.#context = value;
    this.#schedule();
  }

  /** What is shown; set it to show a verdict that was made elsewhere (with UTF-16 spans, as this package gives). */
  get verdict(): Verdict | undefined {
    return this.#given ?? this.#shown?.verdict;
  }
  set verdict(value: Verdict | undefined) {
    this.#given = value;
    this.#schedule();
  }

  /** Judges and draws now; the element does so by itself after each change. */
  refresh(): void {
    this.#render();
  }

  connectedCallback(): void {
    // Properties set before the element was defined are plain fields of the instance; hand them to the accessors.
    for (const name of ["policy", "context", "verdict", "command", "streaming"] as const) {
      if (!Object.hasOwn(this, name)) continue;
      const value: unknown = this[name];
      delete (this as Record<string, unknown>)[name];
      (this as Record<string, unknown>)[name] = value;
    }
    this.#schedule();
  }

  attributeChangedCallback(): void {
    this.#schedule();
  }

  #schedule(): void {
    if (this.#pending) return;
    this.#pending = true;
    queueMicrotask(() => {
      this.#pending = false;
      if (this.isConnected) this.#render();
    });
  }

  #render(): void {
    const parts = (this.#parts ??= this.#build());
    const { command, streaming } = this;
    let verdict = this.#given;
    let failure: string | undefined;
    if (verdict === undefined && this.#policy !== undefined && command !== "") {
      try {
        verdict = this.#policy.evaluate(command, this.#context);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
    }
    const incomplete = verdict?.parse.incomplete === true;
    const state: State =
      failure !== undefined ? "failed"
      : verdict === undefined || command === "" ? "empty"
      : streaming ? "writing"
      : incomplete && verdict.decision !== "deny" ? "incomplete"
      : verdict.decision;
    const why =
      failure ??
      (state === "writing" || state === "empty" || verdict === undefined ? ""
      : state === "incomplete" ? "the text ends inside a quote, a substitution or a compound command"
      : verdict.reason.message);

    let commands = verdict?.commands ?? [];
    if (commands.length > 0) this.#kept = { command, commands };
    else if (streaming && command !== "") {
      const { command: before, commands: kept } = this.#kept;
      commands = kept.filter(({ span: [, end] }) => command.slice(0, end) === before.slice(0, end));
    }

    // On the list each part has its own tone, so the list is not inside the live region.
    const label = `${WORDS[state]}${why ? `: ${why}` : ""}`;
    parts.box.className = `box ${state}`;
    parts.box.setAttribute("aria-busy", String(state === "writing"));
    if (parts.head.dataset["label"] !== label) {
      parts.head.dataset["label"] = label;
      parts.head.replaceChildren(
        span("sign", SIGNS[state], { "aria-hidden": "true" }),
        span("word", WORDS[state]),
        ...(why ? [reason(why)] : []),
      );
    }
    this.#draw(parts, command, commands, streaming || incomplete);
    this.#offer(parts.rules, streaming || verdict?.decision !== "ask" || this.hasAttribute("no-rules") ? [] : verdict.suggestions.map(({ rule }) => rule));

    if (verdict !== undefined && (this.#shown?.verdict !== verdict || this.#shown.command !== command)) {
      this.#shown = { command, verdict };
      this.dispatchEvent(new CustomEvent("portcullis-verdict", { detail: verdict, bubbles: true, composed: true }));
    }
  }

  /** The text with its underlines, and the list of reasons. */
  #draw(parts: Parts, command: string, commands: readonly CommandVerdict[], open: boolean): void {
    const focused = this.shadowRoot?.activeElement instanceof HTMLElement ? this.shadowRoot.activeElement.dataset["index"] : undefined;
    const tone = (part: CommandVerdict): string => (open && part.span[1] >= command.trimEnd().length ? "writing" : part.decision);
    const code = document.createElement("code");
    const first = new Set<number>();
    for (const { start, end, index } of segments(command.length, commands)) {
      const shown = visible(command.slice(start, end)).map(({ text, hidden }) =>
        hidden === undefined ? document.createTextNode(text) : span("hid", hidden, { title: "a character that would not show" }),
      );
      const part = index === undefined ? undefined : commands[index];
      if (part === undefined) {
        code.append(...shown);
        continue;
      }
      const piece = span(`seg ${tone(part)}`, "");
      piece.dataset["index"] = String(index);
      piece.append(...shown);
      // An invocation around others comes in pieces; the keyboard stops once at each invocation.
      if (!first.has(index!)) {
        first.add(index!);
        piece.tabIndex = 0;
        piece.setAttribute("role", "group");
        piece.setAttribute("aria-label", sentence(part, tone(part)));
      }
      code.append(piece);
    }
    parts.pre.replaceChildren(code);
    parts.pre.hidden = command === "";
    parts.list.hidden = commands.length === 0;
    parts.list.replaceChildren(
      ...commands.map((part, index) => {
        const item = document.createElement("li");
        const state = tone(part);
        item.className = state;
        item.dataset["index"] = String(index);
        const text = document.createElement("code");
        text.append(...visible(part.text).map(({ text, hidden }) => document.createTextNode(hidden ?? text)));
        item.append(
          span("sign", state === "writing" ? "…" : SIGNS[part.decision], { "aria-hidden": "true" }),
          text,
          reason(state === "writing" ? "being written" : `${part.decision}: ${part.reason.message}`),
        );
        return item;
      }),
    );
    if (focused !== undefined) parts.pre.querySelector<HTMLElement>(`[tabindex][data-index="${focused}"]`)?.focus();
  }

  #offer(row: HTMLElement, rules: string[]): void {
    row.hidden = rules.length === 0;
    if (rules.length === 0) return row.replaceChildren();
    const button = document.createElement("button");
    button.type = "button";
    button.part.add("remember");
    button.textContent = rules.join("   ");
    button.setAttribute("aria-label", `Always allow ${rules.join(", ")}`);
    button.addEventListener("click", () => {
      this.dispatchEvent(new CustomEvent("portcullis-remember", { detail: { rules }, bubbles: true, composed: true }));
    });
    row.replaceChildren(span("", "Always allow"), button);
  }

  #build(): Parts {
    const root = this.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = STYLE;
    const make = (tag: string, name: string, more: Record<string, string> = {}): HTMLElement => {
      const element = document.createElement(tag);
      element.className = name;
      for (const [key, value] of Object.entries(more)) element.setAttribute(key, value);
      return element;
    };
    const parts = {
      box: make("div", "box", { part: "box" }),
      head: make("div", "head", { role: "status", part: "head" }),
      pre: make("pre", "", { "aria-label": "Command", part: "command" }),
      list: make("ol", "", { "aria-label": "What would run", part: "list" }),
      rules: make("div", "rules", { part: "rules" }),
      tip: make("div", "tip", { role: "tooltip" }),
    };
    parts.tip.hidden = true;
    parts.box.append(parts.head, parts.pre, parts.list, parts.rules);
    root.append(style, parts.box, parts.tip);

    const point = (event: Event): void => {
      const at = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-index]") : null;
      const index = event.type === "pointerout" || event.type === "focusout" ? undefined : at?.dataset["index"];
      for (const marked of root.querySelectorAll<HTMLElement>("[data-index]")) {
        marked.classList.toggle("on", index !== undefined && marked.dataset["index"] === index);
      }
      const text = index === undefined ? undefined : parts.list.children[Number(index)]?.querySelector(".why")?.textContent;
      const tell = text && at?.classList.contains("seg");
      parts.tip.hidden = !tell;
      if (!tell || at === null) return;
      parts.tip.textContent = text;
      const box = at.getClientRects()[0];
      if (box === undefined) return;
      parts.tip.style.left = `${Math.max(4, Math.min(box.left, innerWidth - parts.tip.offsetWidth - 4))}px`;
      const above = box.top - parts.tip.offsetHeight - 6;
      parts.tip.style.top = `${above > 0 ? above : box.bottom + 6}px`;
    };
    for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) parts.box.addEventListener(kind, point);
    // A tooltip has to give way without moving the pointer or the focus.
    this.addEventListener("keydown", (event) => {
      if (event.key === "Escape") parts.tip.hidden = true;
    });
    return parts;
  }
}

function span(name: string, text: string, more: Record<string, string> = {}): HTMLSpanElement {
  const element = document.createElement("span");
  if (name) element.className = name;
  element.textContent = text;
  for (const [key, value] of Object.entries(more)) element.setAttribute(key, value);
  return element;
}

/** A message, with what it quotes set apart and made visible. */
function reason(message: string): HTMLSpanElement {
  const element = span("why", "");
  for (const { text, code } of prose(message)) {
    const shown = visible(text).map(({ text, hidden }) => hidden ?? text).join("");
    const part: Node = code ? document.createElement("code") : document.createTextNode(shown);
    if (code) part.textContent = shown;
    element.append(part);
  }
  return element;
}

function sentence(part: CommandVerdict, tone: string): string {
  return tone === "writing" ? `${part.text}: being written` : `${part.text}: ${part.decision}, ${part.reason.message}`;
}

if (globalThis.customElements !== undefined && customElements.get("portcullis-verdict") === undefined) {
  customElements.define("portcullis-verdict", PortcullisVerdict);
}

declare global {
  interface HTMLElementTagNameMap {
    "portcullis-verdict": PortcullisVerdict;
  }
}
