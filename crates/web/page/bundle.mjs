// Bundles the page into dist/, which is committed: building babbage needs no Node.
// The first line of page.js has a sum over the sources, which a test of the crate compares.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";

const names = readdirSync("src");
const files = [...names.map((name) => [name, `src/${name}`]), ["bundle.mjs", "bundle.mjs"], ["package-lock.json", "package-lock.json"]];
files.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

/** FNV-1a, 64 bits, over names and contents, each ended by a zero byte. */
function sum() {
  let hash = 0xcbf29ce484222325n;
  const feed = (byte) => {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  };
  for (const [name, path] of files) {
    Buffer.from(name).forEach(feed);
    feed(0);
    for (const byte of readFileSync(path)) if (byte !== 13) feed(byte);
    feed(0);
  }
  return hash.toString(16).padStart(16, "0");
}

mkdirSync("dist", { recursive: true });
await build({
  entryPoints: ["src/main.tsx"],
  outfile: "dist/page.js",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  banner: { js: `/* Made by crates/web/page/bundle.mjs of sources ${sum()}; with CodeMirror and Preact, both MIT. */` },
});
const { outputFiles } = await build({ entryPoints: ["src/style.css"], minify: true, bundle: true, write: false });
writeFileSync("dist/page.css", outputFiles[0].contents);
for (const name of ["index.html", "icon.svg"]) copyFileSync(`src/${name}`, `dist/${name}`);
for (const name of readdirSync("dist")) console.log(name, readFileSync(`dist/${name}`).length);
