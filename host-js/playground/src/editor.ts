/** The command editor: plain text with marks from the policy's own spans, so that what is shown is what was read. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { EditorSelection, EditorState, StateEffect, StateField, Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, highlightSpecialChars, keymap } from "@codemirror/view";

export interface Mark {
  start: number;
  end: number;
  tone: string;
  on: boolean;
}

const setMarks = StateEffect.define<readonly Mark[]>();

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setMarks)) continue;
      const length = transaction.newDoc.length;
      return Decoration.set(
        effect.value
          .filter(({ start, end }) => start < end && end <= length)
          .map(({ start, end, tone, on }) => Decoration.mark({ class: `part part-${tone}${on ? " part-on" : ""}` }).range(start, end)),
      );
    }
    return value.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface Editor {
  readonly text: string;
  setText(text: string): void;
  mark(marks: readonly Mark[]): void;
  select(start: number, end: number): void;
  readonly cursor: number;
}

export function createEditor(parent: HTMLElement, text: string, on: { change(text: string): void; step(direction: 1 | -1): void }): Editor {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        history(),
        // Controls that reorder or hide text are shown as signs: they are an attack on whoever reads the command.
        highlightSpecialChars({ addSpecialChars: /[\u200c\u200d\u2060-\u2069\u202a-\u202e\u180e\u061c]/g }),
        EditorView.lineWrapping,
        EditorState.lineSeparator.of("\n"),
        EditorView.contentAttributes.of({ "aria-labelledby": "command-label", spellcheck: "false", autocapitalize: "off", autocorrect: "off" }),
        marks,
        keymap.of([
          { key: "Alt-ArrowDown", run: () => (on.step(1), true) },
          { key: "Alt-ArrowUp", run: () => (on.step(-1), true) },
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !update.transactions.some((each) => each.annotation(Transaction.remote))) {
            on.change(update.state.doc.toString());
          }
        }),
      ],
    }),
  });
  return {
    get text() {
      return view.state.doc.toString();
    },
    get cursor() {
      return view.state.selection.main.head;
    },
    setText(next) {
      if (next === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: Transaction.remote.of(true) });
    },
    mark(next) {
      view.dispatch({ effects: setMarks.of(next) });
    },
    select(start, end) {
      view.dispatch({ selection: EditorSelection.single(start, Math.min(end, view.state.doc.length)), scrollIntoView: true });
      view.focus();
    },
  };
}
