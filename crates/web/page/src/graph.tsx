// The graph of all states of a small specification, in layers by depth, to pan and zoom.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board, GraphResult } from "./api";
import type { Desk } from "./desk";
import { Thumbnail } from "./frame";
import { Icon } from "./icons";
import { Mark, isBlank, outline, pieces } from "./shapes";

interface Spot {
  x: number;
  y: number;
}

const BOARD = 64;
const DOT = 14;

/** Layers by depth; within a layer, by where the predecessors are, a few times over. */
function layout(graph: GraphResult, width: number, height: number): Spot[] {
  const layers: number[][] = [];
  graph.nodes.forEach((node, i) => (layers[node.depth] ??= []).push(i));
  const before: number[][] = graph.nodes.map(() => []);
  const after: number[][] = graph.nodes.map(() => []);
  for (const [from, to] of graph.edges) {
    if (graph.nodes[from].depth === graph.nodes[to].depth - 1) {
      before[to].push(from);
      after[from].push(to);
    }
  }
  const order = graph.nodes.map(() => 0);
  const number = () => layers.forEach((layer) => layer.forEach((node, i) => (order[node] = i - (layer.length - 1) / 2)));
  number();
  const sweep = (neighbours: number[][]) => {
    for (const layer of layers) {
      const mean = (node: number) => {
        const all = neighbours[node];
        return all.length > 0 ? all.reduce((sum, it) => sum + order[it], 0) / all.length : order[node];
      };
      const means = new Map(layer.map((it) => [it, mean(it)]));
      layer.sort((a, b) => means.get(a)! - means.get(b)! || a - b);
      layer.forEach((node, i) => (order[node] = i - (layer.length - 1) / 2));
    }
  };
  for (let i = 0; i < 6; i++) {
    sweep(before);
    layers.reverse();
    sweep(after);
    layers.reverse();
  }
  return graph.nodes.map((node, i) => ({ x: order[i] * width, y: node.depth * height }));
}

export function Graph({ desk }: { desk: Desk }) {
  const { graph } = desk;
  if (graph.refused) return <p class="problem">{graph.refused}</p>;
  if (!graph.result)
    return (
      <p class="loading" role="status">
        {graph.progress ? `${graph.progress.distinct} states so far…` : "Looking at every state…"}
      </p>
    );
  return <Drawn graph={graph.result} desk={desk} />;
}

function Drawn({ graph, desk }: { graph: GraphResult; desk: Desk }) {
  const boards = graph.nodes.map((it) => it.frame?.parts.map((part) => part.picture).find((it): it is Board => it.kind === "board") ?? null);
  const withBoards = graph.nodes.length <= 300 && boards.some((it) => it !== null);
  const size = withBoards ? BOARD : DOT;
  const spots = useMemo(() => layout(graph, size * (withBoards ? 1.35 : 1.9), size * (withBoards ? 2 : 5)), [graph]);
  const svg = useRef<SVGSVGElement>(null);
  const xs = spots.map((it) => it.x);
  const ys = spots.map((it) => it.y);
  const bounds = {
    x: Math.min(...xs) - size,
    y: Math.min(...ys) - size,
    width: Math.max(...xs) - Math.min(...xs) + 2 * size,
    height: Math.max(...ys) - Math.min(...ys) + 2 * size,
  };
  const [box, setBox] = useState(bounds);
  const [drag, setDrag] = useState<{ x: number; y: number } | null>(null);
  const [hover, setHover] = useState<number | null>(null);
  const moved = useRef(0);
  useEffect(() => setBox(bounds), [graph]);

  const scale = () => Math.max(box.width / (svg.current?.clientWidth || 1), box.height / (svg.current?.clientHeight || 1));
  const zoom = (by: number, at?: Spot) => {
    const centre = at ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const width = box.width * by;
    if (width < size * 2 || width > bounds.width * 6) return;
    setBox({ x: centre.x - (centre.x - box.x) * by, y: centre.y - (centre.y - box.y) * by, width, height: box.height * by });
  };
  const point = (event: MouseEvent): Spot => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return { x: at.x, y: at.y };
  };
  const onKey = (event: KeyboardEvent) => {
    const pan: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const by = pan[event.key];
    if (by) setBox({ ...box, x: box.x + by[0] * box.width * 0.1, y: box.y + by[1] * box.height * 0.1 });
    else if (event.key === "+" || event.key === "=") zoom(0.8);
    else if (event.key === "-") zoom(1.25);
    else if (event.key === "0") setBox(bounds);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const near = hover === null ? null : new Set(graph.edges.filter(([from, to]) => from === hover || to === hover).flatMap(([from, to]) => [from, to]));

  return (
    <div class="graph">
      <div class="graph-tools">
        <span>
          {graph.nodes.length} states, {graph.edges.length} steps
          {graph.truncated && `: there are more than ${graph.limit}, these are the first`}
        </span>
        <button type="button" class="icon" aria-label="Zoom in" onClick={() => zoom(0.8)}>
          +
        </button>
        <button type="button" class="icon" aria-label="Zoom out" onClick={() => zoom(1.25)}>
          −
        </button>
        <button type="button" class="icon" aria-label="Show everything" onClick={() => setBox(bounds)}>
          <Icon of="whole" />
        </button>
      </div>
      <svg
        ref={svg}
        class={drag ? "graph-picture grabbing" : "graph-picture"}
        viewBox={`${box.x} ${box.y} ${box.width} ${box.height}`}
        tabIndex={0}
        role="application"
        aria-label={`State graph: ${graph.nodes.length} states, ${graph.edges.length} steps. Arrow keys move it, plus and minus zoom, tab goes from state to state.`}
        onWheel={(event) => {
          event.preventDefault();
          zoom(event.deltaY > 0 ? 1.12 : 0.89, point(event));
        }}
        onPointerDown={(event) => {
          moved.current = 0;
          setDrag({ x: event.clientX, y: event.clientY });
        }}
        onPointerMove={(event) => {
          if (!drag) return;
          const by = scale();
          moved.current += Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y);
          setBox({ ...box, x: box.x - (event.clientX - drag.x) * by, y: box.y - (event.clientY - drag.y) * by });
          setDrag({ x: event.clientX, y: event.clientY });
        }}
        onPointerUp={() => setDrag(null)}
        onPointerLeave={() => setDrag(null)}
        onKeyDown={onKey}
      >
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0L8 4L0 8z" class="arrow-head" />
          </marker>
        </defs>
        {graph.edges.map(([from, to, label], i) => (
          <path
            key={i}
            class={`edge${hover !== null && (from === hover || to === hover) ? " near" : hover !== null ? " far" : ""}`}
            d={curve(spots[from], spots[to], size / 2, from === to)}
            marker-end="url(#arrow)"
          >
            <title>{label}</title>
          </path>
        ))}
        {graph.nodes.map((node, i) => (
          <g
            key={i}
            class={`node${node.bad.length > 0 ? " bad" : ""}${node.initial ? " initial" : ""}${node.dead ? " dead" : ""}${near && !near.has(i) ? " far" : ""}`}
            transform={`translate(${spots[i].x} ${spots[i].y})`}
            tabIndex={0}
            role="button"
            aria-label={`State at depth ${node.depth + 1}${node.bad.length > 0 ? `, ${node.bad.join(", ")} false` : ""}`}
            onPointerEnter={() => setHover(i)}
            onPointerLeave={() => setHover(null)}
            onClick={() => moved.current < 6 && desk.walk(node.path)}
            onKeyDown={(event) => event.key === "Enter" && desk.walk(node.path)}
          >
            {withBoards && boards[i] ? <NodeBoard board={boards[i]!} size={size} /> : <circle r={size / 2} class="dot" />}
            <title>{node.bad.length > 0 ? `${node.bad.join(", ")} false` : `depth ${node.depth + 1}`}</title>
          </g>
        ))}
      </svg>
      {hover !== null && graph.nodes[hover].frame && !withBoards && (
        <div class="graph-hover">
          <Thumbnail frame={graph.nodes[hover].frame} />
        </div>
      )}
    </div>
  );
}

function NodeBoard({ board, size }: { board: Board; size: number }) {
  const { rows, columns } = board;
  const side = Math.max(rows.len, columns.len) * 100;
  const by = size / side;
  const [width, height] = [columns.len * 100, rows.len * 100];
  return (
    <g transform={`scale(${by}) translate(${-width / 2} ${-height / 2})`}>
      <rect class="node-frame" x={-12} y={-12} width={width + 24} height={height + 24} rx="24" />
      {board.cells.map((cell, i) => (
        <g transform={`translate(${(i % columns.len) * 100} ${Math.floor(i / columns.len) * 100})`}>
          <rect class={cell.changed && cell.piece === null ? "small-cell changed" : "small-cell"} x="3" y="3" width="94" height="94" rx="10" />
          {cell.piece === null && !isBlank(cell) && <Mark text={cell.text} />}
        </g>
      ))}
      {pieces(board).map((it) => (
        <path class={`piece piece-${it.colour}`} transform={`translate(${it.left * 100} ${it.top * 100})`} d={outline(it, 4, 14)} />
      ))}
    </g>
  );
}

/** From the bottom of one state to the top of the next; a loop at the side of a state that leads to itself. */
function curve(from: Spot, to: Spot, half: number, isSelf: boolean): string {
  if (isSelf) return `M${from.x + half} ${from.y - half / 2}c${half * 1.4} ${-half} ${half * 1.4} ${half * 2} 0 ${half}`;
  const down = to.y > from.y;
  const [y0, y1] = down ? [from.y + half + 3, to.y - half - 4] : [from.y - half - 3, to.y + half + 4];
  if (to.y === from.y) {
    const side = Math.sign(to.x - from.x);
    return `M${from.x} ${from.y + half + 3}C${from.x} ${from.y + half * 3} ${to.x} ${to.y + half * 3} ${to.x + side * 0.01} ${to.y + half + 4}`;
  }
  const bend = (y1 - y0) * 0.45;
  return `M${from.x} ${y0}C${from.x} ${y0 + bend} ${to.x} ${y1 - bend} ${to.x} ${y1}`;
}
