// Bodies on bodies: how a box on a slope creeps, how a stack of ten boxes drifts and a hundred balls in a bowl come to rest, each
// over ten seconds, and what a substep takes with 10, 100 and 1000 bodies in piles, boxes and balls.

import { creepOf, driftOf, pileTimes, restOf } from './stack/runs.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['seconds', 'substeps']);
const { device } = options;
const seconds = options.number('seconds', 10);
const timed = options.number('substeps', 240);

print({ bench: 'stack', case: 'slope', device: device.kind, ...(await creepOf(device, seconds)) });
print({ bench: 'stack', case: 'ten boxes', device: device.kind, ...(await driftOf(device, seconds)) });
print({ bench: 'stack', case: 'a hundred balls', device: device.kind, ...(await restOf(device, seconds)) });
for (const shape of ['balls', 'boxes'] as const)
  for (const bodies of [10, 100, 1000])
    print({
      bench: 'stack',
      case: 'pile',
      device: device.kind,
      shape,
      bodies,
      ...(await pileTimes(device, { shape, bodies, substeps: timed })),
    });
device.dispose();
