import type { Simulation } from '@gradsim/core';
import type { Stretches } from './correlation.ts';
import type { DescentRun } from './descend.ts';
import { simulate } from './descend.ts';
import { noJournal } from './journal.ts';
import type { Precision } from './precision.ts';
import { jacobianPrecision } from './precision.ts';
import type { Prepared } from './prepared.ts';
import { dot, fillResidual, fillTangent } from './prepared.ts';
import type { Kept, Probed } from './probe.ts';
import { probeAll, strideOf, thinned } from './probe.ts';
import { RunFailure } from './run-failure.ts';

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

/** With fewer frames than this, parts of frames are the stretches. */
const ENOUGH_STRETCHES = 24;
/** Parts of a frame have at least so many elements. */
const LEAST_PART = 16;
/**
 * Gathers evidence at a point: one run with derivatives there, and two without, each unknown moved by its standard error
 * forth and back; in single precision two more with derivatives, from starts that are moved by one rounding.
 *
 * @param probe whether to make more than the one.
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
      fillResidual(residual, p, { record, world: 0, f });
      columns.forEach((column, j) => {
        fillTangent(column, p, { record, world: j, f }, tangents);
      });
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
  if (!probe) return { ...found, unexplained: [], blurred: [], precision: null };
  const probed = await probeAll(run, simulation, x, found, kept);
  return { ...found, ...probed, precision: await jacobianPrecision(run, simulation, x, kept) };
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
