// Bundles src/ into dist/ (file names carry a hash of their content), or with --tests the unit tests into .test/.
import { mkdir, readFile, readdir, rm, writeFile, cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { build } from "esbuild";

const common = {
  bundle: true,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
};

if (process.argv.includes("--tests")) {
  await rm(".test", { recursive: true, force: true });
  const tests = (await readdir("test")).filter((f) => f.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((f) => join("test", f)),
    platform: "node",
    outdir: ".test",
    outExtension: { ".js": ".mjs" },
    sourcemap: "inline",
  });
} else {
  await bundle();
}

async function bundle() {
  await rm("dist", { recursive: true, force: true });
  await mkdir("dist/assets", { recursive: true });
  const result = await build({
    ...common,
    entryPoints: { flagfall: "src/main.tsx", style: "src/styles/index.css" },
    outdir: "dist/assets",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    splitting: true, // graphs and the pages of events are loaded when they are shown
    minify: true,
    target: ["es2022", "chrome100", "firefox100", "safari15"],
    legalComments: "none",
    metafile: true,
  });
  const outputs = Object.entries(result.metafile.outputs);
  const from = (source) => basename(outputs.find(([, o]) => o.entryPoint === source)[0]);
  const [, main] = outputs.find(([, o]) => o.entryPoint === "src/main.tsx");
  const shared = main.imports.filter((i) => i.kind === "import-statement").map((i) => `<link rel="modulepreload" href="/assets/${basename(i.path)}">`);
  const page = (await readFile("src/index.html", "utf8"))
    .replace("{{script}}", `/assets/${from("src/main.tsx")}`)
    .replace("{{shared}}", shared.join("\n    ")) // what pages share with the first script is fetched beside it, not after it
    .replace("{{style}}", `/assets/${from("src/styles/index.css")}`);
  await writeFile("dist/index.html", page);
  await cp("static", "dist", { recursive: true });
  await writeFile("dist/licenses.txt", await licences(["@lichess-org/chessground", "preact", "uplot"]));
}

async function licences(packages) {
  const parts = [
    "Flagfall's browser client is free software under GPL-3.0-or-later.\n" +
      "Piece drawings: cburnett by Colin M.L. Burnett, GPL-2.0-or-later, as shipped with chessground.\n" +
      "It contains these packages:\n",
  ];
  for (const name of packages) {
    const meta = JSON.parse(await readFile(`node_modules/${name}/package.json`, "utf8"));
    const text = await readFile(`node_modules/${name}/LICENSE`, "utf8");
    parts.push(`\n===== ${name} ${meta.version} (${meta.license}) =====\n\n${text}`);
  }
  return parts.join("");
}
