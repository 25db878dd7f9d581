/**
 * The command text cut where invocations begin and end, each piece with the innermost invocation it belongs to.
 */
import type { CommandVerdict } from "./types.js";

export interface Segment {
  start: number;
  end: number;
  /** Index into `commands`; absent for text between invocations. */
  index?: number;
}

/** Cuts `0..length`; pieces are in order, do not overlap and cover the whole text. */
export function segments(length: number, commands: readonly Pick<CommandVerdict, "span">[]): Segment[] {
  const inside = commands
    .map(({ span: [start, end] }, index) => ({ start: Math.max(0, start), end: Math.min(length, end), index }))
    .filter(({ start, end }) => start < end);
  const cuts = [...new Set([0, length, ...inside.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b);
  const pieces: Segment[] = [];
  for (let at = 0; at + 1 < cuts.length; at += 1) {
    const [start, end] = [cuts[at]!, cuts[at + 1]!];
    const around = inside.filter((span) => span.start <= start && end <= span.end);
    // Of those around the piece the shortest is the innermost; of equals the later one is nested in the earlier.
    const inner = around.reduce<(typeof around)[number] | undefined>(
      (best, span) => (best === undefined || span.end - span.start <= best.end - best.start ? span : best),
      undefined,
    );
    const last = pieces.at(-1);
    if (last !== undefined && last.index === inner?.index) last.end = end;
    else pieces.push(inner === undefined ? { start, end } : { start, end, index: inner.index });
  }
  return pieces;
}

/** Characters that do not show or that reorder what shows: a command may hide behind them. */
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;

/** Cuts a text at characters that would not show; those come with their code point. */
export function visible(text: string): { text: string; hidden?: string }[] {
  const parts: { text: string; hidden?: string }[] = [];
  let plain = "";
  for (const character of text) {
    if (!HIDDEN.test(character)) {
      plain += character;
      continue;
    }
    if (plain !== "") parts.push({ text: plain });
    plain = "";
    parts.push({ text: character, hidden: `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}` });
  }
  if (plain !== "") parts.push({ text: plain });
  return parts;
}

/** Cuts a message at its backticks, which stand around text taken from a command or a rule. */
export function prose(message: string): { text: string; code: boolean }[] {
  const parts = message.split("`");
  // An odd backtick belongs to the quoted text itself; then nothing is told apart.
  if (parts.length % 2 === 0) return [{ text: message, code: false }];
  return parts.map((text, index) => ({ text, code: index % 2 === 1 })).filter(({ text }) => text !== "");
}
