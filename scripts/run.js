// A built program of the workspace, after a set-up: node scripts/run.js FILE ARGS
import { runProgram } from './program.js';

await runProgram(process.argv[2], process.argv.slice(3));
