// The text of an algorithm, with a button for each process at the label where it is: a click takes its next step.

import { useEffect, useRef, useState } from "preact/hooks";
import type { AlgorithmText, Choice, Process } from "./api";
import { StepLabel } from "./board";

interface Props {
  text: AlgorithmText;
  processes: Process[];
  choices: Choice[];
  pointed: number | null;
  onPoint: (choice: number | null) => void;
  onTake: (choice: number) => void;
}

export function AlgorithmView({ text, processes, choices, pointed, onPoint, onTake }: Props) {
  const [offer, setOffer] = useState<number | null>(null);
  const host = useRef<HTMLOListElement>(null);
  useEffect(() => setOffer(null), [processes]);
  // The marks are in sight: the page itself stays where it is.
  useEffect(() => {
    const box = host.current;
    const marked = box?.querySelector<HTMLElement>(".process-mark.moved, .process-mark")?.closest("li");
    if (!box || !marked) return;
    const top = marked.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + marked.clientHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }, [processes]);
  const stepsOf = (process: number) => choices.flatMap((it, id) => (it.process === process ? [id] : []));
  const marks = (line: number) => processes.flatMap((it, i) => (it.line === line ? [i] : []));
  const press = (process: number) => {
    const ids = stepsOf(process);
    if (ids.length === 1) onTake(ids[0]);
    else if (ids.length > 1) setOffer(offer === process ? null : process);
  };
  return (
    <figure class="algorithm">
      <figcaption>{text.file}</figcaption>
      <ol class="algorithm-lines" ref={host} tabIndex={0} aria-label="Text of the algorithm">
        {text.lines.map((line, i) => {
          const number = text.firstLine + i;
          const here = marks(number);
          return (
            <li key={number} class={here.length > 0 ? "marked" : ""} data-line={number}>
              <span class="line-number" aria-hidden="true">
                {number}
              </span>
              <code>{line || " "}</code>
              {here.length > 0 && (
                <span class="process-marks">
                  {here.map((process) => (
                    <Mark key={process} process={processes[process]} ids={stepsOf(process)} pointed={pointed} onPoint={onPoint} onPress={() => press(process)} />
                  ))}
                </span>
              )}
              {offer !== null && here.includes(offer) && (
                <span class="process-offer" role="menu" aria-label={`Steps of ${processes[offer].name}`}>
                  {stepsOf(offer).map((id) => (
                    <button type="button" role="menuitem" onPointerEnter={() => onPoint(id)} onClick={() => onTake(id)}>
                      <StepLabel choice={choices[id]} />
                      {choices[id].changes.slice(0, 2).map((it) => (
                        <code>{it.text}</code>
                      ))}
                    </button>
                  ))}
                </span>
              )}
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

interface MarkProps {
  process: Process;
  ids: number[];
  pointed: number | null;
  onPoint: (choice: number | null) => void;
  onPress: () => void;
}

function Mark({ process, ids, pointed, onPoint, onPress }: MarkProps) {
  const classes = ["process-mark"];
  if (ids.length > 0) classes.push("open");
  if (process.waitsFor) classes.push("waits");
  if (process.moved) classes.push("moved");
  if (pointed !== null && ids.includes(pointed)) classes.push("pointed");
  const name = process.name || "here";
  const what = ids.length > 0 ? `take the step from ${process.label}` : (process.waitsFor ?? "no step");
  return (
    <button
      type="button"
      class={classes.join(" ")}
      data-process={process.name}
      aria-label={`${name} at ${process.label}: ${what}`}
      aria-disabled={ids.length === 0}
      title={what}
      onPointerEnter={() => ids.length === 1 && onPoint(ids[0])}
      onPointerLeave={() => onPoint(null)}
      onClick={onPress}
    >
      {name}
    </button>
  );
}
