import type { Comparison } from '@gradsim/core';
import { stepClock, timeOfSubstep } from '@gradsim/core/internal';
import { fieldsWithDerivatives } from '../objective/dead-unknowns.ts';
import { noJournal } from '../plan/journal.ts';
import type { Plan } from '../plan/plan.ts';
import type { GradientExplosion } from '../posterior/found.ts';
import type { Run } from '../problem/run.ts';
import { open } from '../problem/run.ts';
import { RunFailure } from '../unknowns/run-failure.ts';

/**
 * Growth of the gradient's norm since the start of the search, divided by the square root of the loss's growth, above
 * which the gradient has exploded.
 */
export const EXPLOSION_GROWTH = 1e3;

/**
 * Finds the length of run at which a gradient explodes. The adjoint of the loss at its last frame is propagated back
 * through runs of different lengths; bisection finds the shortest whose gradient explodes.
 *
 * @param length norm of the gradient of the whole run; null if it is not finite.
 * @param startNorm norm of the gradient at the start of the search.
 */
export async function explosionOf(
  plan: Plan,
  x: Float64Array,
  length: number | null,
  startNorm: number | null,
): Promise<GradientExplosion> {
  const { journal = noJournal } = plan.controls;
  const horizon = await journal.once('explosion', [x], () => horizonOf(plan, x, startNorm));
  return { x, length, startNorm, horizon };
}

async function horizonOf(plan: Plan, x: Float64Array, usual: number | null): Promise<GradientExplosion['horizon']> {
  const { frames, substeps, model } = plan.run;
  const all = (frames - 1) * substeps;
  const hasMoments = [...model.fields.values()].some(({ variesBy }) => variesBy !== undefined);
  if (hasMoments || all < 1) return null;
  const seeds = await lastSeeds(plan, x);
  if (!seeds) return null;
  const most = EXPLOSION_GROWTH * (usual ?? Number.POSITIVE_INFINITY);
  let [below, above] = [0, all];
  while (above - below > Math.max(1, all >> BISECTIONS)) {
    const middle = (below + above) >> 1;
    const length = await lengthAfter(plan, x, seeds, middle);
    if (length <= most && Number.isFinite(length)) below = middle;
    else above = middle;
  }
  return { substeps: above, of: all, seconds: timeAfter(plan.run, above) };
}

/** Returns the time of a run after so many substeps, s. */
const timeAfter = (run: Run, substeps: number): number => timeOfSubstep(stepClock(run, run.substeps), substeps);

/** Number of bisections: the length of run is found to 1 / 2^7 of the whole. */
const BISECTIONS = 7;

type Seeds = Readonly<Record<string, Float64Array>>;

/**
 * Adjoints of the recorded fields at the last frame on which the loss depends; null if there is none, or the run fails.
 */
async function lastSeeds(plan: Plan, x: Float64Array): Promise<Seeds | null> {
  const { objective, unknowns } = plan;
  const simulation = await openAt(plan, plan.run, objective.comparisons);
  try {
    unknowns.apply(simulation, [x]);
    simulation.forward();
    const [loss] = await objective.losses(simulation, [0], [x]);
    if (!Number.isFinite(loss)) return null;
    const seeds = await objective.seedsAt(simulation, x);
    const { frames } = plan.run;
    const frameOf = (values: Float64Array, frame: number): Float64Array => {
      const perFrame = values.length / frames;
      return values.slice(frame * perFrame, (frame + 1) * perFrame);
    };
    for (let frame = frames - 1; frame > 0; frame--) {
      const own = Object.entries(seeds).map(([key, values]) => [key, frameOf(values, frame)] as const);
      if (own.some(([, values]) => values.some((value) => value !== 0))) return Object.fromEntries(own);
    }
    return null;
  } catch (error) {
    if (error instanceof RunFailure) return null;
    throw error;
  } finally {
    simulation.dispose();
  }
}

/** Norm of the gradient, in natural steps, of a run of `substeps` substeps with these adjoints at its end. */
async function lengthAfter(plan: Plan, x: Float64Array, seeds: Seeds, substeps: number): Promise<number> {
  const { run, unknowns } = plan;
  const once = { frames: 2, frameRate: 1 / timeAfter(run, substeps), frameTimes: undefined, substeps };
  const simulation = await openAt(plan, { ...run, ...once }, []);
  try {
    unknowns.apply(simulation, [x]);
    simulation.forward();
    simulation.backward(
      Object.fromEntries(
        Object.entries(seeds).map(([key, values]) => {
          const both = new Float64Array(2 * values.length);
          both.set(values, values.length);
          return [key, both];
        }),
      ),
    );
    const [gradient] = await unknowns.gradients(simulation, [x]);
    const scales = unknowns.scales();
    return Math.hypot(...gradient.map((g, k) => g * scales[k]));
  } catch (error) {
    if (error instanceof RunFailure) return Number.POSITIVE_INFINITY;
    throw error;
  } finally {
    simulation.dispose();
  }
}

const openAt = ({ unknowns, objective, options, controls }: Plan, run: Run, comparisons: readonly Comparison[]) =>
  open(run, {
    comparisons: { list: comparisons },
    device: controls.device,
    memory: options.memory,
    onWarning: () => {},
    record: objective.fields,
    derivative: 'adjoint',
    parameters: fieldsWithDerivatives(run.model, unknowns, objective.fields),
  });

/** Sentence for the report that describes the explosion of a gradient. */
export function explosionNote({ length, startNorm, horizon }: GradientExplosion): string {
  const how =
    length === null || startNorm === null
      ? `${startNorm === null ? 'at the start' : 'at a point that was tried'} it is not finite`
      : `at a point that was tried it is ${Number((length / startNorm).toPrecision(2)).toExponential()} times as long as at the start`;
  const where = horizon
    ? ` It does over ${horizon.substeps} of ${horizon.of} substeps, ${Number(horizon.seconds.toPrecision(3))} s, and more: take a shorter run, more damping, or what keeps it from growing.`
    : '';
  return `The gradient explodes: ${how}.${where}${startNorm === null ? '' : ' The result is the best point of the search.'}`;
}
