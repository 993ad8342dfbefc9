import type { Device, RecordWords, Simulation } from '@gradsim/core';
import type { DescentRun } from './descend.ts';
import { open } from './open.ts';
import type { Problem } from './problem.ts';
import { randomNumbers } from './random.ts';
import { RunFailure } from './run-failure.ts';

/** From when on derivatives are larger than anything that moves. */
export interface Explosion {
  /** s from the start. */
  readonly after: number;
  /** Of the whole run, s. */
  readonly duration: number;
  /** In which they grow tenfold there, s; null where that was not seen. */
  readonly tenfold: number | null;
}

/** Moments at which the states are looked at, at least, where the substeps divide so. */
const MOMENTS = 60;
/** Times what a state moves in the whole run: by more than that, a natural step of the unknowns does not move it. */
const TOO_FAR = 1e4;
/** Derivatives grow tenfold as they do over the last so many powers of ten. */
const DECADES = 3;

/**
 * Where in time derivatives explode: those of all states along one direction of the unknowns, drawn at random, which has some
 * of every direction that grows. Null where they do not.
 */
export async function explosionOf(run: DescentRun, x: Float64Array): Promise<Explosion | null> {
  const { unknowns, options, controls } = run;
  const problem = finer(run.problem);
  const { device } = controls;
  const states = await statesOf(problem, device);
  const simulation = await open(problem, {
    ...{ device, record: states, parameters: unknowns.fields, derivative: 'tangent', onWarning: () => {} },
  });
  try {
    const random = randomNumbers(options.seed);
    const scales = unknowns.scales();
    const direction = scales.map((scale) => scale * (2 * random() - 1));
    const length = Math.hypot(...Array.from(direction, (d, k) => d / scales[k]));
    unknowns.apply(simulation, [x]);
    unknowns.applyDirection(
      simulation,
      x,
      direction.map((d) => d / length),
    );
    simulation.forward();
    const moved: Moved[] = [];
    for (const key of states)
      moved.push(
        movedBy(
          await simulation.readRecord(key),
          await simulation.readRecord(key, { tangent: true }),
          problem.frames,
        ),
      );
    return explosionIn(moved, problem);
  } catch (error) {
    // The run itself goes to where nothing is finite: then it is not the derivatives.
    if (error instanceof RunFailure) return null;
    throw error;
  } finally {
    simulation.dispose();
  }
}

/** A sentence for people. */
export function noteOf({ after, duration, tenfold }: Explosion): string {
  const seconds = (value: number): string => `${Number(value.toPrecision(3))} s`;
  const growth = tenfold === null ? '' : `, ten times as large every ${seconds(tenfold)} there`;
  return `The gradient explodes: beyond ${seconds(after)} of ${seconds(duration)} derivatives are larger than anything that moves${growth}. No gradient through so long a run tells where to go. Shorten the run to about ${seconds(after)}, or lengthen it step by step (\`horizons\`); more damping, or a smaller substep where motions are not resolved, has them grow more slowly.`;
}

/** The same run with more frames of fewer substeps, where no field has values of its own for each frame. */
function finer(problem: Problem): Problem {
  const { model, frames, frameRate, substeps } = problem;
  if ([...model.fields.values()].some(({ over }) => over === 'frame')) return problem;
  const parts = [...Array(substeps).keys()]
    .map((k) => k + 1)
    .find((k) => substeps % k === 0 && k * (frames - 1) >= MOMENTS);
  if (parts === undefined) return problem;
  return {
    ...problem,
    ...{ frames: (frames - 1) * parts + 1, frameRate: frameRate * parts, substeps: substeps / parts },
  };
}

/** The states of a run that derivatives can go through. */
async function statesOf(problem: Problem, device: Device): Promise<string[]> {
  const simulation: Simulation = await open(
    { ...problem, frames: 1 },
    { device, derivative: 'none', onWarning: () => {} },
  );
  const states = simulation.compiled.layout.fieldsOf('state');
  simulation.dispose();
  return states.filter(({ scalar }) => scalar === 'f32').map(({ key }) => key);
}

/** How far a field moves in the whole run, and how far it would by the derivatives, at each moment. */
interface Moved {
  readonly extent: number;
  readonly along: readonly number[];
}

function movedBy(record: RecordWords, tangent: RecordWords, frames: number): Moved {
  const { values, frameStride, valueStride } = record;
  let extent = 0;
  const along: number[] = [];
  for (let f = 0; f < frames; f++) {
    let [squares, changes] = [0, 0];
    for (let k = 0; k < values; k++) {
      const at = k * valueStride;
      squares += (record.words[f * frameStride + at] - record.words[at]) ** 2;
      changes += tangent.words[f * frameStride + at] ** 2;
    }
    extent = Math.max(extent, Math.sqrt(squares));
    along.push(Math.sqrt(changes));
  }
  return { extent, along };
}

function explosionIn(moved: readonly Moved[], { frames, frameRate }: Problem): Explosion | null {
  const among = moved.filter(({ extent }) => extent > 0 && Number.isFinite(extent));
  const size = (f: number): number =>
    among.reduce((most, { extent, along }) => {
      const share = along[f] / extent;
      return Number.isFinite(share) ? Math.max(most, share) : Number.POSITIVE_INFINITY;
    }, 0);
  const sizes = Array.from({ length: frames }, (_, f) => size(f));
  const at = sizes.findIndex((share) => share > TOO_FAR);
  if (at < 0) return null;
  const before = sizes.findLastIndex((share, f) => f < at && share > 0 && share < TOO_FAR / 10 ** DECADES);
  const decades = before < 0 ? 0 : Math.log10(sizes[at] / sizes[before]);
  const tenfold = Number.isFinite(decades) && decades > 0 ? (at - before) / frameRate / decades : null;
  return { after: at / frameRate, duration: (frames - 1) / frameRate, tenfold };
}
