import type { Simulation } from '@gradsim/core';
import type { DescentRun, Ends } from './descend.ts';
import { framesOf, simulate } from './descend.ts';
import type { Descent } from './descent.ts';
import { noJournal } from './journal.ts';
import { lbfgs } from './lbfgs.ts';
import { curvatureAt } from './least-squares-descent.ts';
import { pause } from './open.ts';
import { adam, sgd } from './optimizers.ts';
import { stepping } from './stepping.ts';

/** How far losses of single-precision values are off, relatively. */
const ROUNDING = 1e-7;

/** Losses of all starts, and their gradients. */
interface Evaluation {
  readonly found: readonly { readonly loss: number; readonly gradient: Float64Array }[];
  /** Which unknowns have a gradient, priors aside, by number. */
  readonly moved: Uint8Array;
}

/** Follows gradients from all points: one run forward and one back an iteration, for all starts together. */
export async function descendByGradient(run: DescentRun): Promise<Ends> {
  const { options, unknowns, objective, points, controls, report } = run;
  const { journal = noJournal } = controls;
  const scales = unknowns.scales();
  const descents = points.map((x) => start(run, divided(x, scales)));
  const bests = points.map((x) => ({ x, loss: Number.POSITIVE_INFINITY }));
  const simulation = await simulate(run, 'adjoint', points.length);
  let stopped: Ends['stopped'] = 'iterations';
  try {
    for (let k = 0; k <= options.iterations; k++) {
      await pause();
      if (controls.signal?.aborted && k > 0) {
        stopped = 'interrupted';
        break;
      }
      const xs = descents.map(({ point }) => point.map((value, i) => value * scales[i]));
      const { found, moved } = await journal.once('gradients', xs, () => evaluate(run, simulation, xs));
      moved.forEach((has, i) => {
        if (has) run.moved[i] = 1;
      });
      found.forEach(({ loss, gradient }, w) => {
        if (loss < bests[w].loss) bests[w] = { x: xs[w], loss };
        descents[w].tell(
          loss,
          gradient.map((g, i) => g * scales[i]),
        );
      });
      const best = bests.reduce((a, b) => (b.loss < a.loss ? b : a));
      if (best.loss === Number.POSITIVE_INFINITY) throw await noStart(simulation, found[0].loss);
      await report(best.loss, best.x, (field) => framesOf(simulation, field, bests.indexOf(best)));
      if (objective.isExact(best.loss) || descents.every(({ isDone }) => isDone)) {
        stopped = 'converged';
        break;
      }
    }
  } finally {
    simulation.dispose();
  }
  const ends = bests.filter(({ loss }) => Number.isFinite(loss)).sort((a, b) => a.loss - b.loss);
  if (!options.uncertainty) return { ends, stopped };
  const curvature = await curvatureAt(run, ends[0].x);
  return { ends: ends.map((end) => ({ ...end, curvature })), stopped };
}

/** A descent in natural steps. */
function start({ options, controls }: DescentRun, point: Float64Array): Descent {
  const { method, tolerance, learningRate } = options;
  if (method === 'l-bfgs')
    return lbfgs(point, { ...options, rounding: controls.device.precision === 'f32' ? ROUNDING : 0 });
  const make = method === 'adam' ? adam : sgd;
  return stepping(point, (share) => make({ ...options, learningRate: share * learningRate }), tolerance);
}

const divided = (x: Float64Array, by: Float64Array): Float64Array => x.map((value, k) => value / by[k]);

const noStart = async (simulation: Simulation, loss: number): Promise<Error> =>
  loss === Number.POSITIVE_INFINITY
    ? new Error('The loss is infinite at every start; begin where it is finite.')
    : simulation.locateNonFinite('The loss', loss);

/** Losses and gradients from one run forward and one back. */
async function evaluate(
  run: DescentRun,
  simulation: Simulation,
  xs: readonly Float64Array[],
): Promise<Evaluation> {
  const { unknowns, objective } = run;
  unknowns.apply(simulation, xs);
  simulation.forward();
  const { losses, seeds, direct, priors } = await objective.assess(simulation, xs);
  const finite = losses.findIndex(Number.isFinite);
  const none = new Float64Array(unknowns.count);
  const moved = new Uint8Array(unknowns.count);
  if (finite < 0) return { found: xs.map((_, w) => ({ loss: losses[w], gradient: none })), moved };
  if (!losses.every(Number.isFinite)) {
    // Worlds whose runs went to infinity would spoil the way back: they stand where another one does.
    const mended = xs.map((x, w) => (Number.isFinite(losses[w]) ? x : xs[finite]));
    const rest = await evaluate(run, simulation, mended);
    const own = (loss: number, w: number): number => (Number.isFinite(losses[w]) ? loss : losses[w]);
    return { ...rest, found: rest.found.map(({ loss, gradient }, w) => ({ loss: own(loss, w), gradient })) };
  }
  simulation.backward(seeds);
  const gradients = await unknowns.gradients(simulation, xs, direct);
  const found = gradients.map((gradient, w) => {
    const prior = priors[w];
    for (let k = 0; k < gradient.length; k++) {
      if (gradient[k] !== 0) moved[k] = 1;
      if (prior) gradient[k] += prior[k];
    }
    return { loss: losses[w], gradient };
  });
  return { found, moved };
}
