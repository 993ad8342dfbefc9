// A program that has its decoder prepared, and reads a film once it is told to.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { frameCount, prepareDecoder, readFrames } from '../../src/index.ts';

const [film] = process.argv.slice(2);
prepareDecoder();
process.stdout.write('prepared');
process.stdin.resume();
await once(process.stdin, 'end');
process.stdout.write(String(frameCount(await readFrames(new Uint8Array(readFileSync(film))))));
