import type { Simulation } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { dampedStep } from '../descent/damped-step.ts';
import { estimate } from '../estimate.ts';
import { addPriors, priorInformation } from '../objective/priors.ts';
import type { Residuals } from '../objective/residuals.ts';
import { residualsOf } from '../objective/residuals.ts';
import type { System } from '../objective/system.ts';
import { systemsOfResiduals } from '../objective/systems.ts';
import type { Point } from '../posterior/found.ts';
import type { GivenSpec } from '../problem/given.ts';
import type { Problem } from '../problem/problem.ts';
import { startedAt } from '../problem/started-at.ts';
import type { Estimate, EstimateControls } from '../result.ts';
import type { Block } from '../unknowns/block.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import { Unknowns } from '../unknowns/unknowns.ts';
import { withFixed } from './fixed.ts';
import { openWithTangents } from './open-with-tangents.ts';
import { residualsPerIndependent } from './residuals-a-value.ts';

/**
 * Point of a recording (coordinates of all its unknowns), and its least-squares system there, divided by the sum of
 * weights.
 */
export interface JointRecordingState {
  readonly x: Float64Array;
  readonly system: System;
}

/** Least-squares system of a recording, with the indices of its shared unknowns and of its own ones in the system. */
export interface JointRecordingSystem extends System {
  readonly weight: number;
  readonly shared: readonly number[];
  readonly ownUnknowns: readonly number[];
}

/**
 * Least-squares system of a recording whose `given` quantities are unknowns too: their indices follow those of the
 * shared ones in `shared`.
 */
export interface GivenSystem extends JointRecordingSystem {
  readonly given: readonly GivenSpec[];
}

/** Given quantity that is fitted with a recording's own unknowns: its index among them, and 1 / tolerance in its coordinate. */
export interface FittedGiven extends Pick<GivenSpec, 'name' | 'value' | 'tolerance'> {
  readonly unknownIndex: number;
  readonly slope: number;
}

/** Maximum number of steps of a recording's own unknowns for each step of the shared ones. */
const OWN_STEPS = 4;
/** Relative decrease of a recording's loss in one step below which its own unknowns have converged. */
const CONVERGED_DECREASE = 1e-4;
/** Initial damping (Levenberg-Marquardt lambda) of a recording's own unknowns, relative to the diagonal of J^T J. */
const INITIAL_DAMPING = 1e-3;
/** Damping, relative to the diagonal of J^T J, at which the steps of a recording's own unknowns end. */
const MAX_DAMPING = 1e3;

/** One of the recordings that are estimated together, with its simulation and its present point. */
export class JointRecording {
  state: JointRecordingState;
  readonly weight: number;
  /** Number of residuals that count as one independent value; 1 as long as nothing is compared with priors. */
  #perValue = 1;
  /** The recording's problem without priors of what is shared; its search starts at the estimate from this recording alone. */
  readonly #started: Problem;
  readonly #shared: readonly string[];
  readonly #unknowns: Unknowns;
  readonly #residuals: Residuals;
  readonly #simulation: Simulation;
  readonly #controls: EstimateControls;
  /** Indices of the shared unknowns' coordinates, in the order of their names; `#own`: indices of all others. */
  readonly #places: readonly number[];
  readonly #own: readonly number[];

  private constructor(
    started: Problem,
    simulation: Simulation,
    unknowns: Unknowns,
    residuals: Residuals,
    shared: readonly string[],
    places: readonly number[],
    controls: EstimateControls,
  ) {
    this.#started = started;
    this.#shared = shared;
    this.#unknowns = unknowns;
    this.#residuals = residuals;
    this.#simulation = simulation;
    this.#controls = controls;
    this.weight = residuals.weight;
    this.#places = places;
    this.#own = [...Array(unknowns.count).keys()].filter((k) => !this.#places.includes(k));
    const none = {
      loss: Number.POSITIVE_INFINITY,
      hessian: new Float64Array(),
      gradient: new Float64Array(),
    };
    this.state = { x: unknowns.initial(), system: none };
  }

  /**
   * Opens a recording at the estimate from it alone.
   * @param isWeighed true if its information counts as its standard errors say, as beside priors.
   * @throws for shared arrays of several values.
   */
  static async open(
    recording: Problem,
    alone: Estimate,
    shared: readonly string[],
    controls: EstimateControls,
    isWeighed = false,
  ): Promise<JointRecording> {
    const whole = startedAt(recording, pointOf(alone));
    const started = {
      ...whole,
      parameters: whole.parameters?.map((spec) => (shared.includes(spec.name) ? { ...spec, prior: undefined } : spec)),
    };
    const { model, observations = [], frames } = started;
    const unknowns = new Unknowns(started, isWeighed ? 'fitted' : 'kept');
    const residuals = residualsOf(model, observations, frames);
    const byValues = unknowns.blocks.find(({ isByValues }) => isByValues);
    if (byValues)
      throw new GradsimError(
        'optim/not-in-joint',
        `${byValues.name} has \`derivative: 'none'\`; what recordings are estimated from together is found by derivatives.`,
        { hint: 'Give it a value, or estimate from each recording alone.' },
      );
    const places = shared.map((name) => {
      const { first, count } = unknowns.blocks.find((block) => block.name === name)!;
      if (count === 1) return first;
      throw new GradsimError('optim/wrong-size', `${name} has ${count} values; what recordings share has one.`, {
        field: name,
      });
    });
    const simulation = await openWithTangents(started, unknowns, residuals, controls);
    const member = new JointRecording(started, simulation, unknowns, residuals, shared, places, controls);
    member.state = { ...member.state, x: stepWithGivens(unknowns, alone) };
    if (isWeighed) await member.#weigh(whole, alone);
    return member;
  }

  /** Lets the recording count as the standard errors of the estimate from it alone say. */
  async #weigh(whole: Problem, alone: Estimate): Promise<void> {
    const unknowns = new Unknowns(whole, 'fitted');
    const { x } = this.state;
    const system = await this.#observedAt(x);
    if (!system) return;
    const slopes = unknowns.derivatives(x);
    const variance = Math.max(system.loss, this.#residuals.exactLoss('f32'), Number.MIN_VALUE);
    const errors = Array<number | null>(x.length).fill(null);
    for (const { name, first, isArray } of unknowns.blocks) {
      const { standardError = null } = (isArray ? undefined : alone.parameters[name]) ?? {};
      if (standardError !== null) errors[first] = standardError / Math.abs(slopes[first]);
    }
    this.#perValue = residualsPerIndependent({
      information: system.hessian.map((h) => (h * this.weight) / variance),
      priors: priorInformation(unknowns, x),
      errors,
    });
  }

  get loss(): number {
    return this.state.system.loss;
  }
  /**
   * System of the recording, weighted by the inverse of its residual variance: the log-likelihood for unknown variance,
   * in which a recording that is explained badly counts less.
   */
  get system(): JointRecordingSystem {
    const weight = this.count / this.variance;
    return { ...this.state.system, weight, shared: this.#places, ownUnknowns: this.#own };
  }
  /** Number of independent values among its residuals. */
  get count(): number {
    return this.weight / this.#perValue;
  }
  /** Residual variance: the mean of squared residuals, but at least that from rounding. */
  get variance(): number {
    return Math.max(this.loss, this.#residuals.exactLoss('f32'), Number.MIN_VALUE);
  }
  /** Coordinates of the shared unknowns in this recording, in the order of their names. */
  get shared(): number[] {
    return this.#places.map((k) => this.state.x[k]);
  }
  get limits(): { low: number[]; high: number[] } {
    const { low, high } = this.#unknowns.limits();
    return { low: this.#places.map((k) => low[k]), high: this.#places.map((k) => high[k]) };
  }
  get longest(): number[] {
    const scales = this.#unknowns.scales();
    return this.#places.map((k) => scales[k]);
  }
  valuesOf(shared: readonly number[]): number[] {
    const values = this.#unknowns.values(this.#pointAt(shared));
    return this.#places.map((k) => values[k]);
  }
  slopesOf(shared: readonly number[]): number[] {
    const slopes = this.#unknowns.derivatives(this.#pointAt(shared));
    return this.#places.map((k) => slopes[k]);
  }
  atBoundsOf(shared: readonly number[]): boolean[] {
    const atBounds = this.#unknowns.activeBounds(this.#pointAt(shared));
    return this.#places.map((k) => atBounds[k] !== 0);
  }
  blockOf(name: string): Block {
    return this.#unknowns.blocks.find((block) => block.name === name)!;
  }

  #pointAt(shared: readonly number[]): Float64Array {
    const x = this.state.x.slice();
    this.#places.forEach((k, i) => {
      x[k] = shared[i];
    });
    return x;
  }

  /**
   * Moves the recording's own unknowns close to their optimum at the given shared ones, in at most `OWN_STEPS` steps.
   */
  async optimiseOwn(shared: readonly number[], step?: readonly number[]): Promise<void> {
    const start = this.#pointAt(shared);
    const moved = start.slice();
    const scales = this.#unknowns.scales();
    const { low, high } = this.#unknowns.limits();
    // Of an unknown that the recording hardly determines, a long step predicts nothing.
    this.#own.forEach((k, i) => {
      const by = Math.min(Math.max(step?.[i] ?? 0, -scales[k]), scales[k]);
      moved[k] = Math.min(Math.max(moved[k] + by, low[k]), high[k]);
    });
    let best = await this.#systemAt(moved);
    // A step that goes too far is skipped.
    if (step && !Number.isFinite(best.system.loss)) best = await this.#systemAt(start);
    let damping = INITIAL_DAMPING;
    for (let k = 0; k < OWN_STEPS && damping < MAX_DAMPING && Number.isFinite(best.system.loss); k++) {
      const next = await this.#systemAt(this.#ownStep(best, damping));
      if (next.system.loss < best.system.loss) {
        const gained = 1 - next.system.loss / best.system.loss;
        best = next;
        damping /= 10;
        if (gained < CONVERGED_DECREASE) break;
      } else damping *= 30;
    }
    this.state = best;
  }

  #ownStep({ x, system }: JointRecordingState, damping: number): Float64Array {
    const n = this.#unknowns.count;
    const scales = this.#unknowns.scales();
    const { low, high } = this.#unknowns.limits();
    const own = this.#own;
    const hessian = Float64Array.from(
      { length: own.length ** 2 },
      (_, at) => system.hessian[own[Math.floor(at / own.length)] * n + own[at % own.length]],
    );
    const step = dampedStep(
      hessian,
      own.map((k) => system.gradient[k]),
      damping,
      own.map((k) => scales[k]),
    );
    const moved = x.slice();
    own.forEach((k, i) => {
      moved[k] = Math.min(Math.max(x[k] + step[i], low[k]), high[k]);
    });
    return moved;
  }

  /** System at the present point with `given` quantities as further unknowns, at their values; none without any. */
  async withGiven(): Promise<GivenSystem[]> {
    const { given = [] } = this.#started;
    if (given.length === 0) return [];
    const unknowns = new Unknowns(this.#started, 'fitted');
    const x = unknowns.initial();
    x.set(this.state.x);
    const simulation = await openWithTangents(this.#started, unknowns, this.#residuals, this.#controls);
    try {
      const [system] = await systemsOfResiduals(simulation, unknowns, this.#residuals, [x]);
      const { weight, shared, ownUnknowns } = this.system;
      return [
        { ...system, weight, ownUnknowns, shared: [...shared, ...given.map((_, k) => this.state.x.length + k)], given },
      ];
    } finally {
      simulation.dispose();
    }
  }

  /** Given quantities that are fitted with the recording's own unknowns. */
  get fittedGiven(): FittedGiven[] {
    const slopes = this.#unknowns.derivatives(this.state.x);
    return (this.#started.given ?? []).flatMap(({ name, value, tolerance }) => {
      const block = this.#unknowns.blocks.find((own) => own.isGiven && own.name === name);
      return block
        ? [
            {
              name,
              value,
              tolerance,
              unknownIndex: this.#own.indexOf(block.first),
              slope: slopes[block.first] / tolerance,
            },
          ]
        : [];
    });
  }

  async #systemAt(x: Float64Array): Promise<JointRecordingState> {
    const system = await this.#observedAt(x);
    return system
      ? { x, system: addPriors(system, this.#unknowns, x, { count: this.count, leastLoss: 0 }) }
      : { x, system: { ...this.state.system, loss: Number.POSITIVE_INFINITY } };
  }

  /** System of the observations alone; undefined where the run fails. */
  async #observedAt(x: Float64Array): Promise<System | undefined> {
    try {
      const [system] = await systemsOfResiduals(this.#simulation, this.#unknowns, this.#residuals, [x]);
      if (Number.isFinite(system.loss) && system.hessian.every(Number.isFinite)) return system;
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
    }
    return undefined;
  }

  /**
   * Searches the recording's own unknowns again from their initial values, through all horizons, with the shared ones
   * fixed; keeps the present point if the new one is no better.
   */
  async restart(shared: readonly number[]): Promise<void> {
    const found = await estimate(this.#fixed(shared, true), this.#controls);
    const before = this.state;
    const role = this.#unknowns.blocks.some(({ isGiven }) => isGiven) ? 'fitted' : 'kept';
    const x = stepWithGivens(new Unknowns(startedAt(this.#started, pointOf(found)), role), found);
    this.#places.forEach((k, i) => {
      x[k] = shared[i];
    });
    this.state = await this.#systemAt(x);
    if (!(this.loss < before.system.loss)) this.state = before;
  }

  /** Estimates the recording's own unknowns from their present values, with the shared ones fixed. */
  estimateOwn(shared: readonly number[]): Promise<Estimate> {
    return estimate(this.#fixed(shared, false), this.#controls);
  }

  /** Copy of the recording's problem with the shared unknowns fixed at the given coordinates. */
  #fixed(shared: readonly number[], isAnew: boolean): Problem {
    return withFixed(this.#started, this.#shared, {
      unknowns: this.#unknowns,
      x: this.#pointAt(shared),
      simulation: this.#simulation,
      isAnew,
    });
  }

  dispose(): void {
    this.#simulation.dispose();
  }
}

/** Start of unknowns, with given quantities at the values that an estimate fitted. */
function stepWithGivens(unknowns: Unknowns, { given }: Pick<Estimate, 'given'>): Float64Array {
  const x = unknowns.initial();
  for (const { name, isGiven, first, coordinate } of unknowns.blocks)
    if (isGiven && given[name]) x[first] = coordinate.toCoordinate(given[name].estimate);
  return x;
}

/** Point of an estimate. */
const pointOf = ({ parameters, arrays }: Estimate): Point => ({
  parameters: valuesOf(parameters),
  arrays: valuesOf(arrays),
});

const valuesOf = <T>(of: Readonly<Record<string, { readonly estimate: T }>>): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([name, { estimate: value }]) => [name, value]));
