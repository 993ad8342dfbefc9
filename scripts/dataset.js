// Films of tossed objects with all that was drawn for them: npm run -s dataset -- --count 10000 --seed 1 --out DIR
import { runProgram } from './program.js';

await runProgram('apps/dataset/dist/make-dataset.js', process.argv.slice(2));
