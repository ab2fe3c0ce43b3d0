// The screen of one specification: the board and its timeline, and everything that can be asked beside it.

import { useEffect, useState } from "preact/hooks";
import { AlgorithmView } from "./algorithm";
import type { Desk, View } from "./desk";
import { Editor } from "./editor";
import { FrameView } from "./frame";
import { Graph } from "./graph";
import { Properties, Steps, Watches, point } from "./panels";
import { Check, Rules, Solve } from "./questions";
import { Timeline } from "./timeline";

export function Workbench({ desk }: { desk: Desk }) {
  const { view, trouble } = desk;
  useKeys(desk);
  return (
    <main class={`workbench view-${view}`}>
      <div class="stage-column">
        <ViewTabs desk={desk} />
        {trouble && (
          <p class="problem" role="alert" id="trouble">
            {trouble}
            {!desk.position && (
              <button type="button" class="link" onClick={() => void desk.reopen(desk.path)}>
                try again
              </button>
            )}
          </p>
        )}
        <div class="stage">
          {view === "board" && <Stage desk={desk} />}
          {view === "spec" && <Editor desk={desk} />}
          {view === "graph" && <Graph desk={desk} />}
        </div>
        {view !== "spec" && <Timeline desk={desk} />}
      </div>
      <aside class="side" aria-label="Steps and questions">
        <Rules desk={desk} />
        <Steps desk={desk} />
        <Properties desk={desk} />
        <Check desk={desk} />
        <Solve desk={desk} />
        <Watches desk={desk} />
      </aside>
    </main>
  );
}

const VIEWS: [View, string][] = [
  ["board", "Play"],
  ["spec", "Text"],
  ["graph", "Graph"],
];

function ViewTabs({ desk }: { desk: Desk }) {
  return (
    <div class="view-line">
      <div class="views" role="tablist" aria-label="View">
        {VIEWS.map(([view, label]) => (
          <button type="button" role="tab" id={`view-${view}`} aria-selected={desk.view === view} onClick={() => desk.setView(view)} disabled={view === "graph" && desk.about?.language !== "tla"}>
            {label}
          </button>
        ))}
      </div>
      <span class="spring" />
      {desk.view === "board" && (
        <>
          <button type="button" class="quiet" id="machine" onClick={() => desk.machine()} disabled={!desk.position?.choices.length} title="A step at random (m)">
            Let the machine move
          </button>
          <button type="button" class="quiet" id="begin-again" onClick={() => desk.clear()} title="Throw the trace away">
            New game
          </button>
        </>
      )}
    </div>
  );
}

function Stage({ desk }: { desk: Desk }) {
  const { entries, cursor, position } = desk;
  const entry = entries[cursor];
  if (!entry) {
    const isChoosing = position && position.index === null && position.choices.length > 0;
    return <p class="loading">{isChoosing ? "There are several states to begin in: choose one beside." : desk.busy ? "Reading the specification…" : "There is no state to show."}</p>;
  }
  const bad = entry.properties.filter((it) => it.truth === "false" && it.kind !== "constraint");
  const isHere = position?.index === cursor;
  // What processes wait for is only told of where the session is.
  const { processes } = (isHere && position.entry) || entry;
  const played = { choices: isHere ? position.choices : [], pointed: desk.pointed, onPoint: (it: number | null) => point(desk, it), onTake: (it: number) => void desk.take(it) };
  return (
    <>
      <Banner desk={desk} bad={bad.map((it) => it.name)} />
      {desk.about?.algorithm && processes.length > 0 && <AlgorithmView text={desk.about.algorithm} processes={processes} {...played} />}
      <FrameView isFirst={cursor === 0} frame={entry.frame} {...played} />
    </>
  );
}

/** What the last question found, or what is wrong in this state. */
function Banner({ desk, bad }: { desk: Desk; bad: string[] }) {
  const { result } = desk.check;
  if (result?.verdict === "violated" && result.trace && desk.entries.length === result.trace.entries.length)
    return (
      <p class="banner bad" id="banner">
        <b>{result.headline}</b>
      </p>
    );
  if (bad.length > 0)
    return (
      <p class="banner bad" id="banner">
        <b>{bad.join(", ")}</b> {bad.length === 1 ? "is" : "are"} false in this state.
      </p>
    );
  const solved = desk.solve.result;
  if (solved?.trace && desk.cursor === desk.entries.length - 1 && desk.entries.length === solved.trace.entries.length)
    return (
      <p class="banner good" id="banner">
        <b>{solved.headline}</b>
      </p>
    );
  return null;
}

function useKeys(desk: Desk) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=checkbox]):not([type=range]), select, textarea, .cm-editor")) return;
      const isButton = target.closest("button") !== null;
      const act = KEYS[event.key];
      const digit = Number(event.key);
      if (event.key === " " && isButton) return;
      if (act) act(desk);
      else if (digit >= 1 && digit <= 9) void desk.take(digit - 1);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [desk]);
}

const KEYS: Record<string, (desk: Desk) => void> = {
  ArrowLeft: (it) => it.undo(),
  u: (it) => it.undo(),
  ArrowRight: (it) => it.redo(),
  r: (it) => it.redo(),
  Home: (it) => it.goTo(0),
  End: (it) => it.goTo(it.entries.length - 1),
  " ": (it) => it.togglePlaying(),
  m: (it) => it.machine(),
  c: (it) => void it.startCheck(),
  s: () => document.getElementById("goal")?.focus(),
  p: () => document.getElementById("watch")?.focus(),
  b: (it) => it.setView("board"),
  t: (it) => it.setView("spec"),
  g: (it) => it.about?.language === "tla" && it.setView("graph"),
};

const HELP: [string, string][] = [
  ["arrows in the board, enter", "choose a cell and take its step"],
  ["1 … 9", "take a step of the list"],
  ["← or u, → or r", "undo, redo"],
  ["Home, End", "first and last state"],
  ["space", "play the trace back"],
  ["m", "let the machine move"],
  ["c", "check every state"],
  ["s", "type a goal to solve for"],
  ["p", "type an expression to watch"],
  ["b, t, g", "board, text, graph"],
  ["?", "this help"],
];

export function Help() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).closest("input, select, textarea, .cm-editor")) return;
      if (event.key === "?") setOpen((it) => !it);
      if (event.key === "Escape") setOpen(false);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button type="button" class="icon quiet" aria-label="Keys" title="Keys (?)" onClick={() => setOpen(!isOpen)}>
        ?
      </button>
      {isOpen && (
        <div class="help" role="dialog" aria-label="Keys">
          <h2>Keys</h2>
          <dl>
            {HELP.map(([key, what]) => (
              <div>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
          <button type="button" class="primary" onClick={() => setOpen(false)}>
            Close
          </button>
        </div>
      )}
    </>
  );
}
