// Random programs of kernels and passes, and whether their derivatives are right: `--count 10000 --seed 1`. Each that is
// not is a line with how to make it again; `--shrink` takes from it what it is wrong without. `--devices cpu,webgpu`
// (default cpu) names the devices that are held against doubles, `--from N` begins at the N-th program of the series.
import { parseArgs } from 'node:util';
import type { DeviceName } from '@gradsim/core';
import { selectDevice } from '@gradsim/core';
import { describeProgram, runSeries, shrinkNth } from '@gradsim/random-programs';
import { print, wholeNumber } from './support/options.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    devices: { type: 'string', default: 'cpu' },
    shrink: { type: 'boolean', default: false },
  },
});
const whole = (name: 'count' | 'seed' | 'from'): number => wholeNumber(name, values[name], 0);
const [count, seed, from] = [whole('count'), whole('seed'), whole('from')];
const devices = await Promise.all(values.devices.split(',').map((name) => selectDevice(name as DeviceName)));
const began = performance.now();
const { usage, ...result } = await runSeries({
  seed,
  count,
  from,
  devices,
  onFinding: async ({ program, verdict }) => {
    const again = `npm run -s bench -- programs --seed ${seed} --from ${program} --count 1 --devices ${values.devices} --shrink`;
    print({ bench: 'programs', program, ...verdict, again });
    if (values.shrink) console.error(describeProgram(await shrinkNth(seed, program, devices)));
  },
});
print({
  bench: 'programs',
  seed,
  from,
  devices: devices.map((device) => device.description),
  ...result,
  // A few programs use little of what there is to use.
  ...(count >= 300 ? { unused: usage.unused(), usage: usage.counts() } : {}),
  seconds: Math.round((performance.now() - began) / 100) / 10,
});
for (const device of devices) device.dispose();
