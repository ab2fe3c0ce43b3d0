// Questions about all behaviours: check, solve, and what each set of rules gives.

import type { CheckResult, Progress } from "./api";
import type { Desk, Running } from "./desk";
import { Panel } from "./panels";

const grouped = new Intl.NumberFormat("en", { useGrouping: true });

export function number(n: number): string {
  return grouped.format(n).replaceAll(",", " ");
}

export function Check({ desk }: { desk: Desk }) {
  const { check, source } = desk;
  const configs = source?.files.filter((it) => it.name.endsWith(".cfg")) ?? [];
  const isAlloy = desk.about?.language === "alloy";
  return (
    <Panel id="check" title={isAlloy ? "Run" : "Check"}>
      <div class="line">
        {configs.length > 0 && (
          <select id="config" aria-label="Configuration" value={source?.config ?? ""} onChange={(event) => desk.setConfig((event.target as HTMLSelectElement).value || null)}>
            {configs.map((it) => (
              <option value={it.name}>{it.name}</option>
            ))}
            <option value="">no configuration</option>
          </select>
        )}
        <Go running={check} id="start-check" label={isAlloy ? "Run all commands" : "Check every state"} start={() => void desk.startCheck()} desk={desk} />
      </div>
      <Busy running={check} />
      <Outcome running={check} desk={desk} />
    </Panel>
  );
}

export function Solve({ desk }: { desk: Desk }) {
  const { solve, about } = desk;
  if (about?.language !== "tla") return null;
  const start = (event: Event) => {
    event.preventDefault();
    if (desk.goal.trim()) void desk.startSolve(false);
  };
  return (
    <Panel id="solve" title="Solve">
      <form onSubmit={start}>
        <div class="line">
          <input
            id="goal"
            list="goals"
            value={desk.goal}
            onInput={(event) => desk.setGoal((event.target as HTMLInputElement).value)}
            placeholder="a goal, such as x = 3"
            aria-label="Goal: a state predicate"
            spellcheck={false}
            autocomplete="off"
          />
          <datalist id="goals">
            {about.predicates.map((it) => (
              <option value={it} />
            ))}
          </datalist>
          <Go running={solve} id="start-solve" label="Fewest steps" start={null} desk={desk} disabled={!desk.goal.trim()} />
        </div>
        {desk.goal.trim() && desk.cursor > 0 && !solve.stop && (
          <button type="button" class="link" onClick={() => void desk.startSolve(true)}>
            from the state that is shown
          </button>
        )}
      </form>
      <Busy running={solve} />
      <Outcome running={solve} desk={desk} />
    </Panel>
  );
}

export function Rules({ desk }: { desk: Desk }) {
  const { about, rules, source } = desk;
  if (!about) return null;
  if (about.rules.length === 0) {
    if (about.conjoined.length === 0) return null;
    return (
      <Panel id="rules" title="Rules">
        <p class="note">This is also a conjunction of rules that can be switched:</p>
        <div class="line wrap">
          {about.conjoined.map((it) => (
            <button type="button" data-config={it} onClick={() => desk.setConfig(it)}>
              {it.replace(/\.cfg$/, "")}
            </button>
          ))}
        </div>
      </Panel>
    );
  }
  const off = new Set(source?.without);
  return (
    <Panel id="rules" title="Rules" aside={<span class="count">{about.rules.length - off.size} of {about.rules.length}</span>}>
      <ul class="rules">
        {about.rules.map((rule, i) => (
          <li key={rule.name}>
            <label class="switch">
              <input type="checkbox" role="switch" data-rule={rule.name} checked={!off.has(rule.name)} disabled={desk.busy} onChange={() => desk.switchRule(rule.name)} />
              <span class="slider" aria-hidden="true" />
              <span class="rule-number">{i + 1}</span>
              <span class="rule-name">{rule.name}</span>
            </label>
          </li>
        ))}
      </ul>
      <Busy running={rules} />
      {rules.refused && <p class="problem">{rules.refused}</p>}
      {rules.result && (
        <>
          <h3>With these rules</h3>
          <ul class="verdicts">
            {rules.result.verdicts.map((it) => (
              <li class={`verdict-row ${it.verdict}`} data-property={it.name} data-verdict={it.verdict}>
                <span class="sign" aria-hidden="true">
                  {it.verdict === "holds" ? "✓" : it.verdict === "violated" ? "✗" : "?"}
                </span>
                <span class="property-text">
                  <span class="property-name">{it.name}</span>
                  <span class="property-kind">{it.verdict === "holds" ? "always true" : it.verdict === "violated" ? (it.steps === null ? "false" : it.endless ? "false for ever" : `false after ${it.steps} steps`) : it.verdict}</span>
                  {it.why && it.verdict !== "holds" && <span class="why">{it.why}</span>}
                </span>
                {it.trace && (
                  <button type="button" class="link" onClick={() => it.trace && void desk.load(it.trace, "end")}>
                    show
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

function Go({ running, id, label, start, desk, disabled }: { running: Running<unknown>; id: string; label: string; start: (() => void) | null; desk: Desk; disabled?: boolean }) {
  if (running.stop)
    return (
      <button type="button" class="stop" id={`${id}-stop`} onClick={() => desk.cancel(running)}>
        Stop
      </button>
    );
  return (
    <button type={start ? "button" : "submit"} class="primary" id={id} onClick={start ?? undefined} disabled={disabled || desk.about === null}>
      {label}
    </button>
  );
}

function Busy({ running }: { running: Running<unknown> }) {
  if (!running.stop) return null;
  const it: Progress | null = running.progress;
  // How much of what is known is done: the only fraction a search can tell.
  const share = it && it.distinct > 0 && it.queue >= 0 ? Math.max(0.03, 1 - it.queue / it.distinct) : null;
  return (
    <div class="busy" role="status">
      <div class="bar" role="progressbar" aria-label="Progress" aria-valuemin={0} aria-valuemax={100} aria-valuenow={share === null ? undefined : Math.round(share * 100)}>
        <span class={share === null ? "unknown" : ""} style={share === null ? {} : { width: `${share * 100}%` }} />
      </div>
      <p>
        {it ? (
          <>
            {it.note ? `${it.note} · ` : ""}
            {number(it.distinct)} states · depth {it.depth} · {number(it.queue)} to do · {it.seconds.toFixed(1)} s
          </>
        ) : (
          "starting…"
        )}
      </p>
    </div>
  );
}

function Outcome({ running, desk }: { running: Running<CheckResult>; desk: Desk }) {
  const { result, refused } = running;
  if (refused) return <p class="problem">{refused}</p>;
  if (!result) return null;
  const { states, trace } = result;
  return (
    <div class={`outcome ${result.verdict}`} id={`outcome-${result.verdict}`} data-verdict={result.verdict}>
      <p class="headline">{result.headline}</p>
      {result.why && <p class="why">{result.why}</p>}
      {result.notes.map((it) => (
        <p class="why">{it}</p>
      ))}
      {states.distinct > 0 && (
        <p class="numbers">
          {number(states.distinct)} states · {number(states.generated)} generated · depth {states.depth} · {result.seconds.toFixed(2)} s
        </p>
      )}
      {trace && trace.entries.length > 0 && (
        <button type="button" class="link" onClick={() => void desk.load(trace, "start").then(() => desk.togglePlaying())}>
          ▶ play it back
        </button>
      )}
      {result.verdict === "error" &&
        result.diagnostics.slice(0, 3).map((it) => <pre class="problem">{it.text}</pre>)}
    </div>
  );
}
