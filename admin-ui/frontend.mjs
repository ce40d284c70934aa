// What Maven runs for the front end: `node frontend.mjs build|check`. Does nothing where nothing changed since it last went
// well, so that a build of the back end alone costs no time.
//   build  installs what package-lock.json names and builds the page into target/classes/static
//   check  lint and unit tests
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MADE = new Set(['node_modules', 'dist', 'generated']);

const module = dirname(fileURLToPath(import.meta.url));
const source = join(module, 'src', 'main', 'frontend');
const target = join(module, 'target');
const page = join(target, 'classes', 'static');

const task = process.argv[2];
if (task !== 'build' && task !== 'check') {
  fail('usage: node frontend.mjs build|check');
}
const [major] = process.versions.node.split('.');
if (Number(major) < 20) {
  fail(`Node 20 or newer is needed to build the dashboard, this is ${process.versions.node}: https://nodejs.org/en/download`);
}
install();
if (task === 'build') {
  once('build', () => existsSync(join(page, 'index.html')), () => {
    npm('run', 'build');
    rmSync(page, { recursive: true, force: true });
    mkdirSync(page, { recursive: true });
    // Which source went into which file concerns nobody who is served.
    cpSync(join(source, 'dist'), page, { recursive: true, filter: (file) => !file.endsWith('.vite') });
  });
} else {
  once('check', () => true, () => npm('run', 'check'));
}

/** What npm installed is kept beside the sources: it survives `mvn clean`. */
function install() {
  const mark = join(source, 'node_modules', '.installed-from');
  const wanted = hash([join(source, 'package.json'), join(source, 'package-lock.json')]);
  if (read(mark) !== wanted) {
    npm('ci');
    writeFileSync(mark, wanted);
  }
}

function once(name, isThere, make) {
  const mark = join(target, 'frontend', name);
  const openapi = join(module, '..', 'docs', 'openapi');
  const inputs = hash([...files(source), ...files(openapi), join(module, 'frontend.mjs')]);
  if (read(mark) === inputs && isThere()) {
    console.log(`front end: nothing changed since the last ${name}`);
    return;
  }
  make();
  mkdirSync(dirname(mark), { recursive: true });
  writeFileSync(mark, inputs);
}

function npm(...words) {
  const result = spawnSync('npm', words, { cwd: source, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.error) {
    fail(`npm cannot be run: ${result.error.message}`);
  }
  if (result.status !== 0) {
    fail(`npm ${words.join(' ')} failed`);
  }
}

function files(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !MADE.has(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? files(path) : [path];
    })
    .sort();
}

function hash(paths) {
  const digest = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(path);
    digest.update(`${path}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}

function read(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function fail(message) {
  console.error(`front end: ${message}`);
  process.exit(1);
}
