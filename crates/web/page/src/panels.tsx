// What stands beside the board: the steps that can follow, the properties, the watched expressions.

import { useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Choice, Position, Process } from "./api";
import { StepLabel } from "./board";
import type { Desk } from "./desk";

export function Panel({ title, id, aside, children }: { title: string; id: string; aside?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="panel" id={id} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** More are not listed; the filter finds them. */
const LISTED_MAX = 120;
const FILTER_FROM = 12;

export function Steps({ desk }: { desk: Desk }) {
  const [filter, setFilter] = useState("");
  const { position, source } = desk;
  const choices = position?.choices ?? [];
  const wanted = filter.toLowerCase();
  const listed = choices.map((choice, id) => ({ choice, id })).filter((it) => it.choice.step.label.toLowerCase().includes(wanted));
  const isBeginning = position?.index === null;
  const actions = desk.about?.language === "tla" ? desk.about.actions : [];
  return (
    <Panel
      id="steps"
      title={isBeginning ? "Where to begin" : "Next steps"}
      aside={
        <span class="count" id="step-count">
          {choices.length}
          {position?.cut ? "+" : ""}
        </span>
      }
    >
      {actions.length > 1 && (
        <label class="you">
          I play
          <select id="you" value={source?.you ?? ""} onChange={(event) => desk.setYou((event.target as HTMLSelectElement).value || null)}>
            <option value="">every step</option>
            {actions.map((it) => (
              <option value={it.name}>{it.name}</option>
            ))}
          </select>
          {source?.you && <span class="note">the machine answers</span>}
        </label>
      )}
      {choices.length > FILTER_FROM && (
        <input type="search" placeholder="Find a step" aria-label="Find a step" value={filter} onInput={(event) => setFilter((event.target as HTMLInputElement).value)} />
      )}
      {position?.problem && <pre class="problem">{position.problem}</pre>}
      {desk.onlyShown && <p class="note">This trace shows an alias, so it can be looked at but not be played on.</p>}
      {position && choices.length === 0 && !position.problem && !desk.onlyShown && !desk.busy && desk.cursor === desk.position?.index && (
        <p class="note" id="the-end">
          No step leads on from here.
        </p>
      )}
      {groups(position, listed.slice(0, LISTED_MAX)).map((group) => (
        <section class="step-group" key={group.process?.name} data-process={group.process?.name}>
          {group.process && <ProcessHead process={group.process} />}
          <ol class="steps">
            {group.steps.map(({ choice, id }) => (
              <li key={id}>
                <StepButton desk={desk} choice={choice} id={id} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {listed.length > LISTED_MAX && <p class="note">and {listed.length - LISTED_MAX} more: type to find one</p>}
    </Panel>
  );
}

interface Listed {
  choice: Choice;
  id: number;
}

/** Steps of an algorithm below the process whose they are, others in one group. */
function groups(position: Position | null, listed: Listed[]): { process: Process | null; steps: Listed[] }[] {
  const processes = position?.entry?.processes ?? [];
  const of = (process: number | null) => listed.filter((it) => it.choice.process === process);
  const own = processes.map((process, i) => ({ process, steps: of(i) })).filter((it) => it.steps.length > 0 || it.process.waitsFor);
  return processes.length === 0 ? [{ process: null, steps: listed }] : [...own, { process: null, steps: of(null) }];
}

function ProcessHead({ process }: { process: Process }) {
  if (!process.name && !process.waitsFor) return null;
  return (
    <h3 class={process.waitsFor ? "process-head waits" : "process-head"}>
      <span>
        <b>{process.name}</b> {process.waitsFor ? "waits at" : "at"} {process.label}
        {process.line !== null && `, line ${process.line}`}
        {process.called && `, ${process.called}`}
      </span>
      {process.waitsFor && <span class="waits-for">{process.waitsFor}</span>}
    </h3>
  );
}

function StepButton({ desk, choice, id }: Listed & { desk: Desk }) {
  const isPlain = choice.step.told || choice.step.parameters.length === 0;
  return (
    <button
      type="button"
      class={desk.pointed === id ? "step pointed" : "step"}
      data-action={choice.step.action}
      onClick={() => void desk.take(id)}
      onPointerEnter={() => point(desk, id)}
      onPointerLeave={() => point(desk, null)}
      onFocus={() => point(desk, id)}
      onBlur={() => point(desk, null)}
    >
      <kbd aria-hidden="true">{id < 9 ? id + 1 : ""}</kbd>
      <span class="step-text">
        <StepLabel choice={choice} isBelow />
        {isPlain && choice.journeys.length === 0 && choice.changes.length > 0 && (
          <span class="step-changes">
            {(choice.touches.length > 0 ? choice.changes.filter((it) => choice.touches.some((touch) => touch.variable === it.variable)) : choice.changes).slice(0, 2).map((it) => (
              <code>{it.text}</code>
            ))}
          </span>
        )}
      </span>
    </button>
  );
}

export function point(desk: Desk, choice: number | null) {
  if (desk.pointed === choice) return;
  desk.pointed = choice;
  desk.changed();
}

const SIGNS = { true: "✓", false: "✗", open: "–", error: "!" };
const TRUTHS = { true: "holds here", false: "false here", open: "says nothing about this state", error: "cannot be evaluated" };

export function Properties({ desk }: { desk: Desk }) {
  const properties = desk.entries[desk.cursor]?.properties ?? [];
  const result = desk.check.result;
  if (properties.length === 0) return null;
  /** What the last check says of it for all behaviours. */
  const verdict = (name: string) => {
    if (!result) return null;
    if (result.violation?.name === name) return "violated";
    return result.verdict === "holds" ? "proved" : null;
  };
  return (
    <Panel id="properties" title="Properties">
      <ul class="properties">
        {properties.map((it) => (
          <li class={`property ${it.truth}`} data-property={it.name} data-truth={it.truth} key={`${it.kind} ${it.name}`}>
            <span class="sign" aria-hidden="true">
              {SIGNS[it.truth]}
            </span>
            <span class="property-text">
              <span class="property-name">{it.name}</span>
              <span class="visually-hidden">: {TRUTHS[it.truth]}</span>
              <span class="property-kind">{it.kind}</span>
              {it.why && <span class="why">{it.why}</span>}
            </span>
            {verdict(it.name) && <span class={`verdict ${verdict(it.name)}`}>{verdict(it.name) === "proved" ? "in every state" : "violated"}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

export function Watches({ desk }: { desk: Desk }) {
  const [expr, setExpr] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  if (desk.about?.language !== "tla") return null;
  const add = async (event: Event) => {
    event.preventDefault();
    if (!expr.trim()) return;
    const wrong = await desk.watch(expr.trim());
    setProblem(wrong);
    if (!wrong) setExpr("");
  };
  return (
    <Panel id="watches" title="Watch">
      <ul class="watches">
        {desk.position?.watches.map((it) => (
          <li key={it.number}>
            <code class="watch-expr">{it.expr}</code>
            <code class={it.problem ? "watch-value wrong" : "watch-value"}>{it.value ?? it.problem}</code>
            <button type="button" class="icon quiet" aria-label={`Stop watching ${it.expr}`} onClick={() => desk.unwatch(it.number, it.expr)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <form class="line" onSubmit={add}>
        <input id="watch" value={expr} onInput={(event) => setExpr((event.target as HTMLInputElement).value)} placeholder="an expression, such as Cardinality(S)" aria-label="Expression to watch" spellcheck={false} autocomplete="off" />
        <button type="submit">Watch</button>
      </form>
      {problem && <pre class="problem">{problem}</pre>}
    </Panel>
  );
}
