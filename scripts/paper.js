// Tables and figures of the paper, computed anew: npm run -s paper -- table-3 figure-6 [--quick] [--json]
import { runProgram } from './program.js';

await runProgram('apps/paper/dist/main.js', process.argv.slice(2));
