// From the start of a process to its first result: load, compile, one frame of a box on the ground, drawn at 64 x 64,
// forward and back. Whole processes, in turns: in one all code is written anew, in the next read from a folder that an
// earlier process wrote. Times are those of a clock outside, the parts those inside.
// Then serial chains of `--links 40,500,2000`, a process each: milliseconds of the processor and of the clock till the scene
// is a model, till that is prepared for a gradient, and till it ran forward and back, and the most memory of the process.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  readonly processor: number;
}
interface Run extends Parts {
  readonly whole: number;
}

const folder = mkdtempSync(join(tmpdir(), 'gradsim-startup-'));
function runOnce(cache: string): Run {
  const began = performance.now();
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, options.device.kind], {
    encoding: 'utf8',
    env: { ...process.env, GRADSIM_CACHE: cache },
  });
  if (status !== 0) throw new Error(`The program ended with ${status}: ${stderr}`);
  return { ...(JSON.parse(stdout) as Parts), whole: performance.now() - began };
}
const [anew, kept]: Run[][] = [[], []];
runOnce(folder);
for (let k = 0; k < runs; k++) {
  anew.push(runOnce('off'));
  kept.push(runOnce(folder));
}
rmSync(folder, { recursive: true });
for (const [modules, measured] of [
  ['written', anew],
  ['read', kept],
] as const) {
  const of = (name: keyof Parts, before?: keyof Parts): number =>
    median(measured.map((p) => p[name] - (before ? p[before] : 0)));
  const whole = measured.map((p) => p.whole);
  print({
    bench: 'startup',
    device: options.device.kind,
    node: process.version,
    modules,
    wholeProcessMs: median(whole),
    leastWholeProcessMs: least(whole),
    leastProcessorMs: least(measured.map((p) => p.processor)),
    loadMs: of('loaded'),
    compileMs: of('compiled', 'loaded'),
    forwardMs: of('forward', 'compiled'),
    backwardMs: of('backward', 'forward'),
    runs,
  });
}
const chain = fileURLToPath(new URL(`startup/chain${import.meta.url.slice(-3)}`, import.meta.url));
for (const links of options.text('links', '40,500,2000').split(',')) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [chain, options.device.kind, links], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The program ended with ${status}: ${stderr}`);
  print({ bench: 'startup of a chain', device: options.device.kind, ...JSON.parse(stdout) });
}
options.device.dispose();
