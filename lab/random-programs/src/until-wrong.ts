// A program of its own, for `bench -- breaks`: judges programs of a series until one is wrong. Arguments: seed, count.
import { cpuDevice } from '@gradsim/core';
import { runSeries } from './series.ts';

const [seed, count] = process.argv.slice(2).map(Number);
const devices = [cpuDevice({ threads: 1 })];
let programs = 0;
const say = (line: object): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);
for (; programs < count; programs++) {
  let finding: object | null = null;
  await runSeries({
    seed,
    devices,
    from: programs,
    count: 1,
    onFinding: ({ verdict }) => {
      if (verdict.verdict === 'wrong') finding = { finding: verdict.finding, detail: verdict.detail };
    },
  });
  if (finding || programs % 10 === 0) say({ programs: programs + 1, ...(finding ?? {}) });
  if (finding) break;
}
if (programs === count) say({ programs });
