// From the start of a process to its first result: load, compile, one frame of a box on the ground, drawn at 64 x 64,
// forward and back. Whole processes, one after another; times are those of a clock outside, the parts those inside.
// Then serial chains of `--links 40,500,2000`, a process each: milliseconds of the processor and of the clock till the scene
// is a model, till that is prepared for a gradient, and till it ran forward and back, and the most memory of the process.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median } from '@gradsim/base';
import { benchOptions, least, print } from './support/options.ts';

const options = await benchOptions(['runs', 'links']);
const runs = options.number('runs', 11);
const program = fileURLToPath(new URL(`startup/first-result${import.meta.url.slice(-3)}`, import.meta.url));

interface Parts {
  readonly loaded: number;
  readonly compiled: number;
  readonly forward: number;
  readonly backward: number;
}
const seconds: number[] = [];
const parts: Parts[] = [];
for (let k = 0; k < runs; k++) {
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, options.device.kind], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The program ended with ${status}: ${stderr}`);
  seconds.push(performance.now() - began);
  parts.push(JSON.parse(stdout));
}
const of = (name: keyof Parts, before?: keyof Parts): number =>
  median(parts.map((p) => p[name] - (before ? p[before] : 0)));
print({
  bench: 'startup',
  device: options.device.kind,
  node: process.version,
  wholeProcessMs: median(seconds),
  leastWholeProcessMs: least(seconds),
  loadMs: of('loaded'),
  compileMs: of('compiled', 'loaded'),
  forwardMs: of('forward', 'compiled'),
  backwardMs: of('backward', 'forward'),
  runs,
});
const chain = fileURLToPath(new URL(`startup/chain${import.meta.url.slice(-3)}`, import.meta.url));
for (const links of options.text('links', '40,500,2000').split(',')) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [chain, options.device.kind, links], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The program ended with ${status}: ${stderr}`);
  print({ bench: 'startup of a chain', device: options.device.kind, ...JSON.parse(stdout) });
}
options.device.dispose();
