// Which screen is shown, and the bar above all of them.

import { render } from "preact";
import { useEffect, useReducer, useState } from "preact/hooks";
import { Desk } from "./desk";
import { GalleryPage } from "./gallery";
import { Icon } from "./icons";
import { Help, Workbench } from "./workbench";

function Page({ desk }: { desk: Desk }) {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => desk.subscribe(() => again(undefined as never)), [desk]);
  const name = desk.card?.name ?? desk.source?.main;
  useEffect(() => {
    document.title = name ? `${name} · Babbage` : "Babbage";
  }, [name]);
  return (
    <>
      <header class="top">
        <a
          class="brand"
          href="#"
          onClick={(event) => {
            event.preventDefault();
            desk.leave();
          }}
        >
          <img src="icon.svg" alt="" width="28" height="28" />
          <span>Babbage</span>
        </a>
        {desk.source && (
          <span class="where">
            <span aria-hidden="true">/</span> <b>{name}</b>
            {desk.card?.title && <span class="where-title">{desk.card.title}</span>}
          </span>
        )}
        <span class="spring" />
        {desk.source && <Share />}
        {desk.source && <Help />}
        <Theme />
      </header>
      {desk.source ? <Workbench desk={desk} /> : desk.gallery || desk.trouble ? <GalleryPage desk={desk} /> : <p class="loading">Winding up the engine…</p>}
      <div class="visually-hidden" role="status" aria-live="polite" id="said">
        {desk.said}
      </div>
    </>
  );
}

function Share() {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      prompt("The link to what you see:", location.href);
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  return (
    <button type="button" class="quiet" id="share" onClick={() => void copy()} title="Copy a link to exactly what you see">
      {isCopied ? "Copied" : "Share"}
    </button>
  );
}

type Scheme = "light" | "dark";

function Theme() {
  const system: Scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const [scheme, setScheme] = useState<Scheme>(() => (localStorage.getItem("scheme") as Scheme) ?? system);
  useEffect(() => {
    document.documentElement.dataset.scheme = scheme;
  }, [scheme]);
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      class="icon quiet"
      id="theme"
      aria-label={`Show the page ${other}`}
      title={`Show the page ${other}`}
      onClick={() => {
        localStorage.setItem("scheme", other);
        setScheme(other);
      }}
    >
      <Icon of={scheme === "dark" ? "sun" : "moon"} />
    </button>
  );
}

const desk = new Desk();
const root = document.getElementById("page");
if (root) {
  root.textContent = "";
  render(<Page desk={desk} />, root);
}
void desk.begin();
