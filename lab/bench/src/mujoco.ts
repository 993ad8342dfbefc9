// Parameters of an arm from its joint angles, 20 unknowns: by MuJoCo's WebAssembly and finite differences, and by gradsim and
// its derivatives; the same Gauss-Newton, residuals, step, start and tolerance, one thread each. Processor time, the least of
// runs that are interleaved. --starts so many, drawn from --seed; --runs so many for the ratios; --noise of angles, urad.

import { median, randomNumbers, standardNormal } from '@gradsim/base';
import { selectDevice } from '@gradsim/core';
import { JOINTS, startOf, TIMELINE, TRUTH } from './mujoco/arm.ts';
import { gradsimArm } from './mujoco/by-gradsim.ts';
import { mujocoArm } from './mujoco/by-mujoco.ts';
import type { Residuals } from './mujoco/gauss-newton.ts';
import { gaussNewton } from './mujoco/gauss-newton.ts';
import { benchOptions, least, print } from './support/options.ts';

const options = await benchOptions(['starts', 'seed', 'runs', 'noise']);
const device = await selectDevice('cpu', { threads: 1 });
const [starts, seed, runs] = [options.number('starts', 5), options.number('seed', 1), options.number('runs', 40)];
const noise = 1e-6 * options.number('noise', 1000);

const theirs = await mujocoArm();
const ours = await gradsimArm(device);
const exact = theirs.run(TRUTH);
const same = await ours.run(TRUTH);
const random = randomNumbers(seed + 1000);
const measured = exact.map((angle) => angle + noise * standardNormal(random));
const ways: readonly (readonly [string, Residuals, (values: readonly number[]) => unknown])[] = [
  ['MuJoCo, finite differences', theirs.residuals(measured), theirs.run],
  ['gradsim, tangents', ours.residuals(measured), ours.run],
];

/** Processor time of a call, ms. */
async function timed(call: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const logs = TRUTH.map(Math.log);
const forward: number[][] = [[], []];
const jacobian: number[][] = [[], []];
for (let k = -2; k < runs; k++)
  for (const [w, [, residuals, run]] of ways.entries()) {
    const times = [await timed(() => run(TRUTH)), await timed(() => residuals.withJacobian(logs))];
    // The first runs compile.
    if (k < 0) continue;
    forward[w].push(times[0]);
    jacobian[w].push(times[1]);
  }
const answers: (readonly number[])[][] = [[], []];
for (const [w, [way]] of ways.entries())
  print({
    way,
    unknowns: TRUTH.length,
    substeps: (TIMELINE.frames - 1) * TIMELINE.substeps,
    forwardMs: least(forward[w]),
    jacobianMs: least(jacobian[w]),
    forwardRatio: least(forward[w]) / least(forward[0]),
    jacobianRatio: least(jacobian[w]) / least(forward[w]),
  });
for (let k = 0; k < starts; k++)
  for (const [w, [way, residuals]] of ways.entries()) {
    const start = startOf(seed + k).map(Math.log);
    let found = await gaussNewton(residuals, start);
    const seconds = (await timed(async () => (found = await gaussNewton(residuals, start)))) / 1000;
    answers[w].push(found.unknowns);
    const errors = found.unknowns.map((u, i) => Math.abs(u - logs[i]));
    print({
      start: k,
      way,
      rmsResidual: Math.sqrt(found.squares / measured.length),
      medianError: median(errors),
      worstError: Math.max(...errors),
      seconds,
      iterations: found.iterations,
      runs: found.runs,
      jacobians: found.jacobians,
    });
  }
print({
  bench: 'mujoco',
  device: device.kind,
  joints: JOINTS,
  anglesApart: Math.max(...same.map((angle, k) => Math.abs(angle - exact[k]))),
  estimatesApart: Math.max(...answers[0].flatMap((all, k) => all.map((u, i) => Math.abs(u - answers[1][k][i])))),
});
theirs.dispose();
ours.dispose();
