// Films of known truth, by a program of their own: npm run -s films -- ARGS
import { runProgram } from './program.js';

await runProgram('apps/films/dist/make-films.js', process.argv.slice(2));
