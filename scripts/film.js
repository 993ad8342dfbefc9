// Films that another renderer made, to estimate from: npm run -s film -- ARGS
import { runProgram } from './program.js';

await runProgram('apps/examples/dist/make-photo-films.js', process.argv.slice(2));
