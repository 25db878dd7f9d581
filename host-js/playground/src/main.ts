/** The page: one state, one policy; every change judges again and draws what follows from it. */
import { createPolicy, PolicyError, type Policy, type Verdict } from "portcullis";
import "portcullis/element";
import { segments } from "../../src/segments.js";
import { find, h, said } from "./dom.js";
import { createEditor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { PANELS, type View } from "./panels.js";
import { adopt, CHOICES, config, context, decode, encode, START, type State } from "./state.js";

const WORDS = { allow: "✓ Allowed", ask: "? Needs a yes", deny: "✕ Denied" } as const;
const KEPT = "portcullis-playground";

let state: State = START;
let policy: Policy;
let verdict: Verdict | undefined;
let answers: Record<string, boolean> = {};
let pointed: number | undefined;
let panel = PANELS[0]!;

const form = find<HTMLFormElement>("policy");
const editor = createEditor(find("editor"), "", {
  change: (command) => set({ command }),
  step,
});

function set(change: Partial<State>): void {
  if ("command" in change) answers = {};
  state = { ...state, ...change };
  judge();
  keep();
}

function judge(): void {
  showFault(undefined);
  try {
    policy.update(config(state));
    verdict = state.command.trim() === "" ? undefined : policy.evaluate(state.command, { ...context(state), answers });
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    showFault(error);
    verdict = undefined;
  }
  pointed = undefined;
  draw();
}

function draw(): void {
  mark();
  drawStrip();
  if (waiting) return;
  // The details may wait until the letter is on the screen; while somebody types fast, one drawing serves several letters.
  waiting = true;
  setTimeout(() => {
    waiting = false;
    drawPanel();
  });
}

let waiting = false;

function mark(): void {
  const commands = verdict?.commands ?? [];
  editor.mark(
    segments(state.command.length, commands).flatMap(({ start, end, index }) =>
      index === undefined ? [] : [{ start, end, tone: commands[index]!.decision, on: index === pointed }],
    ),
  );
}

function drawStrip(): void {
  const strip = find("strip");
  const extras = find("extras");
  const box = find("verdict");
  if (verdict === undefined) {
    box.className = "verdict";
    strip.replaceChildren(h("p", { class: "line" }, form.querySelector(".fault:not([hidden])") ? "The rules have a fault, so nothing is judged." : "Write a command."));
    extras.replaceChildren();
    return;
  }
  const { decision, reason, capability, suggestions, conditions, questions, parse } = verdict;
  const incomplete = parse.incomplete === true && decision === "ask";
  box.className = `verdict ${incomplete ? "" : decision}`;
  strip.replaceChildren(
    h(
      "p",
      { class: "line" },
      h("span", { class: "word" }, incomplete ? "… Not complete" : WORDS[decision]),
      said(reason.message),
      h("code", { class: "slug" }, reason.code),
    ),
    h(
      "p",
      { class: "facts" },
      [capability.readOnly ? "only reads" : "does more than read", `risk ${capability.riskLevel}`, `reach: ${capability.sideEffectScope}`, reason.rule !== null && `rule ${reason.rule}`].filter(Boolean).join(" · "),
    ),
  );
  const env = Object.entries(conditions.env);
  extras.replaceChildren(
    ...(env.length > 0 ? [h("p", { class: "facts" }, `Holds with ${env.map(([key, value]) => `${key}=${value}`).join(" ")}`)] : []),
    ...questions.map((question) =>
      h(
        "div",
        { class: "chips" },
        h("span", {}, `Does “${question.prompt}” describe it? A yes would ${question.decision}.`),
        ...[true, false].map((yes) => h("button", { type: "button", click: () => answer(question.id, yes) }, yes ? "Yes" : "No")),
      ),
    ),
    ...(suggestions.length > 0 && decision === "ask"
      ? [
          h(
            "div",
            { class: "chips" },
            h("span", {}, "Always allow"),
            ...suggestions.map(({ rule }) => h("button", { type: "button", click: () => addRule(rule) }, rule)),
          ),
        ]
      : []),
  );
}

function drawPanel(): void {
  const place = find("panel");
  if (verdict === undefined) return place.replaceChildren();
  const view: View = {
    command: state.command,
    context: { ...context(state), answers },
    policy,
    verdict,
    point(index) {
      pointed = index;
      mark();
    },
    go: ([start, end]) => editor.select(start, end),
  };
  try {
    place.replaceChildren(panel.draw(view));
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    place.replaceChildren(h("p", { class: "fault" }, error.message));
  }
}

function step(direction: 1 | -1): void {
  const commands = verdict?.commands ?? [];
  if (commands.length === 0) return;
  const at = commands.findIndex(({ span: [start, end] }) => start <= editor.cursor && editor.cursor <= end);
  const next = commands[(at + direction + commands.length) % commands.length]!;
  editor.select(...next.span);
}

function answer(id: string, yes: boolean): void {
  answers = { ...answers, [id]: yes };
  judge();
}

function addRule(rule: string): void {
  set({ allow: [state.allow.trimEnd(), rule].filter((line) => line !== "").join("\n") });
  fill();
}

/** Shows a fault of a rule beside its list. */
function showFault(error: PolicyError | undefined): void {
  const match = /(allow|ask|deny)\[(\d+)\]/.exec(error?.path ?? "");
  for (const name of ["allow", "ask", "deny"] as const) {
    const here = error !== undefined && (match?.[1] ?? "allow") === name;
    const line = find(`${name}-fault`);
    line.hidden = !here;
    line.replaceChildren(...(here ? (match ? [`Rule ${Number(match[2]) + 1}: `, said(ownWords(error.message))] : [error.message]) : []));
    form.elements.namedItem(name) instanceof HTMLTextAreaElement && (form.elements.namedItem(name) as HTMLTextAreaElement).setAttribute("aria-invalid", String(here));
  }
}

/** The first fault without the place and the text of its rule, which are in sight. */
function ownWords(message: string): string {
  const first = message.split("\n")[0]!;
  const at = first.indexOf("`: ");
  return at < 0 ? first : first.slice(at + 3);
}

/** Puts the state into the page. */
function fill(): void {
  editor.setText(state.command);
  // The marks of the text before went with it.
  mark();
  for (const [key, value] of Object.entries(state)) {
    const field = form.elements.namedItem(key);
    if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === true;
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement) field.value = String(value);
  }
}

// Browsers refuse pages that change their address too often, so changes are gathered.
let keeping = 0;
function keep(): void {
  clearTimeout(keeping);
  keeping = window.setTimeout(async () => {
    history.replaceState(null, "", await encode(state));
    try {
      localStorage.setItem(KEPT, JSON.stringify(state));
    } catch {
      // A page without storage works, it only forgets.
    }
  }, 750);
}

function kept(): State | undefined {
  try {
    const text = localStorage.getItem(KEPT);
    return text === null ? undefined : adopt(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function wire(): void {
  const examples = find<HTMLSelectElement>("examples");
  examples.append(h("option", { value: "" }, "choose…"), ...EXAMPLES.map(({ name }, index) => h("option", { value: String(index) }, name)));
  examples.addEventListener("change", () => {
    const chosen = EXAMPLES[Number(examples.value)];
    if (chosen === undefined || examples.value === "") return;
    set({ ...START, ...chosen.state });
    fill();
  });
  for (const [name, choices] of Object.entries(CHOICES)) {
    (form.elements.namedItem(name) as HTMLSelectElement).append(...choices.map((choice) => h("option", { value: choice }, choice)));
  }
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    const field = event.target as HTMLInputElement;
    set({ [field.name]: field.type === "checkbox" ? field.checked : field.value });
  });
  find("reset").addEventListener("click", () => {
    set(START);
    fill();
  });
  const share = find("share");
  share.addEventListener("click", async () => {
    clearTimeout(keeping);
    history.replaceState(null, "", await encode(state));
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    share.textContent = copied ? "Copied" : "The address bar holds the link";
    setTimeout(() => (share.textContent = "Copy link"), 2000);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    examples.focus();
  });
  document.addEventListener("portcullis-remember", (event) => {
    for (const rule of (event as CustomEvent<{ rules: string[] }>).detail.rules) addRule(rule);
  });
  window.addEventListener("hashchange", async () => {
    const linked = await decode(location.hash);
    if (linked === undefined) return;
    set(linked);
    fill();
  });
  wireTabs();
  wireTheme();
}

function wireTabs(): void {
  const list = find("tabs");
  const choose = (next: (typeof PANELS)[number], focus = false): void => {
    panel = next;
    for (const tab of list.querySelectorAll<HTMLElement>("[role=tab]")) {
      const chosen = tab.dataset["id"] === next.id;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      if (chosen && focus) tab.focus();
      if (chosen) find("panel").setAttribute("aria-labelledby", tab.id);
    }
    drawPanel();
  };
  list.append(
    ...PANELS.map((each) =>
      h("button", { type: "button", role: "tab", id: `tab-${each.id}`, "data-id": each.id, "aria-controls": "panel", click: () => choose(each) }, each.name),
    ),
  );
  list.addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = event.key === "Home" ? 0 : event.key === "End" ? PANELS.length - 1 : move === undefined ? undefined : (PANELS.indexOf(panel) + move + PANELS.length) % PANELS.length;
    if (to === undefined) return;
    event.preventDefault();
    choose(PANELS[to]!, true);
  });
  choose(panel);
}

function wireTheme(): void {
  const button = find("theme");
  const themes = ["system", "light", "dark"];
  let theme = "system";
  const apply = (): void => {
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    button.textContent = `Theme: ${theme}`;
    button.setAttribute("aria-label", `Theme: ${theme}`);
  };
  try {
    const saved = localStorage.getItem(`${KEPT}-theme`);
    if (saved !== null && themes.includes(saved)) theme = saved;
  } catch {
    // As above.
  }
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length]!;
    apply();
    try {
      localStorage.setItem(`${KEPT}-theme`, theme);
    } catch {
      // As above.
    }
  });
  apply();
}

async function start(): Promise<void> {
  const linked = await decode(location.hash);
  state = linked ?? kept() ?? START;
  wire();
  fill();
  try {
    policy = await createPolicy();
  } catch (error) {
    find("strip").replaceChildren(h("p", { class: "fault" }, error instanceof Error ? error.message : String(error)));
    return;
  }
  judge();
  document.documentElement.dataset["ready"] = "true";
  if ("serviceWorker" in navigator && import.meta.env.PROD) await navigator.serviceWorker.register("./sw.js").catch(() => undefined);
}

void start();
