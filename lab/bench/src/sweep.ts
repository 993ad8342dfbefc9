// What a trial costs beyond its own work, in processor time and memory; whether sweeps whose processes are killed have every result
// once, with the same bits; and what a second worker gives. `--count` trials of no work (default 10000), `--seed` of the kills.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { print, wholeNumber } from './support/options.ts';
import { sweepInChaos } from './sweep/chaos.ts';
import { processorOfEnded, runSweep, type SweepCost } from './sweep/command.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
});
const count = wholeNumber('count', values.count, 10);
const folder = mkdtempSync(join(tmpdir(), 'gradsim-sweep-'));
let folders = 0;
const out = (): string => join(folder, String(folders++));

/** Measures a sweep: processor time including its workers, s, and memory of its coordinator, MB. */
async function costOf(trials: number): Promise<SweepCost & { processor: number }> {
  const before = processorOfEnded();
  const cost = await runSweep(out(), 2, { count: trials });
  return { ...cost, processor: processorOfEnded() - before };
}

const few = await costOf(count / 10);
const many = await costOf(count);
const milliseconds = (1000 * (many.processor - few.processor)) / (count - count / 10);
print({
  bench: 'sweep',
  part: 'overhead',
  trials: count,
  processorMillisecondsATrial: milliseconds,
  trialsASecond: count / many.seconds,
  megabytesEarly: many.megabytesEarly,
  megabytes: many.megabytes,
});

const chaos = await sweepInChaos({ trials: 300, idle: 60, coordinators: 5, workers: 8, seed: Number(values.seed) });
print({ bench: 'sweep', part: 'chaos', ...chaos });

/**
 * Minimum duration of three sweeps, s, for one and for two workers. They alternate because other programs use the
 * machine too.
 */
const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
for (let round = 0; round < 3; round++)
  for (const workers of [1, 2]) {
    const { seconds } = await runSweep(out(), workers, { count: 40, milliseconds: 250 });
    least[workers - 1] = Math.min(least[workers - 1], seconds);
  }
print({ bench: 'sweep', part: 'workers', one: least[0], two: least[1], gain: least[0] / least[1] });
rmSync(folder, { recursive: true });
process.exitCode = chaos.lost + chaos.twice + chaos.differing === 0 && milliseconds < 6 ? 0 : 1;
