/** Makes elements; text is always a text node, since commands and links come from anywhere. */
import { prose } from "../../src/segments.js";

type Child = Node | string | false | undefined | null;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string | boolean | EventListener> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (typeof value === "boolean") element.toggleAttribute(key, value);
    else element.setAttribute(key, value);
  }
  for (const child of children) if (child !== false && child !== undefined && child !== null) element.append(child);
  return element;
}

/** A message of the policy, with what it quotes set apart. */
export function said(message: string): HTMLElement {
  return h("span", { class: "said" }, ...prose(message).map(({ text, code }) => (code ? h("code", {}, text) : text)));
}

export function find<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element as E;
}
