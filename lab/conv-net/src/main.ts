// ConvNet, the baseline of Tables 1 and 2 that learns from films: npm run -s conv-net -- --data DIR --out DIR [--epochs 12] [--objects 800] [--tests 200]
// DIR is a dataset of npm run -s dataset -- --count 1000 --seed 1 --size 64. A line of JSON an epoch goes to standard error, rows to standard output.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CONV_NET_ROWS, convNetRows, type Instance, secondsSince } from '@gradsim/baselines';
import { readDataset, type Split } from '@gradsim/dataset';
import { type Example, readExample, UNKNOWNS } from './example.ts';
import { train } from './training.ts';

const text = (value: string | number) => ({ type: 'string', default: String(value) }) as const;
const { values } = parseArgs({
  options: {
    data: text('out/dataset'),
    out: text('out/conv-net'),
    epochs: text(12),
    objects: text(800),
    tests: text(200),
    seed: text(1),
  },
});
const whole = (name: 'epochs' | 'objects' | 'tests' | 'seed'): number => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} takes a whole number of at least 1, not ${values[name]}.`);
  return value;
};

async function examplesOf(split: Split, count: number): Promise<Example[]> {
  const examples: Example[] = [];
  for await (const sample of readDataset(values.data, { split })) {
    if (examples.length === count) break;
    examples.push(await readExample(sample));
  }
  if (examples.length < count)
    throw new Error(`${values.data} has ${examples.length} samples of the split ${split}, fewer than ${count}.`);
  return examples;
}

async function main(): Promise<void> {
  const [epochs, objects, tests, seed] = (['epochs', 'objects', 'tests', 'seed'] as const).map(whole);
  const [training, held] = [await examplesOf('train', objects), await examplesOf('test', tests)];
  mkdirSync(values.out, { recursive: true });
  const network = await train(training, {
    epochs,
    seed,
    checkpoint: join(values.out, 'checkpoint.bin'),
    onEpoch: ({ epoch, loss, validation }) => {
      process.stderr.write(`${JSON.stringify({ epoch, loss, validation, seconds: secondsSince() })}\n`);
    },
  });
  const instances = held.map((example): Instance => {
    const began = process.cpuUsage();
    const [found] = network.predict([example]);
    const seconds = secondsSince(began);
    const byName = (of: readonly number[]) => Object.fromEntries(UNKNOWNS.map((name, k) => [name, of[k]]));
    return {
      truth: byName(example.truth),
      measured: { values: byName(found), sureness: null, simulations: null, seconds },
    };
  });
  const lines = convNetRows(instances).map((row) => `${JSON.stringify(row)}\n`);
  writeFileSync(join(values.out, CONV_NET_ROWS), lines.join(''));
  process.stdout.write(lines.join(''));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
