// The command `gradsim` from the repository: npm run -s gradsim -- ARGS
import { runProgram } from './program.js';

await runProgram('packages/gradsim/dist/main.js', process.argv.slice(2), ['packages']);
