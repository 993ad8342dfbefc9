import type { Model, RecordWords, Simulation } from '@gradsim/core';
import { flawOf, refuseUnknownOptions } from '@gradsim/core';
import type { Observation } from './observation.ts';
import { chosenFrames } from './observation.ts';
import type { System } from './priors.ts';
import { RunFailure } from './run-failure.ts';
import type { Tally, Term, TermRun } from './term.ts';
import { seedsOf, shapeOf } from './term.ts';

/** An observation made ready: targets times root weights, in the order in which values lie in memory. */
interface Prepared {
  readonly field: string;
  readonly values: number;
  readonly instants: number;
  /** Frames of the observation that count, and for each its targets and root weights, `values` numbers. */
  readonly frames: readonly {
    readonly frame: number;
    readonly target: Float64Array;
    readonly rootWeights: Float64Array | null;
  }[];
  /** Sum of weights. */
  readonly weight: number;
  /** Number of values with a weight, over how many of them tell as much as one. */
  readonly independent: number;
  /** Weighted sum of the targets' squares. */
  readonly squares: number;
}

/** Squared differences between what the simulation shows and what was seen. */
export class Residuals implements Term {
  readonly name = 'observations';
  readonly #prepared: readonly Prepared[];
  readonly fields: readonly string[];
  /** Sum of all weights: the loss is the weighted sum of squares over it. */
  readonly weight: number;

  /** @throws when a target or its weights have the wrong size, hold a NaN, or a frame is not there. */
  constructor(model: Model, observations: readonly Observation[], simulationFrames: number) {
    if (observations.length === 0)
      throw new Error('There is nothing to compare with: the problem has no observations.');
    this.#prepared = observations.map((o) => prepare(model, o, simulationFrames));
    this.fields = [...new Set(this.#prepared.map((p) => p.field))];
    this.weight = this.#prepared.reduce((sum, p) => sum + p.weight, 0);
    if (!(this.weight > 0))
      throw new Error('All weights of the observations are zero, so there is nothing to compare with.');
  }

  /** How many independent values there are: those with a weight, over how many go together. */
  get count(): number {
    return this.#prepared.reduce((sum, p) => sum + p.independent, 0);
  }

  /** The loss that single-precision rounding leaves of a perfect fit: a millionth of the targets, squared. */
  get exactLoss(): number {
    return (1e-12 * this.#prepared.reduce((sum, p) => sum + p.squares, 0)) / this.weight;
  }
  isExact(loss: number): boolean {
    return loss <= this.exactLoss;
  }

  /**
   * The loss, J^T J and J^T r (both over the sum of weights) of starts whose tangents lie in neighbouring worlds:
   * world `start * unknowns + k` holds the tangent along unknown k.
   */
  async normalEquations(simulation: Simulation, starts: number, unknowns: number): Promise<System[]> {
    const systems = Array.from({ length: starts }, () => ({
      loss: 0,
      hessian: new Float64Array(unknowns * unknowns),
      gradient: new Float64Array(unknowns),
      scores: [] as Float64Array[],
    }));
    for (const p of this.#prepared) {
      const record = await RunFailure.of(simulation.readRecord(p.field));
      const tangents = await RunFailure.of(simulation.readRecord(p.field, { tangent: true }));
      const columns = Array.from({ length: unknowns }, () => new Float64Array(p.values));
      systems.forEach((system, start) => {
        eachFrame(p, record, start * unknowns, (residual, f) => {
          columns.forEach((column, j) => fillFrame(column, p, tangents, start * unknowns + j, f));
          const { frame } = p.frames[f];
          system.scores[frame] ??= new Float64Array(unknowns);
          addToSystem(system, residual, columns, system.scores[frame]);
        });
      });
    }
    for (const system of systems) {
      // Frames that do not count have left holes.
      system.scores = system.scores.filter((score) => score !== undefined);
      system.loss /= this.weight;
      for (let k = 0; k < system.hessian.length; k++) system.hessian[k] /= this.weight;
      for (let k = 0; k < system.gradient.length; k++) system.gradient[k] /= this.weight;
    }
    return systems;
  }

  /**
   * Adds the loss of each world, and its adjoints with respect to the recorded fields.
   * @param factors what each world's is multiplied by.
   */
  async add(tally: Tally, { simulation, worlds }: TermRun, factors?: ArrayLike<number>): Promise<void> {
    for (const p of this.#prepared) {
      const record = await RunFailure.of(simulation.readRecord(p.field));
      const shape = shapeOf(simulation, p.field);
      const seed = tally.seeds && seedsOf(tally, simulation, p.field);
      const residual = new Float64Array(p.values);
      for (const [at, w] of worlds.entries()) {
        const share = (factors?.[at] ?? 1) / this.weight;
        let sum = 0;
        for (let f = 0; f < p.frames.length; f++) {
          fillResidual(residual, p, record, w, f);
          sum += dot(residual, residual, p.values);
          if (!seed) continue;
          const { frame, rootWeights } = p.frames[f];
          if (rootWeights) multiply(residual, rootWeights);
          for (let i = 0; i < p.instants; i++) {
            const from = ((frame * p.instants + i) * simulation.worlds + w) * p.values;
            addInRows(seed, from, residual, shape, (2 * share) / p.instants);
          }
        }
        tally.losses[at] += share * sum;
      }
    }
  }
}

/** Adds to values in the order of seeds, [element][component], from those as they lie, [component][element]. */
function addInRows(
  to: Float64Array,
  at: number,
  from: Float64Array,
  { elements, components }: { readonly elements: number; readonly components: number },
  times: number,
): void {
  for (let c = 0; c < components; c++) {
    let k = at + c;
    for (let e = c * elements; e < (c + 1) * elements; e++) {
      to[k] += times * from[e];
      k += components;
    }
  }
}

function multiply(values: Float64Array, by: Float64Array): void {
  for (let k = 0; k < values.length; k++) values[k] *= by[k];
}

function addToSystem(
  system: System,
  residual: Float64Array,
  columns: readonly Float64Array[],
  score: Float64Array,
): void {
  const n = columns.length;
  system.loss += dot(residual, residual, residual.length);
  const moving = gatherMoving(residual, columns);
  for (let i = 0; i < n; i++) {
    const slope = dot(columns[i], residual, moving);
    system.gradient[i] += slope;
    score[i] += slope;
    for (let j = i; j < n; j++) {
      const h = dot(columns[i], columns[j], moving);
      system.hessian[i * n + j] += h;
      if (j !== i) system.hessian[j * n + i] += h;
    }
  }
}

/**
 * Moves the values that any unknown moves to the front, in all arrays alike, and gives their number: most of a picture
 * is background, which adds nothing to J^T J and J^T r.
 */
function gatherMoving(residual: Float64Array, columns: readonly Float64Array[]): number {
  let count = 0;
  for (let k = 0; k < residual.length; k++) {
    let moves = false;
    for (let j = 0; j < columns.length && !moves; j++) moves = columns[j][k] !== 0;
    if (!moves) continue;
    for (let j = 0; j < columns.length; j++) columns[j][count] = columns[j][k];
    residual[count++] = residual[k];
  }
  return count;
}

function dot(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let k = 0; k < count; k++) sum += a[k] * b[k];
  return sum;
}

/** Mean of a recorded field over the instants of the observation's f-th chosen frame, times the root of the weight. */
function fillFrame(
  out: Float64Array,
  p: Prepared,
  { words, frameStride, valueStride, worldStride }: RecordWords,
  world: number,
  f: number,
): void {
  const { frame, rootWeights } = p.frames[f];
  for (let i = 0; i < p.instants; i++) {
    const from = (frame * p.instants + i) * frameStride + world * worldStride;
    if (i === 0 && valueStride === 1) out.set(words.subarray(from, from + out.length));
    else if (i === 0) for (let k = 0; k < out.length; k++) out[k] = words[from + k * valueStride];
    else for (let k = 0; k < out.length; k++) out[k] += words[from + k * valueStride];
  }
  if (p.instants > 1) for (let k = 0; k < out.length; k++) out[k] /= p.instants;
  if (rootWeights) multiply(out, rootWeights);
}

/** Visits the weighted residuals of the chosen frames, in one array that the visitor may change. */
function eachFrame(
  p: Prepared,
  record: RecordWords,
  world: number,
  visit: (residual: Float64Array, f: number) => void,
): void {
  const residual = new Float64Array(p.values);
  for (let f = 0; f < p.frames.length; f++) {
    fillResidual(residual, p, record, world, f);
    visit(residual, f);
  }
}

/** The weighted residuals of the f-th chosen frame, in the order in which values lie. */
function fillResidual(out: Float64Array, p: Prepared, record: RecordWords, world: number, f: number): void {
  fillFrame(out, p, record, world, f);
  const { target } = p.frames[f];
  for (let k = 0; k < out.length; k++) out[k] -= target[k];
}

const OPTIONS = { field: true, target: true, frames: true, weights: true, instants: true, correlated: true };

function prepare(model: Model, observation: Observation, simulationFrames: number): Prepared {
  const { target, weights, instants = 1, correlated = 1, frames: choice = 'all' } = observation;
  const field = model.field(observation.field);
  const { key } = field;
  refuseUnknownOptions<Observation>(`The observation of ${key}`, observation, OPTIONS);
  if (!(correlated >= 1 && Number.isFinite(correlated)))
    throw new Error(
      `The observation of ${key} has correlated ${correlated}; it is at least 1, for values that err independently.`,
    );
  const elements = model.domain(field.domain).size;
  const { components } = field;
  const values = elements * components;
  if (!Number.isInteger(instants) || instants < 1 || simulationFrames % instants !== 0) {
    throw new Error(
      `The observation of ${key} averages ${instants} instants a frame, which does not divide the simulation's ${simulationFrames} frames.`,
    );
  }
  const count = simulationFrames / instants;
  if (target?.length !== count * values) {
    throw new Error(
      `The target for ${key} has ${target?.length ?? String(target)} values, but ${count} frames of ${elements} x ${components} are ${count * values}.`,
    );
  }
  for (let k = 0; k < target.length; k++) {
    if (flawOf(target[k], { scalar: 'f32' }))
      throw new Error(
        `The target for ${key} is ${target[k]} in frame ${Math.floor(k / values)}; every value must be a finite number.`,
      );
  }
  const allowed = [components, values, count * values];
  if (weights && !allowed.includes(weights.length)) {
    throw new Error(
      `The weights for ${key} are ${weights.length}; give one for each component (${allowed[0]}), each value of a frame (${allowed[1]}) or each value (${allowed[2]}).`,
    );
  }
  const weightOf = (frame: number, element: number, c: number): number => {
    if (!weights) return 1;
    if (weights.length === components) return weights[c];
    return weights[(weights.length === values ? 0 : frame * values) + element * components + c];
  };
  let weight = 0;
  let counted = 0;
  let squares = 0;
  const frames = chosenFrames(choice, count).map((frame) => {
    const ordered = new Float64Array(values);
    const rootWeights = weights ? new Float64Array(values) : null;
    for (let e = 0; e < elements; e++) {
      for (let c = 0; c < components; c++) {
        const k = c * elements + e;
        const w = weightOf(frame, e, c);
        if (flawOf(w, { scalar: 'f32', range: 'nonNegative' }))
          throw new Error(
            `A weight for ${key} is ${w} in frame ${frame}; weights are finite numbers of at least 0.`,
          );
        weight += w;
        if (w > 0) counted++;
        const root = Math.sqrt(w);
        ordered[k] = root * target[frame * values + e * components + c];
        squares += ordered[k] * ordered[k];
        if (rootWeights) rootWeights[k] = root;
      }
    }
    return { frame, target: ordered, rootWeights };
  });
  return { field: key, values, instants, frames, weight, independent: counted / correlated, squares };
}
