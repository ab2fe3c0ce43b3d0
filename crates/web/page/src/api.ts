// What the server is asked, and what it answers. The worker in crates/web/src/worker makes these answers.

export interface File {
  name: string;
  text: string;
}

/** The texts of a specification, which of them is the module, and which the configuration. */
export interface Source {
  main: string;
  files: File[];
  config: string | null;
  /** Rules of a conjoined specification that are switched off. */
  without?: string[];
  /** Which steps are the person's. */
  you?: string | null;
}

export interface Card {
  name: string;
  title: string;
  language: string;
  main: string;
  config: string | null;
  files: File[];
}

export interface Gallery {
  cards: Card[];
  /** The specification that the command line named. */
  own: Card | null;
  show: string | null;
  version: string;
}

export interface Cell {
  text: string;
  piece: number | null;
  changed: boolean;
}

export interface Board {
  kind: "board";
  rows: { first: number; len: number };
  columns: { first: number; len: number };
  cells: Cell[];
}

export interface Table {
  kind: "table";
  header: string[] | null;
  rows: { text: string; changed: boolean }[][];
}

export type Picture = Board | Table | { kind: "line"; text: string } | { kind: "svg"; svg: string };

export interface Part {
  name: string;
  changed: boolean;
  picture: Picture;
}

export interface Frame {
  parts: Part[];
}

export type Truth = "true" | "false" | "open" | "error";

export interface Property {
  name: string;
  kind: string;
  truth: Truth;
  why: string | null;
}

export interface Place {
  file: string;
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

export interface Step {
  label: string;
  action: string;
  parameters: { name: string; text: string }[];
  /** The label is in the words of an algorithm. */
  told: boolean;
  place: Place | null;
}

/** Where a process of an algorithm is. */
export interface Process {
  name: string;
  label: string;
  line: number | null;
  moved: boolean;
  /** The procedure that it is in. */
  called: string | null;
  waitsFor: string | null;
}

export interface AlgorithmText {
  file: string;
  firstLine: number;
  lines: string[];
}

export interface Choice {
  step: Step;
  changes: { variable: string; text: string }[];
  touches: { variable: string; row: number; column: number }[];
  journeys: { variable: string; piece: number; by: [number, number] }[];
  stutters: boolean;
  excluded: boolean;
  yours: boolean;
  /** Whose step it is, by its place among the processes. */
  process: number | null;
}

export interface Watch {
  number: number;
  expr: string;
  value: string | null;
  problem: string | null;
}

/** One state of the trace. */
export interface Entry {
  step: Step | null;
  frame: Frame;
  processes: Process[];
  properties: Property[];
}

export interface Position {
  index: number | null;
  len: number;
  entry: Entry | null;
  choices: Choice[];
  cut: boolean;
  watches: Watch[];
  deadlock: boolean;
  problem: string | null;
}

export interface Diagnostic {
  code: string;
  severity: "error" | "warning";
  message: string;
  file: string | null;
  /** UTF-16 offsets into the file. */
  from: number;
  to: number;
  location: string | null;
  label: string;
  story: string[];
  hint: string | null;
  fixes: Fix[];
  text: string;
}

/** A change of the text that mends it; offsets as in a diagnostic. */
export interface Fix {
  title: string;
  edits: Edit[];
}

export interface Edit {
  from: number;
  to: number;
  text: string;
}

export interface Rule {
  name: string;
  title: string;
}

export interface About {
  language: "tla" | "alloy";
  title: string;
  variables: string[];
  actions: { name: string; place: Place | null }[];
  /** State predicates without parameters: what one may want to reach. */
  predicates: string[];
  rules: Rule[];
  /** Configurations under which it is a conjunction of rules. */
  conjoined: string[];
  warnings: string[];
  algorithm: AlgorithmText | null;
}

export interface Opened {
  diagnostics: Diagnostic[];
  about: About | null;
  position: Position | null;
  entries: Entry[];
}

export interface Progress {
  distinct: number;
  generated: number;
  queue: number;
  depth: number;
  seconds: number;
  note?: string;
}

export interface CheckResult {
  verdict: "holds" | "violated" | "error" | "unknown" | "internal";
  headline: string;
  why: string | null;
  violation: { kind: string; name: string } | null;
  states: { distinct: number; generated: number; depth: number };
  seconds: number;
  limit: string | null;
  trace: FoundTrace | null;
  diagnostics: Diagnostic[];
  notes: string[];
}

/** A trace that a job found. */
export interface FoundTrace {
  /** How a session comes there; none when it shows an alias. */
  path: number[] | null;
  entries: Entry[];
  loopTo: number | null;
  stutters: boolean;
}

export interface Verdict {
  name: string;
  verdict: "holds" | "violated" | "unknown" | "error";
  why: string | null;
  steps: number | null;
  endless: boolean;
  trace: FoundTrace | null;
}

export interface GraphResult {
  nodes: { depth: number; frame: Frame; bad: string[]; initial: boolean; dead: boolean; path: number[] }[];
  edges: [number, number, string][];
  truncated: boolean;
  limit: number;
}

export interface Instance {
  label: string;
  kind: string;
  result: string;
  entries: Entry[];
  text: string;
  svg: string | null;
  blame: string[];
}

export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

async function answer(response: Response) {
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  const error = body?.error;
  throw new Refused(error?.code ?? "failed", error?.message ?? `the server answered ${response.status}`);
}

async function send(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused("unreachable", "the server does not answer: is `babbage` still running?");
  }
}

export async function gallery(): Promise<Gallery> {
  return answer(await fetch("api/gallery"));
}

/** For each card, a short walk. */
export async function pictures(): Promise<Record<string, Frame[]>> {
  return answer(await fetch("api/pictures"));
}

/** Says that the page is still there; false when its session is not. */
export async function isAlive(name: string): Promise<boolean> {
  return (await fetch(`api/sessions/${name}/alive`)).ok;
}

export async function startSession(request: unknown): Promise<{ session: string; answer: Opened }> {
  return answer(await send("api/sessions", request));
}

export async function askSession<T>(name: string, request: unknown): Promise<T> {
  return answer(await send(`api/sessions/${name}`, request));
}

export function endSession(name: string) {
  navigator.sendBeacon(`api/sessions/${name}/end`);
}

/** Starts a job; ends it when the signal says so. */
export async function job<T>(request: unknown, progress: (it: Progress) => void, signal: AbortSignal): Promise<T> {
  const response = await send("api/jobs", request, signal);
  if (!response.ok || !response.body) return answer(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Refused("ended", "the connection ended before there was an answer");
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const event = readEvent(text.slice(0, end));
      if (event.name === "progress") progress(event.data as Progress);
      if (event.name === "done") return event.data as T;
      if (event.name === "refused") {
        const { code, message } = (event.data as { error: { code: string; message: string } }).error;
        throw new Refused(code, message);
      }
    }
  }
}

function readEvent(block: string): { name: string; data: unknown } {
  let name = "";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    if (line.startsWith("data:")) data += line.slice(5).trimStart();
  }
  return { name, data: data ? JSON.parse(data) : null };
}
