// Fails the build where what a browser loads before it shows anything is larger than it may be.
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const LIMIT_JS_KB = 300;
const LIMIT_CSS_KB = 40;

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', dist), 'utf8'));
const entry = Object.values(manifest).find((chunk) => chunk.isEntry);
const overview = Object.values(manifest).find((chunk) => chunk.src?.endsWith('overview-page.tsx'));

const files = new Set();
for (const chunk of [entry, overview]) {
  collect(chunk);
}

const js = await gzipped([...files].filter((file) => file.endsWith('.js')));
const css = await gzipped([...files].filter((file) => file.endsWith('.css')));
console.log(`first view: ${js.toFixed(1)} KB of JavaScript (limit ${LIMIT_JS_KB}), ${css.toFixed(1)} KB of CSS (limit ${LIMIT_CSS_KB}), gzip`);
if (js > LIMIT_JS_KB || css > LIMIT_CSS_KB) {
  console.error('The first view is too large. Load what it does not show lazily.');
  process.exit(1);
}

/** What a chunk needs before it runs: itself, its static imports and their styles. */
function collect(chunk) {
  if (chunk === undefined || files.has(chunk.file)) {
    return;
  }
  files.add(chunk.file);
  chunk.css?.forEach((file) => files.add(file));
  chunk.imports?.forEach((key) => collect(manifest[key]));
}

async function gzipped(names) {
  const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(new URL(name, dist))).length));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
}
