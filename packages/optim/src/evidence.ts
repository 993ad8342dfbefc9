import type { RecordWords, Simulation } from '@gradsim/core';
import type { Stretches } from './correlation.ts';
import type { DescentRun } from './descend.ts';
import { simulate } from './descend.ts';
import { noJournal } from './journal.ts';
import { symmetricEigen } from './least-squares.ts';
import type { Prepared } from './prepared.ts';
import { dot, fillFrame, fillResidual } from './prepared.ts';
import { priorInformation } from './priors.ts';
import type { Residuals } from './residuals.ts';
import { RunFailure } from './run-failure.ts';
import { clamped } from './unknowns.ts';

/** What the observations say of the unknowns at an estimate, from runs there and a little beside it. */
export interface Evidence extends Stretches {
  /** How many values are compared, and the weighted sum of their squared residuals. */
  readonly values: number;
  readonly squares: number;
  /** J^T J. */
  readonly hessian: Float64Array;
  /**
   * By unknown: when it moves by a standard error, the others with it, the share of what derivatives say (squared) of values
   * that do otherwise; null where it cannot be moved. Where that is lost in rounding, it moves by more.
   */
  readonly unexplained: readonly (number | null)[];
  /** By unknown: how far it can move, as a coordinate, and what changes is lost in rounding; 0 where nothing is. */
  readonly blurred: readonly number[];
}

/** With fewer frames than this, parts of frames are the stretches. */
const ENOUGH_STRETCHES = 24;
/** Parts of a frame have at least so many elements. */
const LEAST_PART = 16;
/** Derivatives that are kept to be compared with differences. */
const MOST_KEPT = 8e6;
/** A step to either side is this many times what rounding does, at least; and no more natural steps than that. */
const CLEAR_OF_ROUNDING = 5;
const LONGEST_PROBE = 0.05;
/** What does not come as derivatives say is tried again with steps so many times as long: where it bends, and where rounding blurs it. */
const PROBES = [1, 1 / 8, 1 / 64, 8, 64, 512];
/** A value does otherwise where it is off what derivatives say by so much of it. */
const OTHERWISE = 0.7;
/** Of what derivatives say, squared: with less than this they promise what does not come, as where they explode. */
const LARGE_ENOUGH = 0.25;
/** Above this share of a change that derivatives do not explain, they say nothing of it. */
export const UNEXPLAINED = 0.5;

/**
 * Gathers evidence at a point: one run with derivatives there, and two without, each unknown moved by its standard error
 * forth and back.
 *
 * @param probe whether to make the two.
 */
export async function evidenceAt(run: DescentRun, x: Float64Array, probe: boolean): Promise<Evidence> {
  const { journal = noJournal } = run.controls;
  return journal.once(probe ? 'evidence' : 'scores', [x], async () => {
    const simulation = await simulate(run, 'tangent', run.unknowns.count);
    try {
      return await gather(run, simulation, x, probe);
    } finally {
      simulation.dispose();
    }
  });
}

async function gather(
  run: DescentRun,
  simulation: Simulation,
  x: Float64Array,
  probe: boolean,
): Promise<Evidence> {
  const { unknowns, objective } = run;
  const residuals = objective.residuals!;
  const n = unknowns.count;
  const worlds = Array<Float64Array>(n).fill(x);
  unknowns.apply(simulation, worlds);
  unknowns.applyTangents(simulation, worlds, [...worlds.keys()]);
  simulation.forward();
  const parts = partsOf(residuals.prepared);
  const stretches = new Map<number, { score: Float64Array; information: Float64Array }>();
  const kept: Kept = { columns: [], here: [], stride: strideOf(residuals, n) };
  let squares = 0;
  for (const p of residuals.prepared) {
    const record = await RunFailure.of(simulation.readRecord(p.field));
    const tangents = await RunFailure.of(simulation.readRecord(p.field, { tangent: true }));
    const residual = new Float64Array(p.values);
    const columns = Array.from({ length: n }, () => new Float64Array(p.values));
    for (let f = 0; f < p.frames.length; f++) {
      fillResidual(residual, p, record, 0, f);
      columns.forEach((column, j) => fillFrame(column, p, tangents, j, f));
      squares += dot(residual, residual, residual.length);
      if (probe) {
        kept.columns.push(columns.map((column) => thinned(column, kept.stride)));
        const { target } = p.frames[f];
        kept.here.push(
          thinned(
            residual.map((r, k) => r + target[k]),
            kept.stride,
          ),
        );
      }
      for (let part = 0; part < parts; part++) {
        const key = p.frames[f].frame * p.instants * parts + part;
        const stretch = stretches.get(key) ?? {
          score: new Float64Array(n),
          information: new Float64Array(n * n),
        };
        stretches.set(key, stretch);
        addPart(stretch, p, residual, columns, part / parts, (part + 1) / parts);
      }
    }
  }
  const inOrder = [...stretches.entries()].sort(([a], [b]) => a - b).map(([, stretch]) => stretch);
  const hessian = new Float64Array(n * n);
  for (const { information } of inOrder) for (let k = 0; k < n * n; k++) hessian[k] += information[k];
  const found = {
    ...{ squares, hessian, values: residuals.values },
    scores: inOrder.map(({ score }) => score),
    information: inOrder.map(({ information }) => information),
  };
  const probed = probe ? await probeAll(run, simulation, x, found, kept) : { unexplained: [], blurred: [] };
  return { ...found, ...probed };
}

/** How many parts each frame goes into, so that there are enough stretches to measure with. */
function partsOf(prepared: readonly Prepared[]): number {
  const frames = new Set(prepared.flatMap((p) => p.frames.map(({ frame }) => frame * p.instants))).size;
  const elements = Math.min(...prepared.map((p) => p.elements));
  return Math.max(1, Math.min(Math.ceil(ENOUGH_STRETCHES / frames), Math.floor(elements / LEAST_PART)));
}

/** Adds what the elements of a frame from one share to another say. */
function addPart(
  { score, information }: { readonly score: Float64Array; readonly information: Float64Array },
  { elements, values }: Prepared,
  residual: Float64Array,
  columns: readonly Float64Array[],
  from: number,
  to: number,
): void {
  const n = columns.length;
  const row = new Float64Array(n);
  const [first, end] = [Math.round(from * elements), Math.round(to * elements)];
  for (let start = 0; start < values; start += elements)
    for (let k = start + first; k < start + end; k++) {
      let moves = false;
      for (let j = 0; j < n; j++) {
        row[j] = columns[j][k];
        if (row[j] !== 0) moves = true;
      }
      if (!moves) continue;
      for (let i = 0; i < n; i++) {
        score[i] += row[i] * residual[k];
        for (let j = 0; j < n; j++) information[i * n + j] += row[i] * row[j];
      }
    }
}

/** Derivatives of every so many values, [frame][unknown][value]. */
interface Kept {
  readonly columns: Float32Array[][];
  /** What is shown of those values, [frame][value]. */
  readonly here: Float32Array[];
  readonly stride: number;
}

const strideOf = (residuals: Residuals, unknowns: number): number =>
  Math.max(
    1,
    Math.ceil(
      (unknowns * residuals.prepared.reduce((sum, p) => sum + p.values * p.frames.length, 0)) / MOST_KEPT,
    ),
  );

const thinned = (values: Float64Array, stride: number): Float32Array =>
  Float32Array.from({ length: Math.ceil(values.length / stride) }, (_, k) => values[k * stride]);

/**
 * Moves each unknown by its standard error, the others with it, and looks whether the derivatives say what happens; where
 * they do not, by less and by more, until they do.
 */
async function probeAll(
  { unknowns, objective }: DescentRun,
  simulation: Simulation,
  x: Float64Array,
  evidence: Pick<Evidence, 'squares' | 'values' | 'hessian'>,
  kept: Kept,
): Promise<Pick<Evidence, 'unexplained' | 'blurred'>> {
  const residuals = objective.residuals!;
  const scales = unknowns.scales();
  const steps = probeSteps(scales, priorInformation(unknowns, x), evidence, {
    perIndependent: residuals.perIndependent,
    rounding: Math.sqrt(residuals.exactLoss * residuals.weight),
  });
  const limits = unknowns.limits();
  const unexplained = Array<number | null>(x.length).fill(null);
  const blurred = Array<number>(x.length).fill(0);
  const isTold = Array<boolean>(x.length).fill(false);
  let pending = [...x.keys()];
  for (const times of PROBES) {
    if (pending.length === 0) break;
    const directions = steps.map((step) => scaledStep(step, times, scales));
    const side = (sign: number): Float64Array[] =>
      directions.map((d) =>
        clamped(
          x.map((value, k) => value + sign * d[k]),
          limits,
        ),
      );
    const shares = await sharesUnsaid(simulation, unknowns, residuals, [side(1), side(-1)], kept);
    pending = pending.filter((i) => {
      const { otherwise, size, rough } = shares[i];
      if (times === 1) [unexplained[i], isTold[i]] = [otherwise, size > LARGE_ENOUGH];
      if (otherwise === null) return false;
      const isSaid = otherwise <= UNEXPLAINED;
      // Where as much changes as derivatives say, and smoothly, the model bends, or more changes than they say.
      if (times < 1 && isTold[i] && (isSaid || rough <= UNEXPLAINED)) {
        unexplained[i] = 0;
        blurred[i] = 0;
        return false;
      }
      if (times < 1) return true;
      if (isSaid) unexplained[i] = otherwise;
      else blurred[i] = Math.abs(directions[i][i]);
      return !isSaid;
    });
  }
  return { unexplained, blurred };
}

/** A step so many times as long, but no natural step or more of any unknown. */
function scaledStep(step: Float64Array, times: number, scales: Float64Array): Float64Array {
  const largest = step.reduce((most, d, k) => Math.max(most, Math.abs(d) / scales[k]), 0);
  const factor = Math.min(times, LONGEST_PROBE / Math.max(largest, 1e-100));
  return step.map((d) => d * factor);
}

/** How a change goes along with what derivatives say of it. */
interface Said {
  /** The share that comes otherwise; null where nothing is said, or it cannot be run. */
  readonly otherwise: number | null;
  /** The size of the change over what is said, squared, value by value at most 1. */
  readonly size: number;
  /** The share of values that do not change along a line from one side to the other: rounding, chaos, jumps. */
  readonly rough: number;
}

/** For each world the share of what derivatives say of the change from one side to the other that comes otherwise. */
async function sharesUnsaid(
  simulation: Simulation,
  unknowns: DescentRun['unknowns'],
  residuals: Residuals,
  [there, back]: readonly [readonly Float64Array[], readonly Float64Array[]],
  kept: Kept,
): Promise<Said[]> {
  const sums = there.map(() => ({ said: 0, unsaid: 0, size: 0, jumps: 0 }));
  try {
    const forth = await shownAt(simulation, unknowns, residuals, there, kept.stride);
    const behind = await shownAt(simulation, unknowns, residuals, back, kept.stride);
    const moved = there.map((to, w) => to.map((value, k) => value - back[w][k]));
    kept.columns.forEach((columns, f) => {
      sums.forEach((sum, w) => {
        for (let k = 0; k < columns[0].length; k++) {
          let said = 0;
          for (let j = 0; j < columns.length; j++) said += columns[j][k] * moved[w][j];
          sum.said += said * said;
          // Value by value: where few of them jump, as at a silhouette, derivatives are right of all others.
          const change = forth[f][w][k] - behind[f][w][k];
          if (!(Math.abs(change - said) <= OTHERWISE * Math.abs(said))) sum.unsaid += said * said;
          sum.size += Math.min(change * change, said * said);
          const bend = forth[f][w][k] + behind[f][w][k] - 2 * kept.here[f][k];
          if (Math.abs(bend) > OTHERWISE * Math.abs(change)) sum.jumps += said * said;
        }
      });
    });
  } catch (error) {
    if (error instanceof RunFailure) return sums.map(() => ({ otherwise: null, size: 0, rough: 0 }));
    throw error;
  }
  return sums.map(({ said, unsaid, size, jumps }) =>
    said > 0
      ? { otherwise: unsaid / said, size: size / said, rough: jumps / said }
      : { otherwise: null, size: 0, rough: 0 },
  );
}

/** What is shown, of every so many values, [frame][world][value]. */
async function shownAt(
  simulation: Simulation,
  unknowns: DescentRun['unknowns'],
  { prepared }: Residuals,
  points: readonly Float64Array[],
  stride: number,
): Promise<Float32Array[][]> {
  unknowns.apply(simulation, points);
  simulation.forward();
  const shown: Float32Array[][] = [];
  for (const p of prepared) {
    const record: RecordWords = await RunFailure.of(simulation.readRecord(p.field));
    const values = new Float64Array(p.values);
    for (let f = 0; f < p.frames.length; f++)
      shown.push(
        points.map((_, w) => {
          fillFrame(values, p, record, w, f);
          return thinned(values, stride);
        }),
      );
  }
  return shown;
}

/** For each unknown how all move when it moves by its standard error; long enough to be told from rounding. */
function probeSteps(
  scales: Float64Array,
  priors: Float64Array,
  { squares, values: count, hessian }: Pick<Evidence, 'squares' | 'values' | 'hessian'>,
  { perIndependent, rounding }: { readonly perIndependent: number; readonly rounding: number },
): Float64Array[] {
  const n = scales.length;
  const variance = Math.max((squares / count) * perIndependent, 1e-100);
  const scaled = Float64Array.from({ length: n * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return (hessian[at] + (i === j ? variance * priors[i] : 0)) * scales[i] * scales[j];
  });
  const { values, vectors } = symmetricEigen(scaled);
  const least = Math.max(values[n - 1], 1e-100) * 1e-11;
  return Array.from({ length: n }, (_, i) => {
    const direction = new Float64Array(n);
    values.forEach((value, k) => {
      if (value > least) for (let j = 0; j < n; j++) direction[j] += (vectors[k][i] * vectors[k][j]) / value;
    });
    if (!(direction[i] > 0)) return direction;
    // Along C e_i: at the length of one standard error, J d has the squares of one residual.
    const length = Math.max(Math.sqrt(variance), CLEAR_OF_ROUNDING * rounding) / Math.sqrt(direction[i]);
    return direction.map((d, j) => d * length * scales[j]);
  });
}
