// Real tosses of a cube, poses at 148 frames a second: --data FOLDER with toss-*.json. Each is estimated alone; then what
// all share from three in four, with which the others are foretold from where they start, the frames before they touch.
import type { Device } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { Estimate } from '@gradsim/optim';
import { estimate, estimateTogether } from '@gradsim/optim';
import type { Poses } from '@gradsim/poses';
import { startOfFreeFlight } from '@gradsim/poses';
import type { Material } from './cube-tosses/cube.ts';
import { cubeModel, framesOf, GRAVITY, MATERIAL, SUBSTEPS, tossProblem, WIDTH } from './cube-tosses/cube.ts';
import type { PoseErrors } from './cube-tosses/errors.ts';
import { poseErrors } from './cube-tosses/errors.ts';
import { readTosses } from './cube-tosses/toss.ts';
import { benchOptions, median, print } from './support/options.ts';

/** Every fourth toss is held out: nothing is chosen or estimated from it. */
const HELD_OUT = 4;
/** What counts as fitted, in m. */
const FITTED = 0.005;

const options = await benchOptions(['data', 'count']);
const { device } = options;
const folder = options.text('data', '');
if (folder === '') throw new Error('Give the folder of the cube tosses: --data FOLDER.');
const tosses = (await readTosses(folder)).slice(0, options.number('count', 1000));
const isHeldOut = (k: number): boolean => k % HELD_OUT === HELD_OUT - 1;

/** A toss with where it starts. */
interface Begun {
  readonly toss: Poses;
  readonly flight: ReturnType<typeof startOfFreeFlight>;
  readonly alone: Estimate;
}

const begun: Begun[] = [];
const fits: PoseErrors[] = [];
let slowest = 0;
for (const toss of tosses) {
  const began = performance.now();
  const flight = startOfFreeFlight(toss, { gravity: GRAVITY });
  const alone = await estimate(tossProblem(toss, flight), { device });
  const seconds = (performance.now() - began) / 1000;
  const errors = shownErrors(toss, flight.frame, alone);
  begun.push({ toss, flight, alone });
  fits.push(errors);
  slowest = Math.max(slowest, seconds);
  print({
    ...{ toss: toss.name, contact: flight.contact, rmsMm: 1e3 * errors.rms, degrees: errors.angle, seconds },
    ...figuresOf(alone),
    ...{
      trusted: alone.verdict.trusted,
      why: alone.verdict.findings.filter(({ grave }) => grave).map(({ note }) => note),
    },
  });
}

const learnt = begun.filter((_, k) => !isHeldOut(k));
const together = await estimateTogether(
  learnt.map(({ toss, flight, alone }) => ({
    name: toss.name,
    problem: tossProblem(toss, flight, { isHeld: true }),
    alone,
  })),
  { shared: Object.keys(MATERIAL) },
  { device },
);
const { mu, restitution, duration, radius, inset } = together.shared;
const material: Material = {
  ...{
    mu: mu.estimate,
    restitution: restitution.estimate,
    duration: duration.estimate,
    radius: radius.estimate,
  },
  // It is counted from that of the model.
  inset: MATERIAL.inset.initial + inset.estimate,
};
for (const [name, { estimate: value, standardError }] of Object.entries(together.shared))
  print({ shared: name, estimate: value, standardError, from: learnt.length });
const rest = together.recordings.map(({ estimate: own }, k) =>
  shownErrors(learnt[k].toss, learnt[k].flight.frame, own),
);

const foretold: PoseErrors[] = [];
for (const [k, { toss, flight }] of begun.entries()) {
  if (!isHeldOut(k)) continue;
  const errors = await foretell(device, toss, flight, material);
  foretold.push(errors);
  print({ heldOut: toss.name, percentOfWidth: (100 * errors.mean) / WIDTH, degrees: errors.angle });
}
const learntToo = await Promise.all(
  learnt.map(({ toss, flight }) => foretell(device, toss, flight, material)),
);
const summary = (errors: readonly PoseErrors[]) => ({
  percentOfWidth: (100 * median(errors.map(({ mean }) => mean))) / WIDTH,
  degrees: median(errors.map(({ angle }) => angle)),
});
print({
  ...{ bench: 'cube-tosses', device: device.kind, tosses: tosses.length },
  fitted: fits.filter(({ rms }) => rms < FITTED).length,
  ...{ medianRmsMm: 1e3 * median(fits.map(({ rms }) => rms)), slowestSeconds: slowest },
  trusted: begun.filter(({ alone }) => alone.verdict.trusted).length,
  together: { medianRmsMm: 1e3 * median(rest.map(({ rms }) => rms)), seconds: together.seconds },
  ...{ verdict: together.verdict.trusted, findings: together.verdict.findings.map(({ note }) => note) },
  ...(foretold.length > 0 && {
    heldOut: foretold.length,
    foretold: summary(foretold),
    foretoldOfLearnt: summary(learntToo),
  }),
});

function shownErrors(toss: Poses, first: number, { predicted }: Estimate): PoseErrors {
  return poseErrors(toss, first, predicted['bodies.position'], predicted['bodies.orientation']);
}

function figuresOf({ parameters }: Estimate): Record<string, unknown> {
  const shown = Object.entries(parameters).filter(([name]) => name in MATERIAL);
  return Object.fromEntries(
    shown.map(([name, { estimate: value, standardError }]) => [name, { estimate: value, standardError }]),
  );
}

/** A toss from where it starts, with a known material. */
async function foretell(
  on: Device,
  toss: Poses,
  flight: Begun['flight'],
  known: Material,
): Promise<PoseErrors> {
  const simulation = await createSimulation(cubeModel(flight, known), {
    ...{ device: on, frames: framesOf(toss, flight), frameRate: toss.frameRate, substeps: SUBSTEPS },
    record: ['bodies.position', 'bodies.orientation'],
  });
  try {
    simulation.forward();
    const [position, orientation] = [
      await simulation.readFrames('bodies.position'),
      await simulation.readFrames('bodies.orientation'),
    ];
    return poseErrors(toss, flight.frame, position, orientation);
  } finally {
    simulation.dispose();
  }
}
