// Generates the types of the services' interfaces from docs/openapi, so that they are written once: in the Java code.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const openapi = new URL('../../../../../docs/openapi/', import.meta.url);
const generated = new URL('../src/api/generated/', import.meta.url);

await mkdir(generated, { recursive: true });
for (const service of ['admin', 'calibration', 'router']) {
  const ast = await openapiTS(new URL(`${service}.json`, openapi), { alphabetize: true });
  await write(new URL(`${service}.d.ts`, generated), astToString(ast));
}

/** Leaves a file alone that would not change: watchers and incremental builds then stay idle. */
async function write(file, text) {
  const before = await readFile(file, 'utf8').catch(() => '');
  if (before !== text) {
    await writeFile(file, text);
    console.log(`wrote ${fileURLToPath(file)}`);
  }
}
