// The trace as a line to scrub along.

import { memo } from "preact/compat";
import { useEffect, useRef } from "preact/hooks";
import type { Entry } from "./api";
import type { Desk } from "./desk";
import { Thumbnail } from "./frame";
import { Icon } from "./icons";

/** More are not drawn; the slider shows all. */
const THUMBNAILS_MAX = 400;

export function Timeline({ desk }: { desk: Desk }) {
  const { entries, cursor, playing, loopTo } = desk;
  const strip = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const item = strip.current?.querySelector<HTMLElement>("[aria-current]");
    const box = strip.current;
    if (item && box) box.scrollTo({ left: item.offsetLeft - box.clientWidth / 2 + item.clientWidth / 2, behavior: "auto" });
  }, [cursor, entries.length]);
  if (entries.length === 0) return null;
  const last = entries.length - 1;
  const isLong = entries.length > THUMBNAILS_MAX;
  return (
    <section class="timeline" aria-label="Trace">
      <div class="transport">
        <button type="button" class="icon" onClick={() => desk.goTo(0)} disabled={cursor === 0} aria-label="First state" title="First state (Home)">
          <Icon of="first" />
        </button>
        <button type="button" class="icon" onClick={() => desk.undo()} disabled={cursor === 0} aria-label="Undo" title="Back (← or u)">
          <Icon of="back" />
        </button>
        <button type="button" class="icon main" id="playback" onClick={() => desk.togglePlaying()} disabled={last === 0} aria-label={playing ? "Pause" : "Play back"} title="Play back (space)">
          <Icon of={playing ? "pause" : "play"} />
        </button>
        <button type="button" class="icon" onClick={() => desk.redo()} disabled={cursor >= last} aria-label="Redo" title="Forward (→ or r)">
          <Icon of="forward" />
        </button>
        <button type="button" class="icon" onClick={() => desk.goTo(last)} disabled={cursor >= last} aria-label="Last state" title="Last state (End)">
          <Icon of="last" />
        </button>
        <input
          type="range"
          id="scrub"
          min={0}
          max={last}
          value={cursor}
          aria-label="State of the trace"
          aria-valuetext={`state ${cursor + 1} of ${last + 1}`}
          onInput={(event) => desk.goTo(Number((event.target as HTMLInputElement).value))}
        />
        <output id="place">
          {cursor + 1}
          <span> / {last + 1}</span>
        </output>
      </div>
      {!isLong && (
        <ol class="strip" ref={strip}>
          {entries.map((entry, i) => (
            <li key={i}>
              <Item entry={entry} index={i} isCurrent={i === cursor} isFuture={i > cursor} desk={desk} />
            </li>
          ))}
          {loopTo !== null && (
            <li class="loop">
              {desk.stutters ? (
                <span>then stutters for ever</span>
              ) : (
                <button type="button" onClick={() => desk.goTo(loopTo)}>
                  ↩ back to state {loopTo + 1}
                </button>
              )}
            </li>
          )}
        </ol>
      )}
    </section>
  );
}

interface ItemProps {
  entry: Entry;
  index: number;
  isCurrent: boolean;
  isFuture: boolean;
  desk: Desk;
}

const Item = memo(
  function Item({ entry, index, isCurrent, isFuture, desk }: ItemProps) {
    const bad = entry.properties.filter((it) => it.truth === "false").map((it) => it.name);
    const label = entry.step?.label ?? "Init";
    return (
      <button
        type="button"
        class={`moment${isFuture ? " future" : ""}${bad.length > 0 ? " bad" : ""}`}
        aria-current={isCurrent ? "step" : undefined}
        aria-label={`State ${index + 1}: ${label}${bad.length > 0 ? `, ${bad.join(", ")} false` : ""}`}
        title={`${index + 1}: ${label}`}
        onClick={() => desk.goTo(index)}
      >
        <Thumbnail frame={entry.frame} processes={entry.processes} label="" />
        <span class="moment-label">
          <b>{index + 1}</b> {(entry.step?.told ? entry.step.label : entry.step?.action) ?? "Init"}
        </span>
      </button>
    );
  },
  (a, b) => a.entry === b.entry && a.isCurrent === b.isCurrent && a.isFuture === b.isFuture && a.index === b.index,
);
