// Reads a film and says how that ends, or waits to be ended itself: in a process with a PATH of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFrames } from '../../src/index.ts';

const [film, patience, way] = process.argv.slice(2);
if (way === 'throw')
  setInterval(() => {
    if (existsSync(join(process.env.PATH!, 'pids'))) throw new Error('an uncaught error');
  }, 50);
const { width, data } = await readFrames(film, { patience: Number(patience) }).catch((error: Error) => {
  process.stdout.write(`refused: ${error.message}\n`);
  return { width: 0, data: [] };
});
if (width > 0) process.stdout.write(`read: ${data[0].toFixed(2)} ${data.length}\n`);
