// Real tosses of a cube, poses at 148 frames a second: --data FOLDER with toss-*.json. Each is estimated alone; then what
// all share from three in four, with which the others are foretold from where they start, the frames before they touch: by a
// fit of all of them together, and by what foretells them best themselves. The latter for each of the four quarters in turn.
// Beside that, the limit of all foretelling: how far two real tosses part that touch the ground in nearly the same state, and
// how far they part by simulation. --seed draws the materials that are tried.
import { median } from '@gradsim/base';
import type { Estimate } from '@gradsim/optim';
import { estimate, estimateTogether } from '@gradsim/optim';
import type { Poses } from '@gradsim/recordings/poses';
import { startOfFreeFlight } from '@gradsim/recordings/poses';
import type { Material } from './cube-tosses/cube.ts';
import { GRAVITY, MATERIAL, tossProblem, WIDTH } from './cube-tosses/cube.ts';
import type { PoseErrors } from './cube-tosses/errors.ts';
import { poseErrors } from './cube-tosses/errors.ts';
import type { PredictedToss, TossWithFlight } from './cube-tosses/foretell.ts';
import { tossPredictorOf } from './cube-tosses/foretell.ts';
import { learnMaterial } from './cube-tosses/learn.ts';
import { nearestTosses } from './cube-tosses/nearest.ts';
import { readTosses } from './cube-tosses/toss.ts';
import { benchOptions, print } from './support/options.ts';

/** Every fourth toss is held out: nothing is chosen or estimated from it. */
const FOLDS = 4;
/** Position error below which a toss counts as fitted, m. */
const FITTED = 0.005;
/** Number of pairs that are alike whose parting is summed up. */
const NEAREST = 10;

const options = await benchOptions(['data', 'count', 'seed']);
const { device } = options;
const folder = options.text('data', '');
if (folder === '') throw new Error('Give the folder of the cube tosses: --data FOLDER.');
const tosses = (await readTosses(folder)).slice(0, options.number('count', 1000));
const seed = options.number('seed', 1);
const isHeldOut = (k: number): boolean => k % FOLDS === FOLDS - 1;

/** A toss with its own fit, made without the other tosses. */
interface TossFit extends TossWithFlight {
  readonly alone: Estimate;
}

const tossFits: TossFit[] = [];
const fits: PoseErrors[] = [];
let slowest = 0;
for (const toss of tosses) {
  const began = performance.now();
  const flight = startOfFreeFlight(toss, { gravity: GRAVITY });
  const alone = await estimate(tossProblem(toss, flight), { device });
  const seconds = (performance.now() - began) / 1000;
  const errors = shownErrors(toss, flight.frame, alone);
  tossFits.push({ toss, flight, alone });
  fits.push(errors);
  slowest = Math.max(slowest, seconds);
  print({
    toss: toss.name,
    contact: flight.contact,
    rmsMm: 1e3 * errors.rms,
    degrees: errors.angle,
    seconds,
    ...figuresOf(alone),
    trusted: alone.verdict.trusted,
    why: alone.verdict.findings.filter(({ isCritical }) => isCritical).map(({ note }) => note),
  });
}

const learnt = tossFits.filter((_, k) => !isHeldOut(k));
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
  mu: mu.estimate,
  restitution: restitution.estimate,
  duration: duration.estimate,
  radius: radius.estimate,
  // It is counted from that of the model.
  inset: MATERIAL.inset.initial + inset.estimate,
};
for (const [name, { estimate: value, standardError }] of Object.entries(together.shared))
  print({ shared: name, estimate: value, standardError, from: learnt.length });
const rest = together.recordings.map(({ estimate: own }, k) =>
  shownErrors(learnt[k].toss, learnt[k].flight.frame, own),
);

const heldOut = tossFits.filter((_, k) => isHeldOut(k));
/** Prediction errors of each quarter of the tosses, with the material learned from the other three. */
const quarters: PredictedToss[][] = [];
for (let quarter = 0; quarter < Math.min(FOLDS, tossFits.length); quarter++) {
  const own = tossFits.filter((_, k) => k % FOLDS === quarter);
  const others = tossFits.filter((_, k) => k % FOLDS !== quarter);
  const learned = await learnMaterial(device, others, seed);
  const errors = await foretell(own, learned);
  quarters.push(errors);
  print({ foretold: own.length, from: others.length, ...learned, ...summary(errors) });
  if (quarter === FOLDS - 1)
    errors.forEach((one, k) => {
      print({ heldOut: own[k].toss.name, percentOfWidth: (100 * one.mean) / WIDTH, degrees: one.angle });
    });
}
const inOrder = tossFits.map((_, k) => quarters[k % FOLDS][Math.floor(k / FOLDS)]);
const pairs = nearestTosses(
  tossFits,
  inOrder.map(({ motion }) => motion()),
);
const shown = ({ mean, angle }: { mean: number; angle: number }) => ({
  percentOfWidth: (100 * mean) / WIDTH,
  degrees: angle,
});
for (const { names, difference, isSame, parted, foretoldParted } of pairs)
  print({
    pair: names,
    stateDifferenceMm: 1e3 * difference,
    isSame,
    parted: shown(parted),
    partedBySimulation: shown(foretoldParted),
    foretold: names.map((name) => shown(inOrder[tossFits.findIndex(({ toss }) => toss.name === name)])),
  });
const nearest = pairs.filter(({ isSame }) => !isSame).slice(0, NEAREST);
const byFit = await foretell(heldOut, material);
print({
  bench: 'cube-tosses',
  device: device.kind,
  tosses: tosses.length,
  fitted: fits.filter(({ rms }) => rms < FITTED).length,
  medianRmsMm: 1e3 * median(fits.map(({ rms }) => rms)),
  slowestSeconds: slowest,
  trusted: tossFits.filter(({ alone }) => alone.verdict.trusted).length,
  together: { medianRmsMm: 1e3 * median(rest.map(({ rms }) => rms)), seconds: together.seconds },
  verdict: together.verdict.trusted,
  findings: together.verdict.findings.map(({ note }) => note),
  ...(heldOut.length > 0 && {
    heldOut: heldOut.length,
    foretold: summary(quarters[FOLDS - 1]),
    foretoldByFit: summary(byFit),
  }),
  foretoldOfAll: summary(quarters.flat()),
  ...(pairs.length > 0 && {
    nearestPairs: nearest.length,
    pairsParted: summary(nearest.map(({ parted }) => parted)),
    pairsPartedBySimulation: summary(nearest.map(({ foretoldParted }) => foretoldParted)),
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

/** Predicts tosses from their free flights, with a known material. */
async function foretell(some: readonly TossWithFlight[], known: Material): Promise<PredictedToss[]> {
  const foreteller = await tossPredictorOf(device, some, 1);
  try {
    const [errors] = await foreteller.of([known]);
    return errors;
  } finally {
    foreteller.dispose();
  }
}

function summary(errors: readonly Pick<PoseErrors, 'mean' | 'angle'>[]): { percentOfWidth: number; degrees: number } {
  return {
    percentOfWidth: (100 * median(errors.map(({ mean }) => mean))) / WIDTH,
    degrees: median(errors.map(({ angle }) => angle)),
  };
}
