// What the page knows, and what it can be told to do. Parts of the screen read it and call it; it never draws.

import * as api from "./api";
import { type Linked, isEdited, packTexts, readLink, unpackTexts, writeLink } from "./link";

export type View = "board" | "spec" | "graph";

/** Work that goes on in the background. */
export interface Running<T> {
  progress: api.Progress | null;
  result: T | null;
  refused: string | null;
  stop: AbortController | null;
}

function idle<T>(): Running<T> {
  return { progress: null, result: null, refused: null, stop: null };
}

/** What a session answers. */
interface Answer {
  position: api.Position;
  path: number[];
  /** All states of the trace, when more than the newest is new. */
  entries?: api.Entry[];
  problem?: string;
}

const MACHINE_MS = 380;
const TYPING_MS = 250;
const ALIVE_MS = 30_000;
const SCRUB_MS = 60;

export const TEMPLATE = `------------------------------- MODULE Lamp -------------------------------
EXTENDS Naturals

VARIABLES lit, presses

Init == lit = FALSE /\\ presses = 0

Press ==
    /\\ presses < 5
    /\\ lit' = ~lit
    /\\ presses' = presses + 1

Next == Press

Spec == Init /\\ [][Next]_<<lit, presses>>

(* Is the lamp lit exactly after an odd number of presses?                 *)
OddIsLit == lit <=> presses % 2 = 1

(* This one fails: press until it does.                                    *)
FewPresses == presses < 4
=============================================================================
`;
const TEMPLATE_CONFIG = `SPECIFICATION Spec
INVARIANTS OddIsLit FewPresses
CHECK_DEADLOCK FALSE
`;

export class Desk {
  gallery: api.Gallery | null = null;
  pictures: Record<string, api.Frame[]> = {};
  trouble: string | null = null;

  card: api.Card | null = null;
  source: api.Source | null = null;
  view: View = "board";
  /** The file in the editor. */
  file = "";
  diagnostics: api.Diagnostic[] = [];
  /** The text was changed since the session began. */
  stale = false;

  about: api.About | null = null;
  entries: api.Entry[] = [];
  cursor = 0;
  path: number[] = [];
  position: api.Position | null = null;
  /** A choice that the person points at. */
  pointed: number | null = null;
  /** Requests to the session that are under way. */
  private pending = 0;
  private opens = 0;
  playing = false;
  /** Milliseconds from click to the new board, the last time. */
  latency = 0;
  /** Where the last state of a lasso goes back to. */
  loopTo: number | null = null;
  /** A lasso found by a check stutters for ever. */
  stutters = false;
  /** A trace that the session could not follow can still be looked at. */
  onlyShown = false;

  check = idle<api.CheckResult>();
  solve = idle<api.CheckResult>();
  rules = idle<{ verdicts: api.Verdict[]; distinct: number }>();
  graph = idle<api.GraphResult>();
  goal = "";
  said = "";

  private session: string | null = null;
  private watches: string[] = [];
  private listeners = new Set<() => void>();
  private timer = 0;
  private typing = 0;
  private moving = 0;
  private ticking = 0;
  private diagnosis: AbortController | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private opening = 0;

  get busy(): boolean {
    return this.pending > 0 || this.opens > 0;
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  changed() {
    for (const it of this.listeners) it();
  }

  /** Tells those who cannot see it. */
  say(text: string) {
    this.said = text;
  }

  async begin() {
    addEventListener("hashchange", () => {
      if (location.hash !== this.hash) void this.follow(readLink(location.hash));
    });
    // The name is kept: a page that comes back finds its session ended, and starts another where it was.
    addEventListener("pagehide", () => this.session && api.endSession(this.session));
    setInterval(() => {
      if (this.session) void api.isAlive(this.session).catch(() => false);
    }, ALIVE_MS);
    try {
      this.gallery = await api.gallery();
    } catch (error) {
      this.trouble = words(error);
      return this.changed();
    }
    void api.pictures().then((it) => {
      this.pictures = it;
      if (!this.source) this.changed();
    });
    const link = readLink(location.hash);
    if (!link.name && this.gallery.own) return this.openCard(this.gallery.own);
    if (!link.name && this.gallery.show) link.name = this.gallery.show;
    await this.follow(link);
  }

  // ---- what is open

  /** Shows what a link says. */
  async follow(link: Linked) {
    const { gallery } = this;
    if (!gallery) return;
    const cards = gallery.own ? [gallery.own, ...gallery.cards] : gallery.cards;
    const card = cards.find((it) => it.name === link.name) ?? null;
    const texts = link.texts ? await unpackTexts(link.texts) : null;
    if (!card && !texts) {
      this.trouble = link.name ? `There is no specification “${link.name}” here.` : null;
      return this.leave();
    }
    this.card = card;
    this.view = (["board", "spec", "graph"].includes(link.view) ? link.view : "board") as View;
    this.goal = link.goal;
    this.watches = link.watches;
    const from = texts ?? { main: card!.main, files: card!.files };
    this.source = {
      ...structuredClone(from),
      config: link.config ?? card?.config ?? null,
      without: link.without,
      you: link.you,
    };
    this.file = this.source.main;
    this.forget();
    await this.open(link.path, link.at);
  }

  openCard(card: api.Card) {
    return this.follow({
      name: card.name,
      config: null,
      path: [],
      at: null,
      without: [],
      you: null,
      view: "board",
      goal: "",
      watches: [],
      texts: null,
    });
  }

  /** Texts of the person's own. */
  openFiles(files: api.File[]) {
    const main = files.find((it) => !it.name.endsWith(".cfg")) ?? files[0];
    const config = files.find((it) => it.name.endsWith(".cfg"))?.name ?? null;
    this.card = null;
    this.view = "spec";
    this.source = { main: main.name, files, config, without: [], you: null };
    this.file = main.name;
    this.goal = "";
    this.watches = [];
    this.forget();
    return this.open([], null);
  }

  openTemplate() {
    return this.openFiles([
      { name: "Lamp.tla", text: TEMPLATE },
      { name: "Lamp.cfg", text: TEMPLATE_CONFIG },
    ]);
  }

  /** Back to the gallery. */
  leave() {
    this.close();
    this.forget();
    this.card = null;
    this.source = null;
    this.about = null;
    this.entries = [];
    this.position = null;
    this.diagnostics = [];
    this.setHash("");
    this.changed();
  }

  private forget() {
    for (const it of [this.check, this.solve, this.rules, this.graph]) it.stop?.abort();
    this.check = idle();
    this.solve = idle();
    this.rules = idle();
    this.graph = idle();
    this.stopPlaying();
  }

  /** Starts a session where the path leads. */
  private async open(path: number[], at: number | null) {
    const turn = ++this.opening;
    this.close();
    this.opens += 1;
    this.trouble = null;
    this.stale = false;
    this.loopTo = null;
    this.onlyShown = false;
    this.changed();
    try {
      const request = { do: "open", source: this.source, path, at, watches: this.watches };
      const { session, answer } = await api.startSession(request);
      if (turn !== this.opening) return api.endSession(session);
      this.session = session;
      this.diagnostics = answer.diagnostics;
      this.about = answer.about;
      this.entries = answer.entries;
      this.position = answer.position;
      this.path = (answer as unknown as { path: number[] }).path ?? [];
      this.cursor = answer.position?.index ?? 0;
      if (!answer.about) this.view = "spec";
    } catch (error) {
      if (turn !== this.opening) return;
      this.trouble = words(error);
      this.position = null;
      this.entries = [];
    } finally {
      this.opens -= 1;
    }
    this.remember();
    this.changed();
    if (this.view === "graph") this.startGraph();
    if (this.about?.rules.length && !this.rules.result) this.startRules();
    this.machineMaybe();
  }

  /** Begins again with the texts as they are now. */
  reopen(path: number[] = []) {
    this.forget();
    return this.open(path, null);
  }

  private close() {
    if (this.session) api.endSession(this.session);
    this.session = null;
    clearTimeout(this.moving);
  }

  // ---- the address

  private hash = "";

  private remember() {
    const { source } = this;
    if (!source) return;
    const link: Linked = {
      name: this.card?.name ?? source.main,
      config: source.config !== (this.card?.config ?? null) || !this.card ? source.config : null,
      path: this.path,
      at: this.cursor !== this.entries.length - 1 ? this.cursor : null,
      without: source.without ?? [],
      you: source.you ?? null,
      view: this.view,
      goal: this.goal,
      watches: this.watches,
      texts: null,
    };
    if (!isEdited(source, this.card)) return this.setHash(writeLink(link));
    void packTexts(source).then((texts) => {
      if (this.source === source) this.setHash(writeLink({ ...link, texts }));
    });
  }

  private setHash(hash: string) {
    const before = this.hash;
    this.hash = hash;
    const url = `${location.pathname}${location.search}${hash}`;
    // A step is no page to go back to, a specification is.
    const name = (it: string) => readLink(it).name;
    if (name(before) !== name(hash)) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
    this.hash = location.hash;
  }

  // ---- play

  /** One request after the other; a session that has ended is started again where it was. */
  private ask(request: unknown): Promise<Answer | null> {
    const next = this.queue.then(async () => {
      if (!this.session && this.source) await this.open(this.path, this.cursor);
      if (!this.session) return null;
      try {
        return await api.askSession<Answer>(this.session, request);
      } catch (error) {
        if (error instanceof api.Refused && error.code === "no-session") {
          await this.open(this.path, this.cursor);
          return this.session ? api.askSession<Answer>(this.session, request) : null;
        }
        throw error;
      }
    });
    this.queue = next.catch(() => null);
    return next;
  }

  /** Asks, and shows the answer, unless the person has gone on to another state than `of` by then. */
  private async act(request: unknown, of?: number): Promise<boolean> {
    const started = performance.now();
    this.pending += 1;
    try {
      const answer = await this.ask(request).finally(() => (this.pending -= 1));
      if (!answer || (of !== undefined && of !== this.cursor)) return false;
      this.trouble = answer.problem ?? null;
      this.takeOver(answer);
      this.latency = performance.now() - started;
      this.changed();
      this.machineMaybe();
      return !answer.problem;
    } catch (error) {
      this.trouble = words(error);
      // The state of the session is lost; a fresh one can go where this one was before.
      if (error instanceof api.Refused && error.code !== "unreachable") this.session = null;
      this.changed();
      return false;
    }
  }

  private takeOver(answer: Answer) {
    const { position } = answer;
    const { index, entry } = position;
    if (answer.entries) this.entries = answer.entries;
    else if (index !== null && entry) {
      this.entries = this.entries.slice(0, Math.min(position.len, this.entries.length));
      this.entries[index] = entry;
    }
    if (index === null) this.entries = [];
    this.position = position;
    this.path = answer.path;
    this.cursor = index ?? 0;
    this.pointed = null;
    this.onlyShown = false;
    this.remember();
  }

  async take(choice: number) {
    const label = this.position?.choices[choice]?.step.label;
    if (this.busy || label === undefined) return;
    this.stopPlaying();
    this.loopTo = null;
    if (await this.act({ do: "take", choice })) this.say(`${label}. ${this.summary()}`);
    this.changed();
  }

  /** What a screen reader hears after a step. */
  private summary(): string {
    const bad = this.entries[this.cursor]?.properties.filter((it) => it.truth === "false") ?? [];
    const n = this.position?.choices.length ?? 0;
    const wrong = bad.length > 0 ? `${bad.map((it) => it.name).join(", ")} false. ` : "";
    return wrong + (n === 0 ? "No step leads on." : `${n} ${n === 1 ? "step" : "steps"} can follow.`);
  }

  /** Shows another state of the trace. */
  goTo(index: number, thenPlay = false) {
    const last = this.entries.length - 1;
    if (index < 0 || index > last) return;
    if (!thenPlay) this.stopPlaying();
    this.cursor = index;
    this.pointed = null;
    this.position = this.position && { ...this.position, choices: [] };
    this.remember();
    this.changed();
    clearTimeout(this.timer);
    // Whoever scrubs, or watches, passes many states and wants to know about the last.
    if (thenPlay || this.onlyShown) return;
    this.timer = window.setTimeout(() => void this.act({ do: "go", index }, index), SCRUB_MS);
  }

  undo() {
    this.goTo(this.cursor - 1);
  }

  redo() {
    this.goTo(this.cursor + 1);
  }

  restart() {
    if (this.entries.length > 0) this.goTo(0);
  }

  /** Throws the trace away. */
  clear() {
    this.stopPlaying();
    this.loopTo = null;
    if (this.session) void this.act({ do: "restart" });
    else void this.reopen([]);
  }

  machine() {
    if (this.busy || !this.position || this.position.choices.length === 0) return;
    void this.act({ do: "machine" });
  }

  private machineMaybe() {
    const { position, source } = this;
    clearTimeout(this.moving);
    const isLast = this.cursor === this.entries.length - 1;
    if (this.busy || !source?.you || !position || this.playing || !isLast || position.choices.length === 0) return;
    if (position.choices.some((it) => it.yours)) return;
    this.moving = window.setTimeout(() => this.machine(), calm() ? 0 : MACHINE_MS);
  }

  setYou(you: string | null) {
    if (!this.source) return;
    this.source = { ...this.source, you };
    void this.open(this.path, null);
  }

  async watch(expr: string): Promise<string | null> {
    const answer = await this.ask({ do: "watch", expr }).catch((error) => ({ problem: words(error) }) as Answer);
    if (answer?.problem) return answer.problem;
    if (answer) {
      this.watches = [...this.watches, expr];
      this.takeOver(answer);
      this.changed();
    }
    return null;
  }

  unwatch(number: number, expr: string) {
    this.watches = this.watches.filter((it) => it !== expr);
    void this.act({ do: "unwatch", number });
  }

  // ---- playback

  togglePlaying() {
    if (this.playing) return this.stopPlaying();
    if (this.cursor >= this.entries.length - 1) this.goTo(0, true);
    this.playing = true;
    this.changed();
    this.tick();
  }

  private tick() {
    const pace = Math.max(110, Math.min(700, 14000 / Math.max(1, this.entries.length)));
    clearTimeout(this.ticking);
    this.ticking = window.setTimeout(() => {
      if (!this.playing) return;
      if (this.cursor < this.entries.length - 1) this.goTo(this.cursor + 1, true);
      else if (this.loopTo !== null && !this.stutters) this.goTo(this.loopTo, true);
      else return this.stopPlaying();
      this.tick();
    }, pace);
  }

  stopPlaying() {
    if (!this.playing) return;
    this.playing = false;
    clearTimeout(this.ticking);
    this.goTo(this.cursor);
  }

  /** Puts a trace that was found into the timeline. */
  async load(trace: api.FoundTrace, at: "start" | "end") {
    this.stopPlaying();
    this.view = "board";
    let followed = false;
    try {
      const answer = trace.path && (await this.ask({ do: "follow", path: trace.path }));
      if (answer && answer.entries?.length === trace.entries.length) {
        this.takeOver(answer);
        followed = true;
      }
    } catch (error) {
      this.trouble = words(error);
    }
    if (!followed) {
      // An alias shows other values than those of the state: the trace can be looked at.
      this.entries = trace.entries;
      this.onlyShown = true;
      this.position = this.position && { ...this.position, choices: [] };
    }
    this.loopTo = trace.loopTo;
    this.stutters = trace.stutters;
    this.goTo(at === "start" ? 0 : this.entries.length - 1);
    this.changed();
  }

  // ---- jobs

  private async run<T>(running: Running<T>, request: object): Promise<T | null> {
    running.stop?.abort();
    const stop = new AbortController();
    Object.assign(running, { stop, progress: null, refused: null, result: null });
    this.changed();
    try {
      const progress = (it: api.Progress) => {
        running.progress = it;
        this.changed();
      };
      const result = await api.job<T>({ source: this.source, ...request }, progress, stop.signal);
      if (running.stop !== stop) return null;
      running.result = result;
      return result;
    } catch (error) {
      if (running.stop === stop) running.refused = stop.signal.aborted ? "Stopped." : words(error);
      return null;
    } finally {
      if (running.stop === stop) running.stop = null;
      this.changed();
    }
  }

  async startCheck() {
    const result = await this.run(this.check, { do: "check" });
    if (!result) return;
    this.say(result.headline);
    if (result.diagnostics.some((it) => it.severity === "error")) this.diagnostics = result.diagnostics;
    if (result.trace && result.trace.entries.length > 0) await this.load(result.trace, "end");
    this.changed();
  }

  async startSolve(fromHere: boolean) {
    const path = fromHere ? this.path.slice(0, this.cursor + 1) : [];
    this.remember();
    const result = await this.run(this.solve, { do: "solve", goal: this.goal, path });
    if (!result) return;
    this.say(result.headline);
    if (result.trace && result.trace.entries.length > 0) {
      await this.load(result.trace, "start");
      this.togglePlaying();
    }
    this.changed();
  }

  setGoal(goal: string) {
    this.goal = goal;
    this.changed();
  }

  startRules() {
    void this.run(this.rules, { do: "rules" });
  }

  /** Switches a rule, plays by the rules that are left, and asks what they give. */
  switchRule(name: string) {
    if (!this.source) return;
    const off = new Set(this.source.without);
    if (!off.delete(name)) off.add(name);
    this.source = { ...this.source, without: [...off] };
    this.forget();
    void this.open([], null);
  }

  startGraph() {
    void this.run(this.graph, { do: "graph" });
  }

  cancel(running: Running<unknown>) {
    running.stop?.abort();
  }

  setView(view: View) {
    this.view = view;
    if (view === "graph" && !this.graph.result && !this.graph.stop) this.startGraph();
    this.remember();
    this.changed();
  }

  /** Goes to a state of the graph. */
  walk(path: number[]) {
    this.view = "board";
    void this.open(path, null);
  }

  // ---- the texts

  setConfig(config: string | null) {
    if (!this.source) return;
    this.source = { ...this.source, config };
    this.forget();
    void this.open([], null);
  }

  setFile(file: string) {
    this.file = file;
    this.changed();
  }

  edit(text: string) {
    const { source } = this;
    if (!source) return;
    const files = source.files.map((it) => (it.name === this.file ? { ...it, text } : it));
    this.source = { ...source, files };
    this.stale = true;
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => void this.diagnose(), TYPING_MS);
    this.changed();
  }

  revert() {
    if (this.card) void this.openCard(this.card);
  }

  private async diagnose() {
    this.diagnosis?.abort();
    const stop = new AbortController();
    this.diagnosis = stop;
    try {
      const request = { do: "diagnose", source: this.source };
      const result = await api.job<{ diagnostics: api.Diagnostic[] }>(request, () => {}, stop.signal);
      if (stop.signal.aborted) return;
      this.diagnostics = result.diagnostics;
      this.trouble = null;
    } catch (error) {
      if (stop.signal.aborted) return;
      this.trouble = words(error);
    }
    this.remember();
    this.changed();
  }
}

export function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Whether the person wants no motion. */
export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
