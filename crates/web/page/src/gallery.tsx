// The start page: the specifications that are built in, each with its board.

import { useEffect, useState } from "preact/hooks";
import type { Card } from "./api";
import { type Desk, calm } from "./desk";
import { Thumbnail } from "./frame";

export function GalleryPage({ desk }: { desk: Desk }) {
  const cards = desk.gallery?.cards ?? [];
  const own = desk.gallery?.own;
  return (
    <main class="gallery">
      <header class="hero">
        <h1>
          A machine that plays <em>any</em> specification
        </h1>
        <p>
          In the 1830s Charles Babbage, convinced that “every game of skill is susceptible of being played by an automaton”, set out to build one for
          tic-tac-toe. Choose a specification: make its moves, switch its rules off, ask what can never happen.
        </p>
      </header>
      {desk.trouble && (
        <p class="problem" role="alert">
          {desk.trouble}
        </p>
      )}
      <ul class="cards">
        {own && <CardView card={own} desk={desk} />}
        {cards.map((card) => (
          <CardView card={card} desk={desk} key={card.name} />
        ))}
        <li class="card own">
          <div class="card-picture blank-sheet" aria-hidden="true">
            <span>Init ∧ □[Next]</span>
          </div>
          <div class="card-text">
            <h2>Your own</h2>
            <p>Write a specification here, or read files of yours into the page. They stay on this machine.</p>
            <div class="line">
              <button type="button" class="primary" id="write-own" onClick={() => void desk.openTemplate()}>
                Write one
              </button>
              <label class="button">
                Read files…
                <input type="file" multiple accept=".tla,.cfg,.als,.md" class="visually-hidden" onChange={(event) => void readFiles(desk, event.target as HTMLInputElement)} />
              </label>
            </div>
          </div>
        </li>
      </ul>
      <footer class="colophon">babbage {desk.gallery?.version}</footer>
    </main>
  );
}

async function readFiles(desk: Desk, input: HTMLInputElement) {
  const files = await Promise.all([...(input.files ?? [])].map(async (it) => ({ name: it.name, text: await it.text() })));
  if (files.length > 0) await desk.openFiles(files);
}

function CardView({ card, desk }: { card: Card; desk: Desk }) {
  const frames = desk.pictures[card.name] ?? [];
  const [by, setBy] = useState(0);
  const [lively, setLively] = useState(false);
  // A board with some marks says more than an empty one.
  const at = frames.length > 0 ? (Math.min(frames.length, 6) - 1 + by) % frames.length : 0;
  useEffect(() => {
    if (!lively || frames.length < 2 || calm()) return;
    const timer = setInterval(() => setBy((it) => it + 1), 420);
    return () => clearInterval(timer);
  }, [lively, frames.length]);
  return (
    <li class="card">
      <button
        type="button"
        class="card-button"
        data-spec={card.name}
        onClick={() => void desk.openCard(card)}
        onPointerEnter={() => setLively(true)}
        onPointerLeave={() => setLively(false)}
        onFocus={() => setLively(true)}
        onBlur={() => setLively(false)}
      >
        <div class="card-picture" aria-hidden="true">
          {frames[at] ? <Thumbnail frame={frames[at]} /> : <span class="card-formula">{card.main}</span>}
        </div>
        <div class="card-text">
          <h2>
            {card.name}
            {card.language && <span class="tag">{card.language}</span>}
          </h2>
          <p>{card.title}</p>
        </div>
      </button>
    </li>
  );
}
