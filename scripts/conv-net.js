// The network that tables of the paper compare with: npm run -s conv-net -- --data DIR --out DIR
import { runProgram } from './program.js';

await runProgram('apps/conv-net/dist/main.js', process.argv.slice(2));
