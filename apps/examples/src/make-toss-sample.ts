// Makes sample/toss.webm, the film that the experiment `toss` estimates from: npm run -s sample --prefix apps/examples
import { fileURLToPath } from 'node:url';
import { writeSample } from './toss/film.ts';

const path = process.argv[2] ?? fileURLToPath(new URL('../sample/toss.webm', import.meta.url));
await writeSample(path);
process.stderr.write(`wrote ${path}\n`);
