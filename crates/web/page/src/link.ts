// The state of the page in its address, so that a link shows what its sender saw.

import type { Card, Source } from "./api";

export interface Linked {
  /** A name of the gallery; none for the start page. */
  name: string | null;
  config: string | null;
  /** Which choice was taken at each state. */
  path: number[];
  /** The state that is shown; the last one when absent. */
  at: number | null;
  without: string[];
  you: string | null;
  view: string;
  goal: string;
  watches: string[];
  /** The texts, where they were changed, compressed. */
  texts: string | null;
}

export function readLink(hash: string): Linked {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const numbers = (text: string | null) => (text ? text.split(".").map(Number).filter(Number.isSafeInteger) : []);
  return {
    name: fields.get("spec"),
    config: fields.get("config"),
    path: numbers(fields.get("path")),
    at: fields.has("at") ? Number(fields.get("at")) : null,
    without: fields.getAll("without"),
    you: fields.get("you"),
    view: fields.get("view") ?? "board",
    goal: fields.get("goal") ?? "",
    watches: fields.getAll("watch"),
    texts: fields.get("texts"),
  };
}

export function writeLink(link: Linked): string {
  if (!link.name) return "";
  const fields = new URLSearchParams({ spec: link.name });
  if (link.config) fields.set("config", link.config);
  for (const rule of link.without) fields.append("without", rule);
  if (link.you) fields.set("you", link.you);
  if (link.view !== "board") fields.set("view", link.view);
  if (link.goal) fields.set("goal", link.goal);
  for (const watch of link.watches) fields.append("watch", watch);
  if (link.path.length > 0) fields.set("path", link.path.join("."));
  if (link.at !== null) fields.set("at", String(link.at));
  if (link.texts) fields.set("texts", link.texts);
  return `#${fields}`;
}

/** Texts as letters that can stand in an address. */
export async function packTexts(source: Source): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ main: source.main, files: source.files }));
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpackTexts(text: string): Promise<Pick<Source, "main" | "files"> | null> {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (it) => it.charCodeAt(0));
    const made = JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
    const isFile = (it: unknown) => {
      const file = it as { name?: unknown; text?: unknown };
      return typeof file?.name === "string" && typeof file.text === "string";
    };
    return typeof made.main === "string" && Array.isArray(made.files) && made.files.every(isFile) ? made : null;
  } catch {
    return null;
  }
}

/** A link is small; what unpacks to more than this is none of ours. */
const UNPACKED_MAX = 2_000_000;

async function through(bytes: Uint8Array, by: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const reader = new Blob([bytes as BlobPart]).stream().pipeThrough(by as unknown as ReadableWritablePair<Uint8Array, Uint8Array>).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > UNPACKED_MAX) throw new Error("too long");
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export function isEdited(source: Source, card: Card | null): boolean {
  if (!card) return true;
  const original = new Map(card.files.map((it) => [it.name, it.text]));
  return source.files.some((it) => original.get(it.name) !== it.text);
}
