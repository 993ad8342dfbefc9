import type { Simulation } from '@gradsim/core';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import { dot, fillResidual, fillTangent } from '../objective/prepared-observation.ts';
import { noJournal } from '../search/journal.ts';
import type { Plan } from '../search/plan.ts';
import { simulate } from '../search/plan.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Stretches } from './correlation.ts';
import type { Precision } from './precision.ts';
import { jacobianPrecision } from './precision.ts';
import type { Kept, Probed } from './probe.ts';
import { probeAll, strideOf, thinned } from './probe.ts';

/** What the observations say of the unknowns at an estimate, from runs there and a little beside it. */
export interface Evidence extends Stretches, Probed {
  /** How many values are compared, and the weighted sum of their squared residuals. */
  readonly values: number;
  readonly squares: number;
  /** J^T J. */
  readonly hessian: Float64Array;
  /** What becomes of the derivatives when all that a run begins with moves by one rounding; null in doubles. */
  readonly precision: Precision | null;
}

/** Of an unknown that is found by values alone: the points between which its values tell. */
export type Sides = readonly [Float64Array, Float64Array];

/** With fewer frames than this, parts of frames are the stretches. */
const ENOUGH_STRETCHES = 24;
/** Parts of a frame have at least so many elements. */
const LEAST_PART = 16;
/**
 * Gathers evidence at a point: one run with derivatives there, and two without, each unknown moved by its standard error
 * forth and back; in single precision two more with derivatives, from starts that are moved by one rounding.
 *
 * @param probe whether to make more than the one.
 * @param sides where an unknown is found by values alone: its column of the Jacobian is the change between them.
 */
export async function evidenceAt(plan: Plan, x: Float64Array, probe: boolean, sides?: Sides): Promise<Evidence> {
  const { journal = noJournal } = plan.controls;
  return journal.once(probe ? 'evidence' : 'scores', [x, ...(sides ?? [])], async () => {
    const simulation = await simulate(plan, 'tangent', plan.unknowns.count);
    try {
      return await gather(plan, simulation, x, { probe, sides });
    } finally {
      simulation.dispose();
    }
  });
}

async function gather(
  plan: Plan,
  simulation: Simulation,
  x: Float64Array,
  { probe, sides }: { readonly probe: boolean; readonly sides?: Sides },
): Promise<Evidence> {
  const { unknowns, objective } = plan;
  const residuals = objective.residuals!;
  const n = unknowns.count;
  const worlds = Array<Float64Array>(n).fill(x);
  const secant = sides && (await secantAlong(plan, simulation, sides)).values();
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
      fillResidual(residual, p, { record, world: 0, f });
      columns.forEach((column, j) => {
        fillTangent(column, p, { record, world: j, f }, tangents);
      });
      squares += dot(residual, residual, residual.length);
      // What is held against steps are derivatives; the secant, of a loss by steps perhaps, is none.
      if (probe) kept.columns.push(columns.map((column) => thinned(column, kept.stride)));
      if (secant) columns[unknowns.byValues!].set(secant.next().value!);
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
    squares,
    hessian,
    values: residuals.values,
    scores: inOrder.map(({ score }) => score),
    information: inOrder.map(({ information }) => information),
  };
  if (!probe) return { ...found, unexplained: [], blurred: [], precision: null };
  const probed = await probeAll(plan, simulation, x, withoutValues(plan, found), kept);
  return { ...found, ...probed, precision: await jacobianPrecision(plan, simulation, x, kept) };
}

/** The change of the residuals between two points over that of the unknown that is found by values alone: [frame][value]. */
async function secantAlong(
  { unknowns, objective }: Plan,
  simulation: Simulation,
  [low, high]: Sides,
): Promise<Float64Array[]> {
  const shownAt = async (x: Float64Array): Promise<Float64Array[]> => {
    unknowns.apply(simulation, Array<Float64Array>(simulation.worlds).fill(x));
    simulation.forward();
    const all: Float64Array[] = [];
    for (const p of objective.residuals!.prepared) {
      const record = await RunFailure.of(simulation.readRecord(p.field));
      for (let f = 0; f < p.frames.length; f++) {
        const residual = new Float64Array(p.values);
        fillResidual(residual, p, { record, world: 0, f });
        all.push(residual);
      }
    }
    return all;
  };
  const [below, above] = [await shownAt(low), await shownAt(high)];
  const way = high[unknowns.byValues!] - low[unknowns.byValues!];
  return above.map((residual, f) => residual.map((value, k) => (value - below[f][k]) / way));
}

/** The same without what is known along the unknown that is found by values alone. */
function withoutValues<E extends { readonly hessian: Float64Array }>({ unknowns }: Plan, found: E): E {
  const [n, k] = [unknowns.count, unknowns.byValues];
  if (k === null) return found;
  const hessian = found.hessian.map((h, at) => (Math.floor(at / n) === k || at % n === k ? 0 : h));
  return { ...found, hessian };
}

/** How many parts each frame goes into, so that there are enough stretches to measure with. */
function partsOf(prepared: readonly PreparedObservation[]): number {
  const frames = new Set(prepared.flatMap((p) => p.frames.map(({ frame }) => frame * p.instants))).size;
  const elements = Math.min(...prepared.map((p) => p.elements));
  return Math.max(1, Math.min(Math.ceil(ENOUGH_STRETCHES / frames), Math.floor(elements / LEAST_PART)));
}

/** Adds what the elements of a frame from one share to another say. */
function addPart(
  { score, information }: { readonly score: Float64Array; readonly information: Float64Array },
  { elements, values }: PreparedObservation,
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
