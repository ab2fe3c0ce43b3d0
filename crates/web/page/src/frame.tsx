// A state as pictures: boards first and large, then everything else as a table of names and values.

import type { Choice, Frame, Part, Picture, Process, Table } from "./api";
import { BoardView } from "./board";
import { SmallBoard } from "./shapes";

interface Props {
  frame: Frame;
  choices: Choice[];
  pointed: number | null;
  onPoint: (choice: number | null) => void;
  onTake: (choice: number) => void;
  /** There is no state before that it could differ from. */
  isFirst: boolean;
}

export function FrameView({ frame, choices, pointed, onPoint, onTake, isFirst }: Props) {
  const boards = frame.parts.filter((it) => it.picture.kind === "board" || it.picture.kind === "svg");
  const others = frame.parts.filter((it) => !boards.includes(it));
  return (
    <div class="frame">
      {boards.length > 0 && (
        <div class={`boards n-${Math.min(boards.length, 3)}`}>
          {boards.map(({ name, picture }, i) =>
            picture.kind === "board" ? (
              <BoardView key={name} name={name} board={picture} choices={choices} pointed={pointed} onPoint={onPoint} onTake={onTake} size={i === 0 ? "large" : "small"} />
            ) : picture.kind === "svg" ? (
              <figure class="board drawn">
                <figcaption>{name}</figcaption>
                <img alt={name} src={`data:image/svg+xml,${encodeURIComponent(picture.svg)}`} />
              </figure>
            ) : null,
          )}
        </div>
      )}
      {others.length > 0 && (
        <dl class={`values${boards.length === 0 ? " alone" : ""}${isFirst ? " first" : ""}`}>
          {others.map((it) => (
            <Value part={it} key={it.name} />
          ))}
        </dl>
      )}
    </div>
  );
}

function Value({ part: { name, picture, changed } }: { part: Part }) {
  return (
    <div class={changed ? "value changed" : "value"} data-variable={name}>
      <dt>{name}</dt>
      <dd>{picture.kind === "table" ? <TableView table={picture} /> : picture.kind === "line" ? <code>{picture.text}</code> : null}</dd>
    </div>
  );
}

function TableView({ table }: { table: Table }) {
  return (
    <div class="table-box">
      <table>
        {table.header && (
          <thead>
            <tr>
              {table.rows[0] && table.rows[0].length > table.header.length && <th />}
              {table.header.map((it) => (
                <th scope="col">{it}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {table.rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td class={cell.changed ? "changed" : ""}>
                  <code>{cell.text}</code>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A state as a thumbnail. */
export function Thumbnail({ frame, processes = [], label }: { frame: Frame; processes?: Process[]; label?: string }) {
  const board = frame.parts.map((it) => it.picture).find((it): it is Picture & { kind: "board" } => it.kind === "board");
  if (board) return <SmallBoard board={board} label={label} />;
  const moved = processes.find((it) => it.moved);
  // Where the processes are is told by the one that moved.
  const others = processes.length > 0 ? frame.parts.filter((it) => it.name !== "processes") : frame.parts;
  const parts = others.filter((it) => it.changed);
  return (
    <span class="thumbnail-text">
      {moved && (
        <span>
          <b>{moved.name}</b> {moved.label}
        </span>
      )}
      {(parts.length > 0 || moved ? parts : others).slice(0, 4).map((it) => (
        <span>
          <b>{it.name}</b> {it.picture.kind === "line" ? it.picture.text : "…"}
        </span>
      ))}
    </span>
  );
}
