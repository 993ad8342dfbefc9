// Plans of experiments, and whether they are kept: of balls that are thrown and pendulums, drawn at random by small steps of
// their equations, what a first film foretells for another experiment (more frames a second, a longer film, a closer view, a
// harder push, better measured lengths), and what the film of that experiment then gives. A line a film, and a summary.
// With --every 1 all experiments of a case are done instead of one drawn: `chosen` is the standard error of the one that the
// plan ranks first, over the least of those found. --count 40, --first 0, --seed 1.
import { randomNumbers } from '@gradsim/base';
import { flight, type Kind, measuredOf, pendulum } from '@gradsim/kinds';
import { type Estimate, estimate, planExperiment, type Stage } from '@gradsim/optim';
import { type DrawnBall, drawFilm, pathOf } from './plans/draw.ts';
import { benchOptions, print } from './support/options.ts';

/** Experiment that can be done: what is drawn, for how long, at which rate, and what is measured beside it. */
interface FeasibleExperiment {
  readonly kind: Kind;
  readonly ball: DrawnBall;
  readonly seconds: number;
  readonly rate: number;
  readonly measured: Readonly<Record<string, number>>;
  /** Factor on tolerances of lengths, of the usual 1 %. */
  readonly tolerance: number;
}

/** A change in words of the plan, and how it is really done. */
interface PlannedChange {
  readonly words: RegExp;
  readonly apply: (experiment: FeasibleExperiment, again: (push: number) => FeasibleExperiment) => FeasibleExperiment;
}

const G = 9.81;
const CHANGES: readonly PlannedChange[] = [
  { words: /twice the frames/, apply: (e) => ({ ...e, rate: 2 * e.rate }) },
  { words: /half as much again/, apply: (e) => ({ ...e, seconds: 1.5 * e.seconds }) },
  {
    words: /^zoom in/,
    apply: (e) => {
      const fieldOfView = (360 / Math.PI) * Math.atan(Math.tan((e.ball.fieldOfView * Math.PI) / 360) / 1.5);
      return { ...e, ball: { ...e.ball, fieldOfView } };
    },
  },
  { words: /^(throw it up faster|let it swing)/, apply: (_, again) => again(1) },
];

/** A random throw or swing; with a push of 1 the one that the kind's own candidate names. */
function drawExperiment(random: () => number, index: number): (push: number) => FeasibleExperiment {
  const between = (low: number, high: number): number => low + (high - low) * random();
  const [away, fieldOfView] = [between(2.4, 3.4), between(36, 46)];
  const radius = between(0.04, 0.09);
  const rate = 30;
  if (index % 2 === 0) {
    const drag = between(0.02, 0.25);
    const [vx, vy, seconds] = [between(0.7, 1.1), between(2.1, 2.7), between(0.45, 0.6)];
    return (push) => {
      const path = pathOf(
        [-0.35, -0.45, vx, vy + 0.5 * push],
        ([, , u, v]) => [u, v, -drag * Math.hypot(u, v) * u, -G - drag * Math.hypot(u, v) * v],
        2 * seconds,
      );
      const at = (time: number) => path(time).slice(0, 2) as [number, number];
      return {
        kind: flight as unknown as Kind,
        ball: { radius, away, fieldOfView, at },
        seconds,
        rate,
        measured: { radius },
        tolerance: 1,
      };
    };
  }
  const [length, damping, angle] = [between(0.45, 0.7), between(0.02, 0.1), between(0.25, 0.4)];
  const seconds = between(1.6, 2.6);
  return (push) => {
    const path = pathOf(
      [angle * (1 + 0.5 * push), 0],
      ([a, w]) => [w, (-G / length) * Math.sin(a) - 2 * damping * w],
      2 * seconds,
    );
    const at = (time: number): [number, number] => {
      const [a] = path(time);
      return [length * Math.sin(a), length / 2 - length * Math.cos(a)];
    };
    return {
      kind: pendulum as unknown as Kind,
      ball: { radius, away, fieldOfView, at },
      seconds,
      rate,
      measured: { radius, length },
      tolerance: 1,
    };
  };
}

const options = await benchOptions(['count', 'first', 'seed', 'every']);
const { device } = options;

/** Films an experiment and estimates it. */
async function run(
  e: FeasibleExperiment,
  random: () => number,
): Promise<{ readonly stage: Stage; readonly found: Estimate }> {
  const times = Array.from({ length: Math.round(e.seconds * e.rate) + 1 }, (_, k) => k / e.rate);
  const film = await drawFilm(e.ball, times, e.rate, random);
  const sets = {
    ...Object.fromEntries(Object.entries(e.measured).map(([name, value]) => [name, String(value)])),
    video: 'film.webm',
    chroma: 'centre',
    fieldOfView: String(e.ball.fieldOfView),
    lengthTolerance: String(0.01 * e.tolerance),
  };
  const context = {
    device,
    video: new File([new Uint8Array(film)], 'film.webm'),
    log: () => {},
    fileOf: (path: string) => path,
  };
  const [stage] = await e.kind.stages(measuredOf(e.kind, sets) as never, context);
  return { stage, found: await estimate(stage.problem, { device }) };
}

const [ratios, chosen]: number[][] = [[], []];
const isEvery = options.number('every', 0) === 1;
const seed = options.number('seed', 1);
const first = options.number('first', 0);
for (let index = first; index < first + options.number('count', 40); index++) {
  const random = randomNumbers(1000 * seed + index);
  const again = drawExperiment(random, index);
  const experiment = again(0);
  try {
    const { stage, found } = await run(experiment, random);
    const began = performance.now();
    const { parameters, given } = found;
    const all = Object.entries({ ...parameters, ...given });
    const { planned } = await planExperiment(
      stage.problem,
      {
        wanted: ['gravity'],
        candidates: stage.plan!.candidates!,
        isSeen: stage.plan!.isSeen,
        values: Object.fromEntries(all.map(([name, own]) => [name, own.estimate])),
        found: { gravity: parameters.gravity.standardError },
      },
      { device },
    );
    const seconds = (performance.now() - began) / 1000;
    const doable = CHANGES.flatMap((change) => {
      const plan = planned.find(({ words }) => change.words.test(words));
      return plan ? [{ change, plan }] : [];
    }).sort((a, b) => a.plan.ratio - b.plan.ratio);
    const drawn = doable[Math.floor(random() * doable.length)];
    const bars: number[] = [];
    for (const { change, plan } of isEvery ? doable : [drawn]) {
      const second = await run(change.apply(experiment, again), random);
      const bar = second.found.parameters.gravity.standardError!;
      const foretold = plan.standardErrors.gravity;
      bars.push(bar);
      ratios.push(bar / foretold);
      print({
        bench: 'plans',
        index,
        kind: experiment.kind.name,
        experiment: plan.words,
        seconds,
        before: parameters.gravity.standardError,
        foretold,
        found: bar,
        ratio: bar / foretold,
        trusted: [found.verdict.trusted, second.found.verdict.trusted],
      });
    }
    if (isEvery) chosen.push(bars[0] / Math.min(...bars));
  } catch (error) {
    print({ bench: 'plans', index, kind: experiment.kind.name, failed: String(error) });
  }
}
const kept = ratios.filter((ratio) => ratio < 1.5 && ratio > 1 / 1.5).length;
const sorted = [...ratios].sort((a, b) => a - b);
print({
  bench: 'plans',
  cases: ratios.length,
  kept,
  median: sorted[sorted.length >> 1],
  ...(isEvery ? { chosen } : {}),
});
device.dispose();
