import { upperMedian } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { estimate } from '../estimate.ts';
import type { AnyCheck } from '../posterior/check.ts';
import { findingsOf, isTrusted, refuseChecks } from '../posterior/check.ts';
import type { ScalarPrior } from '../problem/parameter.ts';
import type { Problem } from '../problem/problem.ts';
import type { Estimate, EstimateControls } from '../result.ts';
import type { Verdict } from '../verdict/assess.ts';
import type { JointPosterior } from './checks.ts';
import { JOINT_CHECKS, JOINT_POSTERIOR } from './checks.ts';
import { errorsByInformation, errorsOfGiven, type SharedErrorOfGiven, withGiven } from './given-errors.ts';
import type { GivenSystem, JointRecordingSystem } from './member.ts';
import { JointRecording } from './member.ts';
import { MIN_FREEDOM, sharedErrors } from './shared-errors.ts';
import { deviationsOf, priorSystem, sharedPriors } from './shared-priors.ts';
import type { Shared } from './shared-step.ts';
import { sharedStep } from './shared-step.ts';

/** One of several recordings of one object; each has a problem of its own, for example with another initial state. */
export interface Recording {
  readonly name: string;
  readonly problem: Problem;
  /** Estimate from this recording alone, at which the joint search starts. Default: it is computed. */
  readonly alone?: Estimate;
}

/** Options of an estimation from several recordings together. */
export interface TogetherOptions {
  /**
   * Names of the parameters, and of arrays with a single value (such as one mode), that are equal in all recordings.
   * Each recording has all of these unknowns, and may have others of its own.
   */
  readonly shared: readonly string[];
  /** Maximum number of steps of the shared unknowns. Default 20. */
  readonly iterations?: number;
  /** Relative change per step of the residual variance below which the search ends. Default 1e-4. */
  readonly tolerance?: number;
  /** Checks of what the recordings share, beside those that are always made. Each recording's problem has its own. */
  readonly checks?: readonly AnyCheck<JointPosterior>[];
}

/** Estimate of a parameter that all recordings share. */
export interface SharedEstimate {
  readonly estimate: number;
  /**
   * Standard error from the disagreement of the recordings, or, beside priors and of few recordings, from the standard errors
   * of each alone, and from the tolerances of `given` quantities; infinite if they do not determine the parameter.
   */
  readonly standardError: number | null;
  readonly interval: readonly [number, number] | null;
  /**
   * Part of the standard error that comes from the tolerance of each given quantity, by name, in the unit of the
   * estimate; of those that several recordings have in common.
   */
  readonly ofGiven: Readonly<Record<string, number>>;
  readonly unit: string;
  /** Estimates from each recording alone, in the order of the recordings. */
  readonly alone: readonly number[];
}

/** Result of estimating several recordings together. */
export interface TogetherEstimate {
  readonly shared: Readonly<Record<string, SharedEstimate>>;
  /** For each recording, the estimate of its own unknowns with the shared ones fixed, and the verdict on it. */
  readonly recordings: readonly { readonly name: string; readonly estimate: Estimate }[];
  /** Weighted mean of squared residuals over all recordings. */
  readonly loss: number;
  readonly history: readonly { readonly loss: number; readonly shared: Readonly<Record<string, number>> }[];
  /** Verdict: trusted if most recordings are trusted and no shared parameter is at an end of its range. */
  readonly verdict: Verdict;
  readonly seconds: number;
}

const DEFAULTS = { iterations: 20, tolerance: 1e-4, checks: [] as readonly AnyCheck<JointPosterior>[] } as const;
/** Initial damping (Levenberg-Marquardt lambda) of the shared unknowns, relative to the diagonal of J^T J. */
const FIRST_DAMPING = 1e-3;
/** Number of consecutive rejected steps after which the search ends. */
const MAX_REJECTED_STEPS = 6;
/**
 * Ratio of a recording's loss in the joint search to its loss alone above which its own unknowns are searched again.
 */
const MUCH_WORSE = 2;

/**
 * Estimates parameters that several recordings share. Each recording is a problem of its own, with a model, frames,
 * observations and further unknowns. First each is estimated alone; then Levenberg-Marquardt steps move the shared
 * parameters, and after each step every recording's own unknowns are optimised again. Quantities in `given` keep their
 * values, or are fitted with the own unknowns of each recording where these count as their own standard errors say; their
 * tolerances are part of the standard errors. A prior of what is shared counts once; ties may use it.
 *
 * ```ts
 * const found = await estimateTogether(recordings, { shared: ['mu', 'restitution'] }, { device });
 * console.log(found.shared.mu.estimate, found.shared.mu.standardError, found.verdict.trusted);
 * ```
 * @throws for no recordings, two of the same name, one that lacks a shared parameter, or different priors of it; and as {@link estimate} does.
 */
export async function estimateTogether(
  recordings: readonly Recording[],
  options: TogetherOptions,
  controls: EstimateControls,
): Promise<TogetherEstimate> {
  const began = performance.now();
  refuseUnknownOptions<TogetherOptions>('estimateTogether', options, { ...DEFAULTS, shared: [] });
  refuseRecordings(recordings, options.shared);
  const { iterations = DEFAULTS.iterations, tolerance = DEFAULTS.tolerance, checks = DEFAULTS.checks } = options;
  refuseChecks(checks, JOINT_POSTERIOR);
  const alone: Estimate[] = [];
  for (const { problem, alone: known } of recordings) alone.push(known ?? (await estimate(problem, controls)));
  const priors = sharedPriors(recordings, options.shared);
  const isWeighed = isByOwnErrors(recordings, options.shared);
  const members: JointRecording[] = [];
  try {
    for (const [k, recording] of recordings.entries())
      members.push(await JointRecording.open(recording.problem, alone[k], options.shared, controls, isWeighed));
    const first = members[0].shared;
    let at = first.map((_, i): number => upperMedian(members.map(({ shared }) => shared[i])));
    for (const [k, member] of members.entries()) {
      await member.optimiseOwn(at);
      if (member.loss > MUCH_WORSE * alone[k].loss) await member.restart(at);
    }
    const search = new Search(members, priors, at);
    for (let k = 0; k < iterations && !search.isDone && !controls.signal?.aborted; k++) await search.step(tolerance);
    at = search.shared;
    const rest: TogetherEstimate['recordings'][number][] = [];
    for (const [k, member] of members.entries())
      rest.push({ name: recordings[k].name, estimate: await member.estimateOwn(at) });
    const values = members[0].valuesOf(at);
    const slopes = members[0].slopesOf(at);
    const systems = systemsOf(members, priors, at);
    const errors = isWeighed
      ? errorsByInformation(
          systems,
          slopes,
          members.map((member) => member.fittedGiven),
        )
      : await errorsByDisagreement(members, systems, slopes);
    const names = options.shared;
    const subject = {
      names,
      values,
      atBounds: members[0].atBoundsOf(at),
      errors,
      recordings: rest,
      alone: isWeighed ? alone : [],
      units: names.map((name) => members[0].blockOf(name).unit),
      usualRanges: names.map((name) => members[0].blockOf(name).usual),
    };
    const findings = findingsOf(subject, [...JOINT_CHECKS, ...checks]);
    return {
      shared: Object.fromEntries(
        names.map((name, i): [string, SharedEstimate] => {
          const { standardError, halfLength, ofGiven } = errors[i];
          return [
            name,
            {
              estimate: values[i],
              standardError,
              ofGiven,
              unit: subject.units[i],
              interval: halfLength === null ? null : [values[i] - halfLength, values[i] + halfLength],
              alone: alone.map(({ parameters, arrays }) => parameters[name]?.estimate ?? arrays[name].estimate[0]),
            },
          ];
        }),
      ),
      recordings: rest,
      loss: meanSquare(members),
      history: search.history(names),
      verdict: { trusted: isTrusted(findings), findings, unseen: [] },
      seconds: (performance.now() - began) / 1000,
    };
  } finally {
    for (const member of members) member.dispose();
  }
}

/** Checks recordings and shared names. @throws if they cannot be estimated together. */
function refuseRecordings(recordings: readonly Recording[], shared: readonly string[]): void {
  if (recordings.length === 0)
    throw new GradsimError('optim/no-recordings', 'estimateTogether needs recordings, and there are none.');
  if (!Array.isArray(shared) || shared.length === 0)
    throw new GradsimError(
      'optim/nothing-shared',
      'estimateTogether: `shared` names no parameter that the recordings have in common.',
    );
  const names = recordings.map(({ name }) => name);
  const twice = names.find((name, k) => names.indexOf(name) !== k);
  if (twice !== undefined)
    throw new GradsimError('optim/name-taken', `Two recordings have the name ${twice}.`, {
      hint: 'Give them names of their own.',
    });
  for (const { name, problem } of recordings) {
    const { parameters = [], arrays = [], losses = [] } = problem;
    const own = [...parameters, ...arrays].map((unknown) => unknown.name);
    const missing = shared.find((one) => !own.includes(one));
    if (missing !== undefined)
      throw new GradsimError(
        'optim/parameter-missing',
        `The recording ${name} has no parameter ${missing}, which is to be shared; it has ${own.join(', ')}.`,
      );
    if (losses.length > 0)
      throw new GradsimError(
        'optim/not-in-joint',
        `The recording ${name} has losses; recordings are estimated together by observations alone.`,
      );
  }
}

/**
 * True if recordings count as the standard errors of each alone say: beside priors, which must be weighed against
 * observations, and of recordings that are too few for their disagreement to tell standard errors.
 */
const isByOwnErrors = (recordings: readonly Recording[], shared: readonly string[]): boolean =>
  recordings.length - shared.length < MIN_FREEDOM ||
  recordings.some(({ problem }) => problem.parameters?.some(({ prior }) => prior));

/** Standard errors from the disagreement of recordings, and from the tolerances of what they have in common. */
async function errorsByDisagreement(
  members: readonly JointRecording[],
  systems: readonly JointRecordingSystem[],
  slopes: readonly number[],
): Promise<SharedErrorOfGiven[]> {
  const givens: GivenSystem[] = [];
  for (const member of members) givens.push(...(await member.withGiven()));
  return withGiven(sharedErrors(systems, slopes), errorsOfGiven(systems, slopes, givens));
}

/** Systems of all recordings, and of the priors of what they share. */
const systemsOf = (
  members: readonly JointRecording[],
  priors: readonly (ScalarPrior | undefined)[],
  at: readonly number[],
): JointRecordingSystem[] => [
  ...members.map((member) => member.system),
  ...(priors.some(Boolean)
    ? [priorSystem(deviationsOf(priors, members[0].valuesOf(at), members[0].slopesOf(at)))]
    : []),
];

/** Levenberg-Marquardt search over the shared unknowns. */
class Search {
  shared: number[];
  isDone = false;
  #misfit: number;
  readonly #members: readonly JointRecording[];
  readonly #priors: readonly (ScalarPrior | undefined)[];
  readonly #history: { loss: number; shared: number[] }[] = [];
  #damping = FIRST_DAMPING;
  #rejected = 0;

  constructor(
    members: readonly JointRecording[],
    priors: readonly (ScalarPrior | undefined)[],
    shared: readonly number[],
  ) {
    this.#members = members;
    this.#priors = priors;
    this.shared = [...shared];
    this.#misfit = misfit(members, priors, this.shared);
    this.#history.push({ loss: meanSquare(members), shared: this.shared });
  }

  async step(tolerance: number): Promise<void> {
    const members = this.#members;
    const limits = members[0].limits;
    const { shared: step, own }: Shared = sharedStep(systemsOf(members, this.#priors, this.shared), this.#damping, {
      values: this.shared,
      ...limits,
      longest: members[0].longest,
    });
    const trial = this.shared.map((x, i) => Math.min(Math.max(x + step[i], limits.low[i]), limits.high[i]));
    const before = members.map((member) => member.state);
    for (const [k, member] of members.entries()) await member.optimiseOwn(trial, own[k]);
    const found = misfit(members, this.#priors, trial);
    if (found < this.#misfit) {
      // A difference of logarithms: a relative gain.
      const gained = this.#misfit - found;
      [this.shared, this.#misfit] = [trial, found];
      this.#history.push({ loss: meanSquare(members), shared: trial });
      this.#damping = Math.max(this.#damping / 10, 1e-7);
      this.#rejected = 0;
      this.isDone = gained < tolerance;
      return;
    }
    members.forEach((member, k) => {
      member.state = before[k];
    });
    this.#rejected++;
    this.#damping = Math.max(this.#damping, 1e-5) * 4 ** this.#rejected;
    this.isDone = this.#rejected >= MAX_REJECTED_STEPS;
  }

  history(names: readonly string[]): TogetherEstimate['history'] {
    return this.#history.map(({ loss, shared }) => {
      const values = this.#members[0].valuesOf(shared);
      return { loss, shared: Object.fromEntries(names.map((name, i) => [name, values[i]])) };
    });
  }
}

/** Mean of squared residuals over all recordings, weighted by the recordings' weights. */
function meanSquare(members: readonly JointRecording[]): number {
  const weight = members.reduce((sum, member) => sum + member.weight, 0);
  return members.reduce((sum, member) => sum + member.loss * member.weight, 0) / weight;
}

/**
 * Mean of the natural logarithm of the recordings' residual variances, by their weights: what a likelihood with an
 * unknown variance for each recording minimises. With one variance for all, a few outliers would dominate the shared
 * parameters.
 */
function misfit(
  members: readonly JointRecording[],
  priors: readonly (ScalarPrior | undefined)[],
  shared: readonly number[],
): number {
  const count = members.reduce((sum, member) => sum + member.count, 0);
  const deviations = deviationsOf(priors, members[0].valuesOf(shared), members[0].slopesOf(shared));
  const squares = deviations.reduce((sum, { deviation }) => sum + deviation ** 2, 0);
  return members.reduce((sum, member) => sum + Math.log(member.variance) * member.count, squares) / count;
}
