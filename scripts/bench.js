// One benchmark, a program that prints JSON lines: npm run -s bench -- NAME ARGS. Each is lab/bench/src/NAME.ts; `all`
// runs one after another but `nightly` and `gpu`, each in a process of its own, and goes on where one fails.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './program.js';
import { root } from './root.js';

const [name = '', ...args] = process.argv.slice(2);
const names = readdirSync(join(root, 'lab/bench/src'), { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => basename(entry.name, '.ts'));

if (name === 'all') {
  const failed = names.filter((each) => {
    if (each === 'nightly' || each === 'gpu') return false;
    const command = [fileURLToPath(import.meta.url), each, ...args];
    return spawnSync(process.execPath, command, { stdio: 'inherit' }).status !== 0;
  });
  if (failed.length > 0) console.error(`These benchmarks failed: ${failed.join(', ')}.`);
  process.exit(failed.length > 0 ? 1 : 0);
}
if (!names.includes(name)) {
  const asked = name ? `There is no benchmark "${name}"` : 'No benchmark was named';
  console.error(`${asked}; choose one of: all, ${names.join(', ') || '(none yet)'}.`);
  process.exit(1);
}
await runProgram(`lab/bench/dist/${name}.js`, args);
