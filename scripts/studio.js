// The page of `gradsim studio` from the repository, with what has changed: npm run studio -- [film.mp4]
import { runProgram } from './program.js';

await runProgram('packages/gradsim/dist/main.js', ['studio', ...process.argv.slice(2)]);
