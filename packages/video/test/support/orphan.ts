// A program that ends while its decoder is in an endless loop: by itself, or when it is killed.
import { readFileSync } from 'node:fs';
import { readFrames } from '../../src/index.ts';

const [film, way] = process.argv.slice(2);
readFrames(new Uint8Array(readFileSync(film)), { patience: 600 }).catch(() => {});
setTimeout(() => {
  process.stdout.write('busy');
  if (way === 'exit') setTimeout(() => process.exit(), 100);
}, 1500);
