// Whether experiments give the same results, bit for bit, as in another checkout: `npm run -s bench -- same --other FOLDER`.
// Both have to be built. Each experiment of apps/examples is estimated in both, and every number and word of `result.json`
// compared but times. `--only toss,arm` takes some. One that needs a film of the user's is skipped, with its reason.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { print } from './support/options.ts';

const { values } = parseArgs({ options: { other: { type: 'string' }, only: { type: 'string', default: '' } } });
if (!values.other) throw new Error('Give --other FOLDER: another checkout, built.');
const here = fileURLToPath(new URL('../../..', import.meta.url));
const other = resolve(values.other);

/** Names of all experiments, or those of `--only`. */
function experiments(): readonly string[] {
  if (values.only) return values.only.split(',');
  const folder = join(here, 'apps/examples/src');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && readFileSync(join(folder, name), 'utf8').includes('defineExperiment('))
    .map((name) => name.slice(0, -'.ts'.length));
}

/**
 * Leaves of an experiment's `result.json` by path, without durations; a string with the reason if the experiment fails.
 */
function resultOf(checkout: string, name: string): Map<string, unknown> | string {
  const out = mkdtempSync(join(tmpdir(), 'gradsim-same-'));
  try {
    const main = join(checkout, 'packages/gradsim/dist/main.js');
    const file = join(checkout, 'apps/examples/src', `${name}.ts`);
    const args = [main, 'estimate', file, '--device', 'cpu', '--quiet', '--json', '--force', '--out', out];
    const run = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8', maxBuffer: 1 << 28 });
    const lines = run.stderr.trim().split('\n');
    // The exit code says too that an estimate is not to be trusted, which is a result.
    if (!readdirSync(out).includes('result.json')) return lines.at(-1) ?? `exit code ${run.status}`;
    const found = new Map<string, unknown>();
    collect('', JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')), found);
    return found;
  } finally {
    rmSync(out, { recursive: true });
  }
}

const TIMES = /seconds$|^(date|began|command|out|experimentFile)$/i;

/** Collects the leaves of a JSON value by path, except durations. */
function collect(path: string, value: unknown, into: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) into.set(path, value);
  else
    for (const [key, part] of Object.entries(value))
      if (!TIMES.test(key)) collect(path === '' ? key : `${path}.${key}`, part, into);
}

let differing = 0;
for (const experiment of experiments()) {
  const began = performance.now();
  const [mine, theirs] = [resultOf(here, experiment), resultOf(other, experiment)];
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  if (typeof mine === 'string' || typeof theirs === 'string') {
    const isSkipped = mine === theirs;
    if (!isSkipped) differing++;
    print({ bench: 'same', experiment, skipped: isSkipped, reason: mine, other: theirs });
    continue;
  }
  const paths = [...new Set([...mine.keys(), ...theirs.keys()])];
  const different = paths.filter((path) => !Object.is(mine.get(path), theirs.get(path)));
  if (different.length > 0) differing++;
  const examples = different.slice(0, 5).map((path) => ({ path, here: mine.get(path), other: theirs.get(path) }));
  print({ bench: 'same', experiment, values: paths.length, different: different.length, examples, seconds });
}
print({ bench: 'same', other, differing });
