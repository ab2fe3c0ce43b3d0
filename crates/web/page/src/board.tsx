// A board that is played: a click on a cell offers the steps that change it, a piece can be dragged.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, Choice } from "./api";
import { Mark, type Piece, isBlank, outline, pieces } from "./shapes";

interface Props {
  name: string;
  board: Board;
  choices: Choice[];
  pointed: number | null;
  onPoint: (choice: number | null) => void;
  onTake: (choice: number) => void;
  size: "large" | "small";
}

interface Offer {
  cell: number;
  choices: number[];
}

interface Drag {
  piece: number;
  x: number;
  y: number;
  cell: number;
  dx: number;
  dy: number;
}

/** A shorter way is a click, in pixels. */
const CLICK_MAX = 6;
/** How far a piece must be dragged to move, in cells. */
const DRAG_MIN = 0.3;

export function BoardView({ name, board, choices, pointed, onPoint, onTake, size }: Props) {
  const { rows, columns } = board;
  const grid = useRef<HTMLDivElement>(null);
  const [offer, setOffer] = useState<Offer | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [focus, setFocus] = useState(0);
  /** The end of a drag is no click. */
  const dragged = useRef(false);
  const shown = pieces(board);
  const index = (row: number, column: number) => (row - rows.first) * columns.len + (column - columns.first);
  const changing = (cell: number) => {
    const ids: number[] = [];
    choices.forEach((choice, i) => {
      if (choice.touches.some((it) => it.variable === name && index(it.row, it.column) === cell)) ids.push(i);
    });
    return ids;
  };
  const marked = new Set(
    pointed === null ? [] : (choices[pointed]?.touches ?? []).filter((it) => it.variable === name).map((it) => index(it.row, it.column)),
  );

  useEffect(() => setOffer(null), [board]);
  useEffect(() => {
    if (!offer) return;
    const close = (event: Event) => {
      if (event instanceof KeyboardEvent && event.key !== "Escape") return;
      if (event instanceof PointerEvent && (event.target as Element).closest(".offer")) return;
      setOffer(null);
      onPoint(null);
    };
    addEventListener("pointerdown", close);
    addEventListener("keydown", close);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("keydown", close);
    };
  }, [offer]);

  const press = (cell: number) => {
    if (dragged.current) {
      dragged.current = false;
      return;
    }
    const ids = changing(cell);
    if (ids.length === 1) onTake(ids[0]);
    else if (ids.length > 1) setOffer({ cell, choices: ids });
  };

  const cellWidth = () => (grid.current?.clientWidth ?? 1) / columns.len;
  const journeys = (piece: number) =>
    choices.flatMap((choice, i) =>
      choice.journeys.filter((it) => it.variable === name && it.piece === piece).map((it) => ({ choice: i, by: it.by })),
    );
  /** The journey that goes most the way of the pointer. */
  const towards = (dragged: Drag) => {
    const width = cellWidth();
    let best: { choice: number; by: [number, number]; share: number } | null = null;
    for (const it of journeys(dragged.piece)) {
      const [down, right] = it.by;
      const length = Math.hypot(down, right);
      const share = (dragged.dx * right + dragged.dy * down) / (width * length * length);
      if (share > 0 && (!best || share > best.share)) best = { ...it, share };
    }
    return best;
  };
  const pull = (piece: Piece): string => {
    if (drag?.piece !== piece.number) return "";
    const best = towards(drag);
    if (!best) return "";
    const share = Math.min(1, best.share);
    return `translate(${best.by[1] * share * 100}%, ${best.by[0] * share * 100}%)`;
  };

  const onDown = (event: PointerEvent, cell: number) => {
    const { piece } = board.cells[cell];
    if (piece === null || event.button !== 0 || journeys(piece).length === 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    dragged.current = false;
    setDrag({ piece, x: event.clientX, y: event.clientY, cell, dx: 0, dy: 0 });
  };
  const onMove = (event: PointerEvent) => {
    if (drag) setDrag({ ...drag, dx: event.clientX - drag.x, dy: event.clientY - drag.y });
  };
  const onUp = () => {
    if (!drag) return;
    setDrag(null);
    if (Math.hypot(drag.dx, drag.dy) < CLICK_MAX) return;
    dragged.current = true;
    const best = towards(drag);
    if (best && best.share >= DRAG_MIN) onTake(best.choice);
  };

  const onKey = (event: KeyboardEvent, cell: number) => {
    const by: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns.len, ArrowDown: columns.len };
    const step = by[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const isSameRow = Math.floor((cell + step) / columns.len) === Math.floor(cell / columns.len);
    const to = cell + step;
    if (to < 0 || to >= board.cells.length || (Math.abs(step) === 1 && !isSameRow)) return;
    setFocus(to);
    grid.current?.querySelectorAll<HTMLElement>(".cell")[to]?.focus();
  };

  return (
    <figure class={`board ${size}${shown.length > 0 ? " with-pieces" : ""}`} style={{ "--rows": rows.len, "--columns": columns.len }}>
      <figcaption>{name}</figcaption>
      <div class="board-frame">
        <div class="column-numbers" aria-hidden="true">
          {Array.from({ length: columns.len }, (_, i) => (
            <span>{columns.first + i}</span>
          ))}
        </div>
        <div class="row-numbers" aria-hidden="true">
          {Array.from({ length: rows.len }, (_, i) => (
            <span>{rows.first + i}</span>
          ))}
        </div>
        <div class="grid" ref={grid} role="grid" aria-label={name} aria-rowcount={rows.len} aria-colcount={columns.len} onPointerMove={onMove} onPointerUp={onUp} onPointerCancel={() => setDrag(null)}>
          {shown.map((it) => (
            <div
              key={`piece ${it.number}`}
              class={`piece-box${drag?.piece === it.number ? " dragged" : ""}`}
              data-piece={it.number}
              style={{
                width: `${(it.width / columns.len) * 100}%`,
                height: `${(it.height / rows.len) * 100}%`,
                left: `${(it.left / columns.len) * 100}%`,
                top: `${(it.top / rows.len) * 100}%`,
              }}
            >
              {/* The pull is told in cells, so it is applied to a box of one cell. */}
              <div class="piece-pull" style={{ width: `${100 / it.width}%`, height: `${100 / it.height}%`, transform: pull(it) }}>
                <svg viewBox={`0 0 ${it.width * 100} ${it.height * 100}`} style={{ width: `${it.width * 100}%`, height: `${it.height * 100}%` }} aria-hidden="true">
                  <path class={`piece piece-${it.colour}`} d={outline(it, 3, 13)} />
                  <text class="piece-name" x={it.width * 50} y={it.height * 50 + 9} text-anchor="middle">
                    {it.name}
                  </text>
                </svg>
              </div>
            </div>
          ))}
          {Array.from({ length: rows.len }, (_, row) => (
            <div role="row" class="row" key={`row ${row}`}>
              {board.cells.slice(row * columns.len, (row + 1) * columns.len).map((cell, column) => {
                const i = row * columns.len + column;
                const ids = changing(i);
                const blank = isBlank(cell);
                const classes = ["cell"];
                if (cell.changed && cell.piece === null) classes.push("changed");
                if (ids.length > 0) classes.push("open");
                if (marked.has(i)) classes.push("marked");
                if (cell.piece !== null) classes.push("covered");
                return (
                  <button
                    type="button"
                    role="gridcell"
                    key={i}
                    class={classes.join(" ")}
                    data-row={rows.first + row}
                    data-column={columns.first + column}
                    data-text={cell.text}
                    tabIndex={i === focus ? 0 : -1}
                    aria-label={`row ${rows.first + row}, column ${columns.first + column}: ${blank ? "blank" : cell.text}${
                      ids.length === 0 ? "" : ids.length === 1 ? `. ${choices[ids[0]].step.label}` : `. ${ids.length} steps`
                    }`}
                    aria-disabled={ids.length === 0}
                    onFocus={() => setFocus(i)}
                    onClick={() => press(i)}
                    onPointerDown={(event) => onDown(event, i)}
                    onPointerEnter={() => ids.length === 1 && onPoint(ids[0])}
                    onPointerLeave={() => !offer && onPoint(null)}
                    onKeyDown={(event) => onKey(event, i)}
                  >
                    {cell.piece === null && (
                      <svg viewBox="0 0 100 100" aria-hidden="true">
                        {blank ? <circle class="blank" cx="50" cy="50" r="2.6" /> : <Mark text={cell.text} />}
                      </svg>
                    )}
                  </button>
                );
              })}
            </div>
          ))}
          {offer && (
            <div
              class="offer"
              role="menu"
              aria-label="Steps that change this cell"
              style={{
                left: `${(((offer.cell % columns.len) + 0.5) / columns.len) * 100}%`,
                top: `${((Math.floor(offer.cell / columns.len) + 0.8) / rows.len) * 100}%`,
              }}
            >
              {offer.choices.map((id, i) => (
                <button
                  type="button"
                  role="menuitem"
                  ref={i === 0 ? (it) => it?.focus({ preventScroll: true }) : undefined}
                  onPointerEnter={() => onPoint(id)}
                  onFocus={() => onPoint(id)}
                  onClick={() => onTake(id)}
                >
                  <StepLabel choice={choices[id]} />
                </button>
              ))}
            </div>
          )}
        </div>
      </div>
    </figure>
  );
}

const ARROWS: Record<string, string> = { "-1,0": "↑", "1,0": "↓", "0,-1": "←", "0,1": "→" };

/** Where the pieces of a step go, as arrows. */
export function arrows(choice: Choice): string {
  return choice.journeys.map(({ by: [down, right] }) => ARROWS[`${Math.sign(down)},${Math.sign(right)}`] ?? "↗").join("");
}

/** `isBelow`: whose step it is stands above it. */
export function StepLabel({ choice, isBelow }: { choice: Choice; isBelow?: boolean }) {
  const { action, parameters, told, label } = choice.step;
  const arrow = arrows(choice);
  return (
    <span class="step-label">
      {arrow && <b class="arrow">{arrow}</b>}
      <span class="action">{told ? (isBelow ? label.replace(/^.*: (?=\S+ -> \S+$)/, "") : label) : action}</span>
      {(told ? [] : parameters).map((it) => (
        <span class="parameter">
          {it.name} = {it.text.length > 40 ? `${it.text.slice(0, 39)}…` : it.text}
        </span>
      ))}
      {choice.stutters && <em class="note">changes nothing</em>}
      {choice.excluded && <em class="note">outside of the constraint</em>}
    </span>
  );
}
