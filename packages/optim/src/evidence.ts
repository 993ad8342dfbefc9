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
   * By unknown: the share of what changes when it moves by a standard error, the others with it, that the derivatives do
   * not say; null where it cannot be moved.
   */
  readonly unexplained: readonly (number | null)[];
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
  const kept: Kept = { columns: [], stride: strideOf(residuals, n) };
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
      if (probe) kept.columns.push(columns.map((column) => thinned(column, kept.stride)));
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
  const unexplained = probe ? await probeAll(run, simulation, x, found, kept) : [];
  return { ...found, unexplained };
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

/** Moves each unknown by its standard error, the others with it, and looks whether the derivatives say what happens. */
async function probeAll(
  { unknowns, objective }: DescentRun,
  simulation: Simulation,
  x: Float64Array,
  evidence: Pick<Evidence, 'squares' | 'values' | 'hessian'>,
  kept: Kept,
): Promise<(number | null)[]> {
  const residuals = objective.residuals!;
  const directions = probeSteps(unknowns.scales(), priorInformation(unknowns, x), evidence, {
    perIndependent: residuals.perIndependent,
    rounding: Math.sqrt(residuals.exactLoss * residuals.weight),
  });
  const limits = unknowns.limits();
  const side = (sign: number): Float64Array[] =>
    directions.map((d) =>
      clamped(
        x.map((value, k) => value + sign * d[k]),
        limits,
      ),
    );
  const [there, back] = [side(1), side(-1)];
  const sums = directions.map(() => ({ said: 0, unsaid: 0 }));
  try {
    const [forth, behind] = [
      await shownAt(simulation, unknowns, residuals, there, kept.stride),
      await shownAt(simulation, unknowns, residuals, back, kept.stride),
    ];
    kept.columns.forEach((columns, f) => {
      sums.forEach((sum, w) => {
        const moved = x.map((_, k) => there[w][k] - back[w][k]);
        for (let k = 0; k < columns[0].length; k++) {
          let said = 0;
          for (let j = 0; j < moved.length; j++) said += columns[j][k] * moved[j];
          const is = forth[f][w][k] - behind[f][w][k];
          sum.said += said * said;
          sum.unsaid += (is - said) ** 2;
        }
      });
    });
  } catch (error) {
    if (error instanceof RunFailure) return directions.map(() => null);
    throw error;
  }
  return sums.map(({ said, unsaid }) => (said > 0 ? unsaid / said : null));
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
    const unit = Math.sqrt(direction[i]);
    const longest = direction.reduce((most, d) => Math.max(most, Math.abs(d)), 0) / unit;
    const length = Math.min(
      Math.max(Math.sqrt(variance), CLEAR_OF_ROUNDING * rounding),
      LONGEST_PROBE / longest,
    );
    return direction.map((d, j) => (d / unit) * length * scales[j]);
  });
}
