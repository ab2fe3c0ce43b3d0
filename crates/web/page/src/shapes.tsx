// How marks and pieces look, on large boards and on small ones.

import type { Board, Cell } from "./api";

const BLANK = new Set(["", " ", "_", "-", ".", "·", "FALSE"]);

export function isBlank(cell: Cell): boolean {
  return cell.piece === null && BLANK.has(cell.text);
}

/** A piece with the cells that it covers, as row and column from 0. */
export interface Piece {
  number: number;
  name: string;
  cells: [number, number][];
  top: number;
  left: number;
  height: number;
  width: number;
  /** Which of the colours. Pieces of one shape have one colour. */
  colour: number;
  changed: boolean;
}

export const COLOURS = 8;

export function pieces(board: Board): Piece[] {
  const found = new Map<number, Piece>();
  board.cells.forEach((cell, i) => {
    if (cell.piece === null) return;
    const at: [number, number] = [Math.floor(i / board.columns.len), i % board.columns.len];
    const piece = found.get(cell.piece);
    if (piece) piece.cells.push(at);
    else
      found.set(cell.piece, {
        number: cell.piece,
        name: cell.text,
        cells: [at],
        top: 0,
        left: 0,
        height: 0,
        width: 0,
        colour: 0,
        changed: cell.changed,
      });
  });
  const all = [...found.values()].sort((a, b) => a.number - b.number);
  for (const it of all) {
    const rows = it.cells.map((at) => at[0]);
    const columns = it.cells.map((at) => at[1]);
    it.top = Math.min(...rows);
    it.left = Math.min(...columns);
    it.height = Math.max(...rows) - it.top + 1;
    it.width = Math.max(...columns) - it.left + 1;
  }
  // Larger shapes first; where all pieces have one shape, each has a colour of its own.
  const shape = (it: Piece) =>
    `${String(99 - it.cells.length).padStart(2, "0")} ${it.width} ${it.cells.map(([r, c]) => `${r - it.top},${c - it.left}`).join(" ")}`;
  const shapes = [...new Set(all.map(shape))].sort();
  for (const it of all) it.colour = (shapes.length > 1 ? shapes.indexOf(shape(it)) : it.number) % COLOURS;
  return all;
}

/** The outline of a piece, a cell being 100 wide: round where it turns outwards, joined where cells meet. */
export function outline(piece: Piece, gap: number, round: number): string {
  const has = (row: number, column: number) => piece.cells.some(([r, c]) => r === row && c === column);
  return piece.cells
    .map(([row, column]) => {
      const [up, down] = [has(row - 1, column), has(row + 1, column)];
      const [left, right] = [has(row, column - 1), has(row, column + 1)];
      const x0 = (column - piece.left) * 100 + (left ? -0.5 : gap);
      const x1 = (column - piece.left + 1) * 100 - (right ? -0.5 : gap);
      const y0 = (row - piece.top) * 100 + (up ? -0.5 : gap);
      const y1 = (row - piece.top + 1) * 100 - (down ? -0.5 : gap);
      const corner = (a: boolean, b: boolean) => (a || b ? 0 : round);
      const [nw, ne, se, sw] = [corner(up, left), corner(up, right), corner(down, right), corner(down, left)];
      return (
        `M${x0 + nw} ${y0}H${x1 - ne}a${ne} ${ne} 0 0 1 ${ne} ${ne}V${y1 - se}a${se} ${se} 0 0 1 ${-se} ${se}` +
        `H${x0 + sw}a${sw} ${sw} 0 0 1 ${-sw} ${-sw}V${y0 + nw}a${nw} ${nw} 0 0 1 ${nw} ${-nw}z`
      );
    })
    .join("");
}

/** What stands in a cell, drawn in a square of 100. */
export function Mark({ text }: { text: string }) {
  switch (text) {
    case "X":
    case "x":
      return <path class="mark mark-x" d="M27 27L73 73M73 27L27 73" />;
    case "O":
    case "o":
      return <circle class="mark mark-o" cx="50" cy="50" r="25" />;
    case "●":
    case "TRUE":
      return <circle class="mark-disc" cx="50" cy="50" r="22" />;
    default: {
      const size = Math.min(52, 150 / Math.max(1, [...text].length));
      return (
        <text class="mark-text" x="50" y={50 + size * 0.35} font-size={size} text-anchor="middle">
          {text}
        </text>
      );
    }
  }
}

/** A board as a picture that nobody touches. */
export function SmallBoard({ board, label }: { board: Board; label?: string }) {
  const { rows, columns } = board;
  const shown = pieces(board);
  const at = (i: number) => `translate(${(i % columns.len) * 100} ${Math.floor(i / columns.len) * 100})`;
  const hasPieces = shown.length > 0;
  return (
    <svg
      class={`small-board${hasPieces ? " with-pieces" : ""}`}
      viewBox={`-4 -4 ${columns.len * 100 + 8} ${rows.len * 100 + 8}`}
      role="img"
      aria-label={label ?? words(board)}
    >
      {board.cells.map((cell, i) => (
        <g key={i} transform={at(i)}>
          <rect class={`small-cell${cell.changed && !hasPieces ? " changed" : ""}`} x="3" y="3" width="94" height="94" rx="10" />
          {cell.piece === null && !isBlank(cell) && <Mark text={cell.text} />}
        </g>
      ))}
      {shown.map((it) => (
        <path
          key={it.number}
          class={`piece piece-${it.colour}`}
          transform={`translate(${it.left * 100} ${it.top * 100})`}
          d={outline(it, 4, 14)}
        />
      ))}
    </svg>
  );
}

/** A board in words: row by row. */
export function words(board: Board): string {
  const { rows, columns } = board;
  const lines = [];
  for (let row = 0; row < rows.len; row++) {
    const cells = board.cells.slice(row * columns.len, (row + 1) * columns.len);
    lines.push(cells.map((it) => (isBlank(it) ? "blank" : it.text)).join(" "));
  }
  return lines.join("; ");
}
