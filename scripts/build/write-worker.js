// Writes the file that workers of the device cpu run, for pages whose policy forbids workers from a blob: run in
// packages/kernel, after tsc.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = resolve('dist/devices/cpu');
/** @type {{ pageSource: () => string }} */
const { pageSource } = await import(pathToFileURL(`${folder}/thread-source.js`).href);
writeFileSync(`${folder}/worker.js`, `// A worker of the device cpu of gradsim.\n${pageSource()}\n`);
writeFileSync(`${folder}/worker.d.ts`, 'export {};\n');
