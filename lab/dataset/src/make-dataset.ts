// The dataset: npm run -s dataset -- --count 10000 --seed 1 --out DIR [--kind rigid] [--size 128] [--workers 2]
// Makes what is not there yet, then writes index.jsonl, dataset.json and page.html, and prints a line of JSON.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { processTerminal, runProgram } from 'gradsim';
import { finishDataset } from './finish.ts';
import { KINDS } from './sample.ts';

const text = (value: string | number) => ({ type: 'string', default: String(value) }) as const;
const { values } = parseArgs({
  options: {
    kind: text('rigid'),
    count: text(14),
    seed: text(1),
    size: text(128),
    out: text('out/dataset'),
    workers: text(2),
  },
});

try {
  process.exitCode = await makeDataset();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function makeDataset(): Promise<number> {
  const [count, size, workers] = (['count', 'size', 'workers'] as const).map((name) => whole(name, 1));
  const seed = whole('seed', 0);
  const { out } = values;
  const kind = KINDS.find((each) => each === values.kind);
  if (!kind) throw new Error(`--kind is "${values.kind}"; it is one of ${KINDS.join(', ')}.`);
  const began = performance.now();
  const code = await runProgram(
    [
      ...['sweep', fileURLToPath(new URL('./study.js', import.meta.url)), '--out', `${out}/study`],
      ...['--workers', String(workers)],
      ...Object.entries({ kind, count, seed, size, results: join(out, 'study/results.jsonl') }).flatMap(
        ([name, value]) => ['--set', `${name}=${value}`],
      ),
    ],
    // What the sweep prints is not what this program prints.
    { ...processTerminal(), print: (line) => process.stderr.write(`${line}\n`) },
  );
  if (code === 1) return code;
  const made = await finishDataset(out, { kind, count, seed, size });
  process.stdout.write(`${JSON.stringify({ ...made, workers, seconds: (performance.now() - began) / 1000 })}\n`);
  return code;
}

function whole(name: keyof typeof values, least: number): number {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} takes a whole number of at least ${least}, not ${values[name]}.`);
  return value;
}
