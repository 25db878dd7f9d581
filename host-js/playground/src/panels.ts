/** What the tabs show. Each takes the verdict and the policy and gives nodes; none keeps state. */
import type { CommandVerdict, Context, ParseReport, Policy, Verdict } from "portcullis";
import type { PortcullisVerdict } from "portcullis/element";
import { h, said } from "./dom.js";

export interface View {
  command: string;
  context: Context;
  policy: Policy;
  verdict: Verdict;
  /** Marks a part in the editor; `undefined` unmarks. */
  point(index: number | undefined): void;
  /** Selects a stretch in the editor. */
  go(span: readonly [number, number]): void;
}

export const PANELS: { id: string; name: string; draw(view: View): Node }[] = [
  { id: "parts", name: "Parts", draw: parts },
  { id: "explain", name: "Explanation", draw: explanation },
  { id: "parse", name: "Parse", draw: parse },
  { id: "host", name: "In a host", draw: host },
  { id: "json", name: "JSON", draw: json },
];

const SIGN = { allow: "✓", ask: "?", deny: "✕" } as const;

function parts(view: View): Node {
  const { commands } = view.verdict;
  if (commands.length === 0) return h("p", { class: "hint" }, "No command could be made out.");
  return h("ol", { class: "parts" }, ...commands.map((part, index) => item(view, part, index)));
}

function item(view: View, part: CommandVerdict, index: number): HTMLElement {
  const targets = (part.targets ?? []).map(({ effect, target, place }) => `${effect} ${target}${place ? ` (${place})` : ""}`);
  const tags = [part.kind, ...(targets.length > 0 ? targets : part.effects), part.readOnly && "only reads"].filter((tag) => tag !== false);
  const show = (): void => view.point(index);
  const hide = (): void => view.point(undefined);
  return h(
    "li",
    { class: part.decision, "data-index": String(index) },
    h(
      "button",
      { type: "button", click: () => view.go(part.span), pointerenter: show, pointerleave: hide, focus: show, blur: hide },
      h("code", {}, part.text),
      h("span", { class: "why" }, h("span", { class: "word" }, `${SIGN[part.decision]} ${part.decision}`), " ", said(part.reason.message), " ", h("code", { class: "slug" }, part.reason.code)),
      h("span", {}, ...tags.map((tag) => h("span", { class: "tag" }, `${tag} `))),
      part.reason.rule !== null && h("span", { class: "why" }, "rule ", h("code", {}, part.reason.rule)),
    ),
  );
}

function explanation(view: View): Node {
  const { spans, reason, decision } = view.policy.explain(view.command, view.context);
  const rows = spans.map((part) =>
    h(
      "tr",
      { class: part.decision },
      h("td", {}, h("code", {}, view.command.slice(...part.span))),
      h("td", {}, h("span", { class: "word" }, part.decision)),
      h("td", {}, said(part.reason.message), " ", h("code", { class: "slug" }, part.reason.code)),
    ),
  );
  return h(
    "div",
    {},
    h("p", { class: decision }, h("span", { class: "word" }, decision), ": ", said(reason.message)),
    h("table", {}, h("thead", {}, h("tr", {}, ...["Part", "Answer", "Why"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, ...rows)),
  );
}

function parse(view: View): Node {
  const report = view.policy.parse(view.command, view.context);
  const invocations = report.invocations.map((each) => {
    const around = [each.connector, each.site, ...each.wrappers.map((wrapper) => `in ${wrapper}`)].filter((tag) => tag !== "start" && tag !== "top");
    return h(
      "tr",
      {},
      h("td", {}, ...each.assignments.flatMap(({ name, value }) => [h("code", {}, `${name}=${words(value)}`), " "]), ...each.argv.flatMap((word) => [chip(word), " "])),
      h("td", {}, ...each.redirects.flatMap((redirect) => [h("code", {}, view.command.slice(...redirect.span)), ` ${redirect.kind} `])),
      h("td", {}, around.join(", ")),
    );
  });
  return h(
    "div",
    {},
    h("p", { class: "hint" }, `Read as ${report.parse.status}; ${report.parse.permissionSafe ? "its parts may be judged one by one" : "its parts may not be judged one by one"}.`),
    report.fault !== undefined && h("p", {}, said(report.fault.message)),
    h("table", {}, h("thead", {}, h("tr", {}, ...["Words", "Redirects", "Where"].map((name) => h("th", { scope: "col" }, name)))), h("tbody", {}, ...invocations)),
    report.hazards.length > 0 &&
      h("ul", {}, ...report.hazards.map((hazard) => h("li", {}, h("code", { class: "slug" }, hazard.code), " ", h("code", {}, hazard.what)))),
  );
}

type Word = ParseReport["invocations"][number]["argv"][number];

function words({ kind, values }: Word): string {
  const text = values.join(" | ");
  return kind === "exact" || kind === "oneOf" ? text : `${text}…`;
}

function chip(word: Word): HTMLElement {
  return h("code", { class: word.kind === "exact" ? "" : "unknown", title: word.kind }, words(word) || "''");
}

function host(view: View): Node {
  const element = document.createElement("portcullis-verdict") as PortcullisVerdict;
  element.policy = view.policy;
  element.context = view.context;
  element.command = view.command;
  let timer = 0;
  const stream = (): void => {
    clearInterval(timer);
    let at = 0;
    element.streaming = true;
    element.command = "";
    timer = window.setInterval(() => {
      at = Math.min(at + 2, view.command.length);
      element.command = view.command.slice(0, at);
      if (at < view.command.length && element.isConnected) return;
      clearInterval(timer);
      element.streaming = false;
    }, 40);
  };
  return h(
    "div",
    {},
    h("p", { class: "hint" }, "The custom element ", h("code", {}, "<portcullis-verdict>"), " as an agent's page would show it."),
    element,
    h("p", {}, h("button", { type: "button", click: stream }, "Write it as a model would")),
  );
}

function json(view: View): Node {
  return h("pre", { class: "json", tabindex: "0" }, JSON.stringify(view.verdict, null, 2));
}
