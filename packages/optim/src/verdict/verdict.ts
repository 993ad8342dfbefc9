import { UNEXPLAINED } from '../covariance/linearity.ts';
import { whyNoErrors } from '../covariance/posterior-at.ts';
import { precisionFindings } from '../covariance/precision.ts';
import { explosionNote } from '../descent/exploding-gradients.ts';
import type { Finding } from '../problem/finding.ts';
import { listed } from '../problem/finding.ts';
import type { Unseen } from '../verdict/unseen.ts';
import type { Case } from './case.ts';
import { againstClock, timesOf } from './clock.ts';
import { determinationOf } from './determination.ts';
import { fitFindings } from './fit.ts';
import { intervalsOf } from './intervals.ts';
import { aboveStart, minimaOf, restartsOf } from './minima.ts';
import { short, toldFrom } from './numbers.ts';
import { againstPriors, tolerancesOf } from './priors.ts';
import { noiseFindings } from './stated-noise.ts';
import { unusual } from './usual.ts';

/** Verdict on whether a result can be trusted, with the findings against it. */
export interface Verdict {
  /** True if there is no critical finding. */
  readonly trusted: boolean;
  /** Findings, critical ones first. */
  readonly findings: readonly Finding[];
  /** Small errors of clock and model that the observations do not show, and that matter to an unknown. */
  readonly unseen: readonly Unseen[];
}

/**
 * Share of the search's total gain that falls in the last quarter of its iterations, 0 to 1, above which the search was
 * still improving.
 */
const STILL_FALLING = 0.001;
/** Maximum number of unknowns for which standard errors, with one world each, cost no more than a run of the search. */
const FEW_WORLDS = 64;

/** Kinds of findings, critical ones first. */
const ORDER: readonly Finding['kind'][] = [
  ...(['uneven times', 'interrupted', 'no overlap', 'unexplained', 'elsewhere', 'some frames'] as const),
  ...([
    'departure',
    'beyond noise',
    'check',
    'false derivatives',
    'precision',
    'no standard errors',
    'unfinished',
    'range',
    'against given',
    'unusual',
    'against priors',
    'other minimum',
  ] as const),
  ...(['substep', 'mesh'] as const),
  ...([
    'exploding gradients',
    'undetermined',
    'intervals',
    'priors',
    'tolerance',
    'start without overlap',
    'correlation not measured',
  ] as const),
];

/** Kinds of findings that frames at other times than stated would cause too. */
const MAY_BE_TIME: ReadonlySet<Finding['kind']> = new Set([
  ...(['unexplained', 'elsewhere', 'some frames', 'departure', 'beyond noise', 'check'] as const),
  ...(['range', 'against given', 'unusual', 'against priors'] as const),
]);

/** Collects all findings about a result; critical ones make it untrusted. */
export function verdictOf(given: Case): Verdict {
  const findings = [
    ...endOf(given),
    ...(given.fit?.observations.flatMap((observation) => fitFindings(observation)) ?? []),
    ...beyondNoise(given),
    ...given.departures,
    ...given.checked,
    ...derivativesOf(given),
    ...precisionFindings(given.precision, given.uncertainty?.roundingFactors ?? null),
    ...withoutErrorsOf(given),
    ...rangesOf(given),
    ...given.profiled,
    ...againstPriors(given),
    ...unusual(given),
    ...againstClock(given),
    ...tolerancesOf(given),
    ...minimaOf(given),
    ...aboveStart(given),
    ...restartsOf(given),
    ...refinementsOf(given),
    ...intervalsOf(given),
    ...determinationOf(given),
    ...explosionsOf(given),
  ].map((finding) => (given.hasGoal && finding.kind !== 'check' ? { ...finding, isCritical: false } : finding));
  if (findings.some(({ kind, isCritical }) => isCritical && MAY_BE_TIME.has(kind))) findings.push(...timesOf(given));
  const rank = ({ kind, isCritical }: Finding): number => ORDER.indexOf(kind) + (isCritical ? 0 : ORDER.length);
  return {
    trusted: !findings.some(({ isCritical }) => isCritical),
    findings: findings.sort((a, b) => rank(a) - rank(b)),
    unseen: given.unseen,
  };
}

function endOf({ stopped, history, isDrawnAnew }: Case): Finding[] {
  if (stopped === 'interrupted')
    return [{ kind: 'interrupted', isCritical: true, note: 'The search was interrupted before it converged.' }];
  // Losses of redrawn worlds belong to other worlds in each iteration; training ends at its limit.
  if (stopped !== 'iterations' || history.length < 2 || isDrawnAnew) return [];
  const last = history[history.length - 1].loss;
  // Losses of shorter horizons are of other frames.
  const whole = history.filter(({ horizon }) => horizon === 1);
  const before = whole[Math.floor(0.75 * (whole.length - 1))].loss;
  const isCritical = before - last > STILL_FALLING * (whole[0].loss - last);
  const note = isCritical
    ? 'The search stopped at the maximum number of iterations while the loss was still falling: allow more `iterations`.'
    : 'The search stopped at the maximum number of iterations, though the loss had almost stopped falling.';
  return [{ kind: 'unfinished', isCritical, note }];
}

/** Makes a finding about exploding gradients; it is not critical, since the best point itself was evaluated without. */
const explosionsOf = ({ exploded }: Case): Finding[] =>
  exploded ? [{ kind: 'exploding gradients', isCritical: false, note: explosionNote(exploded) }] : [];

function beyondNoise({ fit, objective, uncertainty }: Case): Finding[] {
  const perIndependent = uncertainty?.residuals.perIndependent ?? 1;
  return (fit?.observations ?? []).flatMap((observation, k) =>
    noiseFindings(observation, objective.residuals?.prepared[k].counted ?? 0, perIndependent),
  );
}

function derivativesOf({ unknowns, unexplained }: Case): Finding[] {
  const names = unknowns.names.filter((_, i) => (unexplained[i] ?? 0) > UNEXPLAINED);
  if (names.length === 0) return [];
  const note = `Derivatives with respect to ${listed(names)} do not predict what a change of one standard error does: rounding, chaos or a jump is larger.`;
  return [{ kind: 'false derivatives', isCritical: true, unknowns: names, note }];
}

/**
 * Makes a finding if there are no standard errors. It is critical if a run like those of the search could compute them;
 * goals and losses that are no sums of squared residuals have none.
 */
function withoutErrorsOf({ uncertainty, stopped, unknowns, objective }: Case): Finding[] {
  if (uncertainty || stopped === 'interrupted') return [];
  const isToBeHad = objective.residuals !== null && objective.withoutResiduals === undefined;
  const isCritical = isToBeHad && unknowns.count <= FEW_WORLDS;
  return [{ kind: 'no standard errors', isCritical, note: whyNoErrors(unknowns, objective) }];
}

function rangesOf({ unknowns, ends }: Case): Finding[] {
  const held = unknowns.held(ends[0].x);
  const names = unknowns.names.filter((_, i) => held[i] !== 0);
  if (names.length === 0) return [];
  const note = `${listed(names)} ${names.length > 1 ? 'are at the ends of their ranges' : 'is at an end of its range'}: the range determines ${names.length > 1 ? 'them' : 'it'}, not the observations.`;
  return [{ kind: 'range', isCritical: true, unknowns: names, note }];
}

/**
 * Makes findings about unknowns that moved by more than their standard error in the estimate with a finer
 * discretisation.
 */
function refinementsOf({ unknowns, ends, uncertainty, verification }: Case): Finding[] {
  if (!uncertainty) return [];
  const values = unknowns.parameters(unknowns.values(ends[0].x));
  return verification.flatMap(({ refined: kind, parameters }): Finding[] => {
    const finer = kind === 'substep' ? 'half the substep' : 'a finer mesh';
    if (!parameters) return [{ kind, isCritical: true, note: `With ${finer} the simulation fails at the estimate.` }];
    const moved = Object.keys(values).flatMap((name) => {
      const error = uncertainty.standardErrors[unknowns.names.indexOf(name)];
      const errors = Math.abs(parameters[name] - values[name]) / error;
      return errors > 1 ? [{ name, errors }] : [];
    });
    if (moved.length === 0) return [];
    const each = moved.map(
      ({ name, errors }) =>
        `${name} changes from ${toldFrom(values[name], parameters[name])} to ${toldFrom(parameters[name], values[name])}, by ${short(errors)} standard errors`,
    );
    const remedy = kind === 'substep' ? 'Take more substeps' : 'Take a finer mesh';
    const note = `With ${finer} ${each.join('; ')}. ${remedy}.`;
    return [{ kind, isCritical: true, unknowns: moved.map(({ name }) => name), note }];
  });
}
