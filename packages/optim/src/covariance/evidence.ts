import type { ComparisonSums, Simulation } from '@gradsim/core';
import { clockColumns } from '../departures/clock-columns.ts';
import { coarseStills } from '../departures/coarse-stills.ts';
import type { PatternSums } from '../departures/pattern-sums.ts';
import { canDepart, patternSumsOf } from '../departures/pattern-sums.ts';
import type { JacobianSample } from '../objective/jacobian-sample.ts';
import { sampleJacobian, strideOf } from '../objective/jacobian-sample.ts';
import { fillResidual, fillTangent, recordsAlong } from '../objective/prepared-observation.ts';
import { sumsOf } from '../objective/residuals.ts';
import { forwardWithTangents } from '../objective/systems.ts';
import { noJournal } from '../plan/journal.ts';
import type { Plan } from '../plan/plan.ts';
import { simulate } from '../plan/plan.ts';
import type { Precision } from '../posterior/posterior.ts';
import type { Stretches } from '../posterior/uncertainty.ts';
import { open } from '../problem/run.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { Linearity } from './linearity.ts';
import { linearityAt } from './linearity.ts';
import { jacobianPrecision } from './precision.ts';

/** Information that the observations contain about the unknowns at an estimate, from runs at it and close to it. */
export interface Evidence extends Stretches, Linearity {
  /** Number of compared values; `squares`: weighted sum of their squared residuals. */
  readonly values: number;
  readonly squares: number;
  /** Gauss-Newton Hessian J^T J. */
  readonly hessian: Float64Array;
  /**
   * Change of the derivatives when all initial values are perturbed by one rounding error; null in double precision.
   */
  readonly precision: Precision | null;
  /**
   * Sums over patterns of errors that change the film but not the motion; null if they were not computed, as of an
   * exact model.
   */
  readonly patternSums: PatternSums | null;
}

/** For an unknown found by values alone: the two points between which the secant replaces its derivative. */
export type SecantEnds = readonly [Float64Array, Float64Array];

/** Sums J^T r and J^T J over one frame, or over a part of it. */
interface Stretch {
  readonly score: Float64Array;
  readonly information: Float64Array;
}

/** Results of earlier steps, known before evidence is gathered. */
export interface EvidenceInputs {
  /** For an unknown found by values alone: its column of the Jacobian is the secant between these points. */
  readonly secantEnds?: SecantEnds;
  /** Evidence at the same point without probes, whose sums are taken over. */
  readonly sums?: Evidence;
}

/** Maximum number of worlds in which perturbed unknowns are run at once. */
const STEPS_AT_ONCE = 32;
/**
 * Gathers evidence at a point: one run with derivatives; for each unknown two runs without derivatives, with the
 * unknown moved by its standard error to either side; in single precision two more with derivatives, from initial
 * values perturbed by one rounding error.
 *
 * @param probe true for all of these runs, false for the first one only.
 */
export async function evidenceAt(
  plan: Plan,
  x: Float64Array,
  probe: boolean,
  { secantEnds, sums }: EvidenceInputs = {},
): Promise<Evidence> {
  const { journal = noJournal } = plan.controls;
  return journal.once(probe ? 'evidence' : 'scores', [x, ...(secantEnds ?? [])], async () => {
    const at = { run: plan.allFrames.run, x, frames: plan.run.frames };
    // A descent mostly ends with that run, or has made it before its last one.
    const hadRun = plan.simulations.hasRun(at);
    let compared = plan.simulations.sumsOf(at);
    const isNeeded = probe || secantEnds !== undefined || !compared;
    const simulation = await simulate(plan, 'tangent', 1);
    let hasRun = false;
    try {
      const secant = secantEnds && (await secantAlong(plan, simulation, secantEnds));
      if (isNeeded && (secant || !hadRun)) forwardWithTangents(simulation, plan.unknowns, [x], plan.run.frames);
      hasRun = isNeeded || hadRun;
      if (!sums) compared ??= await sumsOf(simulation);
      const found = sums ?? (await sumUp(plan, simulation, compared!, secant));
      if (!probe) return { ...found, mispredicted: [], roundingLengths: [], precision: null, patternSums: null };
      const residuals = plan.objective.residuals!;
      const { count } = plan.unknowns;
      const sample = await sampleJacobian(simulation, residuals, count, strideOf(residuals, count));
      // Of an exact model nothing departs.
      const patternSums =
        residuals.isExactModel(found.squares) || !canDepart(count)
          ? null
          : await sumPatterns(plan, simulation, x, sample);
      const linearity = await linearityBeside(plan, simulation, x, found, sample);
      return {
        ...found,
        ...linearity,
        patternSums,
        precision: await jacobianPrecision(plan, simulation, x, sample, found.squares),
      };
    } finally {
      // Measuring precision changes the initial values.
      if (probe) simulation.dispose();
      else plan.simulations.release(simulation, hasRun ? at : null, compared && { ...at, sums: compared });
    }
  });
}

async function sumPatterns(
  plan: Plan,
  simulation: Simulation,
  x: Float64Array,
  sample: JacobianSample,
): Promise<PatternSums | null> {
  const { unknowns, objective, run } = plan;
  const coarse = sample.stride > 1 ? await coarseStills(plan, simulation) : null;
  if (coarse) return patternSumsOf(coarse.prepared, coarse.sample, undefined, unknowns.count, run);
  const clock = await clockColumns(plan, x, sample);
  return patternSumsOf(objective.residuals!.prepared, sample, clock, unknowns.count, run);
}

/**
 * Runs the points with moved unknowns without tangents, except if there are as many worlds with one tangent as
 * unknowns.
 */
async function linearityBeside(
  plan: Plan,
  simulation: Simulation,
  x: Float64Array,
  found: Pick<Evidence, 'squares' | 'values' | 'hessian'>,
  sample: JacobianSample,
): Promise<Linearity> {
  const { run, objective, options, controls, unknowns } = plan;
  const curvature = withoutValues(plan, found);
  if (simulation.tangents === 1) return linearityAt(plan, simulation, x, curvature, sample);
  const { device } = controls;
  const { memory } = options;
  const withoutTangents = await open(run, {
    device,
    memory,
    record: objective.fields,
    derivative: 'none',
    worlds: Math.min(STEPS_AT_ONCE, unknowns.count),
  });
  try {
    return await linearityAt(plan, withoutTangents, x, curvature, sample);
  } finally {
    withoutTangents.dispose();
  }
}

/** Sums J^T r and J^T J over each stretch (frame or part of one) of the last run. */
async function sumUp(
  plan: Plan,
  simulation: Simulation,
  compared: readonly ComparisonSums[],
  secant: readonly Float64Array[] | undefined,
): Promise<Omit<Evidence, keyof Linearity | 'precision' | 'patternSums'>> {
  const residuals = plan.objective.residuals!;
  const n = plan.unknowns.count;
  const stretches = new Map<number, Stretch>();
  let squares = 0;
  for (const [k, sums] of compared.entries()) {
    const { frames, instants } = residuals.prepared[k];
    const { parts } = sums;
    for (let set = 0; set < sums.frames * parts; set++) {
      const key = frames[Math.floor(set / parts)].frame * instants * parts + (set % parts);
      const stretch = stretches.get(key) ?? { score: new Float64Array(n), information: new Float64Array(n * n) };
      stretches.set(key, stretch);
      squares += sums.squares[set];
      for (let i = 0; i < n; i++) stretch.score[i] += sums.scores[set * n + i];
      for (let i = 0; i < n * n; i++) stretch.information[i] += sums.information[set * n * n + i];
    }
  }
  if (secant) await putSecant(plan, simulation, stretches, secant, compared);
  const inOrder = [...stretches.entries()].sort(([a], [b]) => a - b).map(([, stretch]) => stretch);
  const hessian = new Float64Array(n * n);
  for (const { information } of inOrder) for (let k = 0; k < n * n; k++) hessian[k] += information[k];
  return {
    squares,
    hessian,
    values: residuals.values,
    scores: inOrder.map(({ score }) => score),
    information: inOrder.map(({ information }) => information),
  };
}

/** Secant of the residuals between two points along the unknown found by values alone, [frame][value]. */
async function secantAlong(
  { unknowns, objective }: Plan,
  simulation: Simulation,
  [low, high]: SecantEnds,
): Promise<Float64Array[]> {
  const shownAt = async (x: Float64Array): Promise<Float64Array[]> => {
    unknowns.apply(simulation, Array<Float64Array>(simulation.worlds).fill(x));
    simulation.forward();
    const all: Float64Array[] = [];
    for (const p of objective.residuals!.prepared) {
      const record = await RunFailure.whileReading(simulation.readRecord(p.field));
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

/** Evidence with zeros for the row and column of the Hessian of the unknown found by values alone. */
function withoutValues<E extends { readonly hessian: Float64Array }>({ unknowns }: Plan, found: E): E {
  const [n, k] = [unknowns.count, unknowns.byValues];
  if (k === null) return found;
  const hessian = found.hessian.map((h, at) => (Math.floor(at / n) === k || at % n === k ? 0 : h));
  return { ...found, hessian };
}

/**
 * Sets the derivatives with respect to the unknown that is estimated without gradients to difference quotients.
 */
async function putSecant(
  { unknowns, objective }: Plan,
  simulation: Simulation,
  stretches: ReadonlyMap<number, Stretch>,
  secant: readonly Float64Array[],
  compared: readonly Pick<ComparisonSums, 'parts' | 'bounds'>[],
): Promise<void> {
  const [n, own] = [unknowns.count, unknowns.byValues!];
  let next = 0;
  for (const [k, p] of objective.residuals!.prepared.entries()) {
    const record = await RunFailure.whileReading(simulation.readRecord(p.field));
    const along = await recordsAlong(simulation, p.field);
    const { parts, bounds } = compared[k];
    const [residual, column] = [new Float64Array(p.values), new Float64Array(p.values)];
    for (let f = 0; f < p.frames.length; f++) {
      const change = secant[next++];
      const eachPart = (values: Float64Array, add: (stretch: Stretch, sum: number) => void): void => {
        for (let part = 0; part < parts; part++) {
          let sum = 0;
          for (let start = 0; start < p.values; start += p.elements)
            for (let k = start + bounds[part]; k < start + bounds[part + 1]; k++) sum += change[k] * values[k];
          add(stretches.get(p.frames[f].frame * p.instants * parts + part)!, sum);
        }
      };
      fillResidual(residual, p, { record, world: 0, f });
      eachPart(residual, ({ score }, sum) => {
        score[own] += sum;
      });
      eachPart(change, ({ information }, sum) => {
        information[own * n + own] += sum;
      });
      for (let j = 0; j < n; j++) {
        if (j === own) continue;
        fillTangent(column, p, { record, world: 0, f }, along(j));
        eachPart(column, ({ information }, sum) => {
          information[own * n + j] += sum;
          information[j * n + own] += sum;
        });
      }
    }
  }
}
