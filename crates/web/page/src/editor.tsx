// The editor: the texts of the specification, with what is wrong with them as one types.

import { autocompletion, completeAnyWord } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { type Diagnostic as Lint, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import type { Diagnostic } from "./api";
import type { Desk } from "./desk";
import { language } from "./language";

export function Editor({ desk }: { desk: Desk }) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const { source, file, diagnostics } = desk;
  const text = source?.files.find((it) => it.name === file)?.text ?? "";

  useEffect(() => {
    if (!host.current) return;
    const state = EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        bracketMatching(),
        highlightSelectionMatches(),
        indentUnit.of("    "),
        lintGutter(),
        autocompletion({ override: [completeAnyWord] }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        new Compartment().of(language(file)),
        EditorView.contentAttributes.of({ "aria-label": `Text of ${file}`, spellcheck: "false" }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) desk.edit(update.state.doc.toString());
        }),
      ],
    });
    view.current = new EditorView({ state, parent: host.current });
    // For those who drive the page from outside.
    (host.current as HTMLDivElement & { editor?: EditorView }).editor = view.current;
    return () => {
      view.current?.destroy();
      view.current = null;
    };
    // Another file, or another specification under the same name.
  }, [file, desk.card, source?.main]);

  // A text that was changed from outside, by going back in history.
  useEffect(() => {
    const it = view.current;
    if (it && it.state.doc.toString() !== text) it.dispatch({ changes: { from: 0, to: it.state.doc.length, insert: text } });
  }, [text]);

  useEffect(() => {
    const it = view.current;
    if (it) it.dispatch(setDiagnostics(it.state, diagnostics.filter((each) => each.file === file).map((each) => lint(each, it.state.doc.length))));
  }, [diagnostics, file, text]);

  if (!source) return null;
  const errors = (name: string) => diagnostics.filter((it) => it.file === name && it.severity === "error").length;
  return (
    <div class="editor">
      <div class="files-line">
      <div class="files" role="tablist" aria-label="Files">
        {source.files.map((it) => (
          <button type="button" role="tab" aria-selected={it.name === file} class={it.name === file ? "tab chosen" : "tab"} onClick={() => desk.setFile(it.name)}>
            {it.name}
            {errors(it.name) > 0 && <span class="errors">{errors(it.name)}</span>}
          </button>
        ))}
      </div>
        {desk.card && desk.stale && (
          <button type="button" class="quiet" onClick={() => desk.revert()}>
            Revert
          </button>
        )}
        <button type="button" class="primary" id="use-text" onClick={() => void desk.reopen()}>
          {desk.stale ? "Play this text" : "Begin again"}
        </button>
      </div>
      <div class="editor-host" ref={host} id="editor" />
      <Problems desk={desk} onShow={(it) => show(view.current, it, desk)} />
    </div>
  );
}

function lint(it: Diagnostic, length: number): Lint {
  const from = Math.min(it.from, length);
  return {
    from,
    to: Math.max(from, Math.min(it.to, length)),
    severity: it.severity,
    message: [it.message, it.label, ...it.story, it.hint ? `Hint: ${it.hint}` : ""].filter(Boolean).join("\n"),
    source: it.code,
    actions: it.fixes.map(({ title, edits }) => ({
      name: title,
      apply: (view) => view.dispatch({ changes: edits.map((edit) => ({ from: edit.from, to: edit.to, insert: edit.text })) }),
    })),
  };
}

function show(view: EditorView | null, it: Diagnostic, desk: Desk) {
  if (it.file && it.file !== desk.file) return desk.setFile(it.file);
  if (!view) return;
  const at = Math.min(it.from, view.state.doc.length);
  view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
  view.focus();
}

function Problems({ desk, onShow }: { desk: Desk; onShow: (it: Diagnostic) => void }) {
  const { diagnostics } = desk;
  return (
    <div class="problems" id="problems" role="log" aria-label="Diagnostics" aria-live="polite">
      {diagnostics.length === 0 ? (
        <p class="note good">Nothing is wrong with this text.</p>
      ) : (
        <ul>
          {diagnostics.slice(0, 50).map((it) => (
            <li class={it.severity} data-code={it.code}>
              <button type="button" onClick={() => onShow(it)}>
                <span class="sign" aria-hidden="true">
                  {it.severity === "error" ? "✗" : "!"}
                </span>
                <span>
                  <b>{it.message}</b> <code>{it.location ?? ""}</code>
                  {it.hint && <span class="hint">{it.hint}</span>}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
