// One benchmark, a program that prints JSON lines: npm run -s bench -- NAME ARGS. Each is apps/bench/src/NAME.ts.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runProgram } from './program.js';
import { root } from './root.js';

const [name = '', ...args] = process.argv.slice(2);
const names = readdirSync(join(root, 'apps/bench/src'), { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => basename(entry.name, '.ts'));

if (!names.includes(name)) {
  const asked = name ? `There is no benchmark "${name}"` : 'No benchmark was named';
  console.error(`${asked}; choose one of: ${names.join(', ') || '(none yet)'}.`);
  process.exit(1);
}
await runProgram(`apps/bench/dist/${name}.js`, args);
