import type { Objective } from '../objective/objective.ts';
import { priorsOff } from '../objective/priors.ts';
import type { Finding } from '../problem/finding.ts';
import { listed, MAX_NAMED } from '../problem/finding.ts';
import type { FullOptions } from '../problem/options.ts';
import type { End, Ends, Stopped } from '../search/descent-run.ts';
import type { Explosion } from '../search/explosion.ts';
import { explosionNote } from '../search/explosion.ts';
import type { Block } from '../unknowns/block.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';
import { betterPoint } from './better-point.ts';
import type { Fit } from './fit.ts';
import { fitFindings } from './fit-findings.ts';
import type { OtherIntervals } from './intervals.ts';
import { jointShift } from './joint-shift.ts';
import { noiseFindings } from './noise-findings.ts';
import type { Precision } from './precision.ts';
import { precisionFindings } from './precision.ts';
import { largestShare, sharesOf } from './prior-shares.ts';
import { UNEXPLAINED } from './probe.ts';
import { FALSE_ALARMS } from './significance.ts';
import { whyNoErrors } from './sureness.ts';
import type { Uncertainty, UndeterminedDirection } from './uncertainty.ts';
import type { Verification } from './verify.ts';

/** Verdict on whether a result can be trusted, with the findings against it. */
export interface Verdict {
  /** True if no grave finding was made. */
  readonly trusted: boolean;
  /** Findings, the gravest first. */
  readonly findings: readonly Finding[];
}

/** Case to be judged. */
export interface Case {
  readonly unknowns: Unknowns;
  readonly options: FullOptions;
  readonly stopped: Stopped;
  readonly history: readonly { readonly loss: number; readonly horizon: number }[];
  /** True if each iteration had worlds of its own. */
  readonly isDrawnAnew: boolean;
  /** Ends of all starts, best first. */
  readonly ends: readonly End[];
  readonly fit: Fit | null;
  readonly uncertainty: Uncertainty | null;
  /** Findings of departures of the film from the model. */
  readonly departures: readonly Finding[];
  /** Share of changes that derivatives do not predict, by unknown. */
  readonly unexplained: readonly (number | null)[];
  /** Losses of restarts, for fits that are not exact. */
  readonly restarts: Ends['restarts'];
  readonly verification: readonly Verification[];
  readonly others: OtherIntervals | null;
  /** Rounding noise of the derivatives; null if it was not measured. */
  readonly precision: Precision | null;
  readonly objective: Objective;
  /** True if there is a goal, and nothing was measured. */
  readonly hasGoal: boolean;
  readonly exploded: Explosion | undefined;
  /** Findings from profiles of the loss: about the unknown found by values alone, and about checked intervals. */
  readonly profiled: readonly Finding[];
  /** Findings of the problem's own checks. */
  readonly checked: readonly Finding[];
  /** Loss of the observations at the estimate, without priors; null where there are none. */
  readonly observed: number | null;
  /** Rise of the loss for one unit of twice the log-likelihood; null if unknown. */
  readonly lossUnit: number | null;
}

/** Deviation from a prior's mean, in its standard deviations, above which the two contradict each other. */
const AGAINST_PRIOR = 3.5;
/**
 * Shift of an unknown from its prior's mean, in the prior's standard deviations, above which it is named among those
 * that moved together.
 */
const SOME_SHIFT = 0.5;
/** Share of the total gain in the last quarter of the iterations above which a search was still improving. */
const STILL_FALLING = 0.001;
/** Ratio of the lengths of two intervals above which they count as different. */
const MUCH_LONGER = 2;
/** Difference of twice the log-likelihood above which the data tell two minima apart. */
const AS_GOOD = 9;
/** Gain as a share of the remaining loss that noise cannot explain, however residuals are correlated. */
const MUCH_OF_LOSS = 0.1;
/** Share of further starts expected to reach new minima above which this is reported. */
const AS_LIKELY_AS_NOT = 0.5;
/** Distance between two minima, in standard errors, above which they are different. */
const APART = 5;
/** Share of a variance above which a given quantity is named. */
const NAMED_VARIANCE_SHARE = 0.5;
/** Number of unknowns up to which standard errors, with a world for each, cost no more than a run of the search. */
const FEW_WORLDS = 64;

/** Kinds of findings, the gravest first. */
const ORDER: readonly Finding['kind'][] = [
  ...(['interrupted', 'no overlap', 'unexplained', 'elsewhere', 'some frames'] as const),
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

/** Finds everything that contradicts a result. */
export function verdictOf(given: Case): Verdict {
  const findings = [
    ...endOf(given),
    ...(given.fit?.observations.flatMap((observation) => fitFindings(observation)) ?? []),
    ...beyondNoise(given),
    ...given.departures,
    ...given.checked,
    ...derivativesOf(given),
    ...precisionFindings(given.precision),
    ...withoutErrorsOf(given),
    ...rangesOf(given),
    ...given.profiled,
    ...againstPriors(given),
    ...tolerancesOf(given),
    ...minimaOf(given),
    ...aboveStart(given),
    ...restartsOf(given),
    ...refinementsOf(given),
    ...intervalsOf(given),
    ...determinationOf(given),
    ...explosionsOf(given),
  ].map((finding) => (given.hasGoal && finding.kind !== 'check' ? { ...finding, grave: false } : finding));
  const rank = ({ kind, grave }: Finding): number => ORDER.indexOf(kind) + (grave ? 0 : ORDER.length);
  return {
    trusted: !findings.some(({ grave }) => grave),
    findings: findings.sort((a, b) => rank(a) - rank(b)),
  };
}

function endOf({ stopped, history, isDrawnAnew }: Case): Finding[] {
  if (stopped === 'interrupted')
    return [{ kind: 'interrupted', grave: true, note: 'The search was interrupted before its end.' }];
  // Losses of redrawn worlds belong to other worlds in each iteration; training ends at its limit.
  if (stopped !== 'iterations' || history.length < 2 || isDrawnAnew) return [];
  const last = history[history.length - 1].loss;
  // Losses of shorter horizons are of other frames.
  const whole = history.filter(({ horizon }) => horizon === 1);
  const before = whole[Math.floor(0.75 * (whole.length - 1))].loss;
  const grave = before - last > STILL_FALLING * (whole[0].loss - last);
  const still = grave ? 'while the loss was still falling; allow more' : 'while the loss hardly fell any more';
  return [{ kind: 'unfinished', grave, note: `The search stopped at the last iteration allowed, ${still}.` }];
}

/** The best point was evaluated without explosion, so the result stands. */
const explosionsOf = ({ exploded }: Case): Finding[] =>
  exploded ? [{ kind: 'exploding gradients', grave: false, note: explosionNote(exploded) }] : [];

function beyondNoise({ fit, objective, uncertainty }: Case): Finding[] {
  const perIndependent = uncertainty?.residuals.perIndependent ?? 1;
  return (fit?.observations ?? []).flatMap((observation, k) =>
    noiseFindings(observation, objective.residuals?.prepared[k].counted ?? 0, perIndependent),
  );
}

function derivativesOf({ unknowns, unexplained }: Case): Finding[] {
  const names = unknowns.names.filter((_, i) => (unexplained[i] ?? 0) > UNEXPLAINED);
  if (names.length === 0) return [];
  const note = `The derivatives with respect to ${listed(names)} do not say what happens when ${names.length > 1 ? 'these move' : 'it moves'} by a standard error: rounding, chaos or a jump outgrows them.`;
  return [{ kind: 'false derivatives', grave: true, unknowns: names, note }];
}

/**
 * Finding that a measured result without standard errors cannot be trusted, if a run like those of the search could
 * compute them. Goals, and losses mixed with observations, have none.
 */
function withoutErrorsOf({ uncertainty, stopped, unknowns, objective }: Case): Finding[] {
  if (uncertainty || stopped === 'interrupted') return [];
  const isToBeHad = objective.residuals !== null && objective.withoutResiduals === undefined;
  const grave = isToBeHad && unknowns.count <= FEW_WORLDS;
  return [{ kind: 'no standard errors', grave, note: whyNoErrors(unknowns, objective) }];
}

function rangesOf({ unknowns, ends }: Case): Finding[] {
  const held = unknowns.held(ends[0].x);
  const names = unknowns.names.filter((_, i) => held[i] !== 0);
  if (names.length === 0) return [];
  const note = `${listed(names)} ${names.length > 1 ? 'are at ends of their ranges' : 'is at an end of its range'}, which ${names.length > 1 ? 'hold them' : 'holds it'} there, not what was seen.`;
  return [{ kind: 'range', grave: true, unknowns: names, note }];
}

/** Findings of observations that contradict priors: one of them is wrong, or the model is. */
function againstPriors(given: Case): Finding[] {
  const { unknowns, ends } = given;
  const values = unknowns.numbers(unknowns.values(ends[0].x));
  const against = priorsOff(unknowns, ends[0].x).filter(({ off }) => Math.abs(off) > AGAINST_PRIOR);
  if (against.length === 0) return movedTogether(given);
  const givens = new Map(unknowns.blocks.flatMap((block) => (block.isGiven ? [[block.name, block]] : [])));
  return against.map(({ name, off }): Finding => {
    const given = givens.get(name);
    if (given) return againstGiven(given, values[name], off);
    return {
      kind: 'against priors',
      grave: true,
      unknowns: [name],
      note: `${name} ends ${Math.abs(off).toFixed(0)} standard deviations of its prior ${off > 0 ? 'above' : 'below'} what was known beforehand: the model, or what it was told, is not that of what was seen.`,
    };
  });
}

/** Shifts of several unknowns from what was known beforehand, each of which chance alone could make, and all together not. */
function movedTogether({ unknowns, ends, uncertainty }: Case): Finding[] {
  const joint = uncertainty && jointShift(unknowns, ends[0].x, uncertainty);
  if (!joint || (joint.chance > FALSE_ALARMS.priors && joint.largest < AGAINST_PRIOR)) return [];
  const named = joint.shifts.filter(({ off }, k) => k === 0 || Math.abs(off) > SOME_SHIFT).slice(0, MAX_NAMED);
  const isGiven = (name: string): boolean => unknowns.blocks.some((block) => block.name === name && block.isGiven);
  const each = named.map(({ name, off }) => `${name} by ${off > 0 ? '+' : '-'}${Math.abs(off).toFixed(1)}`);
  return [
    {
      kind: named.some(({ name }) => isGiven(name)) ? 'against given' : 'against priors',
      grave: true,
      unknowns: named.map(({ name }) => name).filter((name) => !isGiven(name)),
      note: `What was seen moves what was known beforehand together: ${each.join(', ')} times the standard deviations that were given. Under a right model one of them is ${joint.largest.toFixed(1)} standard deviations of its shift off, and all as far have a chance of ${short(joint.chance)}: one of them is off by more than was said, or the model lacks something that looks the same.`,
    },
  ];
}

/** Finding of a measurement that the observations contradict. */
function againstGiven({ name, prior, unit }: Block, seen: number, off: number): Finding {
  const { mean, standardDeviation } = prior!;
  const of = unit ? ` ${unit}` : '';
  return {
    kind: 'against given',
    grave: true,
    note: `${name} was given as ${told(mean[0], seen)}${of}, to ${short(standardDeviation)}${of}, and what was seen asks for ${told(seen, mean[0])}${of}, ${Math.abs(off).toFixed(0)} times that away: measure it again, or the model lacks something that looks the same.`,
  };
}

/** Given quantities that make more than half of an unknown's variance. */
function tolerancesOf({ unknowns, ends, uncertainty }: Case): Finding[] {
  if (!uncertainty) return [];
  return unknowns.blocks.flatMap(({ name, first, isArray, isGiven, unit }): Finding[] => {
    const error = uncertainty.standardErrors[first];
    if (isArray || isGiven || !Number.isFinite(error)) return [];
    const shares = sharesOf(uncertainty, unknowns, ends[0].x, first, (block) => block.isGiven);
    const most = largestShare(shares);
    if (!most || most[1] ** 2 < NAMED_VARIANCE_SHARE * error ** 2) return [];
    const of = unit ? ` ${unit}` : '';
    const note = `Of the standard error of ${name}, ${short(error)}${of}, ${short(most[1])} comes from how well ${most[0]} is known: measure that better.`;
    return [{ kind: 'tolerance', grave: false, unknowns: [name], note }];
  });
}

const short = (value: number): string => String(Number(value.toPrecision(2)));

function minimaOf({ unknowns, ends, uncertainty, lossUnit }: Case): Finding[] {
  if (!uncertainty || lossUnit === null || ends.length < 2) return [];
  const [best, ...others] = ends;
  const values = unknowns.values(best.x);
  for (const other of others) {
    if (!((other.loss - best.loss) / lossUnit < AS_GOOD)) continue;
    const beside = unknowns.values(other.x);
    const apart = unknowns.names.filter((_, i) => {
      const error = uncertainty.standardErrors[i];
      return Number.isFinite(error) && Math.abs(beside[i] - values[i]) > APART * error;
    });
    if (apart.length === 0) continue;
    const at = apart.map((name) => `${name} ${beside[unknowns.names.indexOf(name)].toPrecision(4)}`);
    const note = `Another start came to a minimum that fits as well: ${listed(at)}.`;
    return [{ kind: 'other minimum', grave: true, unknowns: apart, note }];
  }
  return [];
}

/** A loss above the one that an earlier search reached where this one started: what was searched is another model. */
function aboveStart({ options, observed, objective, ends, lossUnit }: Case): Finding[] {
  const { reached } = options.search;
  if (reached === undefined || observed === null || lossUnit === null || objective.isExact(ends[0].loss)) return [];
  if (!(observed - reached > AS_GOOD * lossUnit)) return [];
  const note = `The search started where an earlier one had reached the loss ${told(reached, observed)}, and came no lower than ${told(observed, reached)}: either it is not the same model, or rounding decides where it goes.`;
  return [{ kind: 'other minimum', grave: true, note }];
}

/** Findings of intervals that differ from those of the curvature. */
function intervalsOf({ unknowns, ends, uncertainty, others }: Case): Finding[] {
  if (!uncertainty || !others) return [];
  const { by, of, better } = others;
  const found: Finding[] = [];
  if (!of) return [{ kind: 'intervals', grave: false, note: 'There are too few frames for intervals by bootstrap.' }];
  if (better) found.push(betterPoint(unknowns, better));
  const values = unknowns.values(ends[0].x);
  const apart = unknowns.names.flatMap((name, i) => {
    const own = uncertainty.intervals[i];
    if (!own.every(Number.isFinite)) return [];
    const times = own.map((end, side) => (of[i][side] - values[i]) / (end - values[i]));
    return times.some((t) => !(t > 1 / MUCH_LONGER && t < MUCH_LONGER)) ? [{ name, own, other: of[i] }] : [];
  });
  if (apart.length > 0) {
    const range = ([low, high]: readonly [number, number]): string =>
      `${Number(low.toPrecision(4))} to ${Number(high.toPrecision(4))}`;
    const each = apart
      .slice(0, MAX_NAMED)
      .map(({ name, own, other }) => `${name} ${range(other)}, where the curvature says ${range(own)}`);
    const note = `By ${by} 95 % intervals are others: ${each.join('; ')}.`;
    found.push({ kind: 'intervals', grave: false, unknowns: apart.map(({ name }) => name), note });
  }
  return found;
}

/**
 * Finding of restarts about minima that none of them reached. With N starts that reached w minima the share of unseen
 * ones is w (w + 1) / (N (N - 1)) of all starts (C. G. E. Boender and A. H. G. Rinnooy Kan, Mathematical Programming
 * 37, 1987).
 */
function restartsOf({ restarts, lossUnit, ends, options }: Case): Finding[] {
  if (!restarts || lossUnit === null) return [];
  const { starts, lastGain } = restarts;
  if (lastGain !== null && lastGain > Math.min(AS_GOOD * lossUnit, MUCH_OF_LOSS * ends[0].loss))
    return [
      {
        kind: 'other minimum',
        grave: true,
        note: 'Every look around came to a better place, the last that was allowed too: a still better one is likely. Allow more hops.',
      },
    ];
  // Hops without gain tell more about this minimum, and the best of a scan are no random draws.
  const { hops, scan, starts: asked } = options.search;
  if (hops > 0 || scan > asked) return [];
  const sorted = [...starts].sort((a, b) => a - b);
  const places = sorted.filter((loss, k) => k === 0 || loss - sorted[k - 1] > AS_GOOD * lossUnit).length;
  const unseen = (places * (places + 1)) / (starts.length * (starts.length - 1));
  const isAlone = starts.length > 2 && sorted[1] - sorted[0] > AS_GOOD * lossUnit;
  if (!isAlone || unseen < AS_LIKELY_AS_NOT) return [];
  const note = `Of ${starts.length} starts only one came here, and all of them to ${places} places: a better one that none came to is likely. Allow more starts.`;
  return [{ kind: 'other minimum', grave: false, note }];
}

/** Findings of unknowns that moved by more than their standard error in the finer estimate. */
function refinementsOf({ unknowns, ends, uncertainty, verification }: Case): Finding[] {
  if (!uncertainty) return [];
  const values = unknowns.parameters(unknowns.values(ends[0].x));
  return verification.flatMap(({ refined: kind, parameters }): Finding[] => {
    const finer = kind === 'substep' ? 'half the substep' : 'a finer mesh';
    if (!parameters) return [{ kind, grave: true, note: `With ${finer} the model cannot be run at the estimate.` }];
    const moved = Object.keys(values).flatMap((name) => {
      const error = uncertainty.standardErrors[unknowns.names.indexOf(name)];
      const errors = Math.abs(parameters[name] - values[name]) / error;
      return errors > 1 ? [{ name, errors }] : [];
    });
    if (moved.length === 0) return [];
    const each = moved.map(
      ({ name, errors }) =>
        `${name} is ${told(parameters[name], values[name])} instead of ${told(values[name], parameters[name])}, ${Number(errors.toPrecision(2))} standard errors off`,
    );
    const remedy = kind === 'substep' ? 'Take more substeps' : 'Take a finer mesh';
    const note = `With ${finer} ${each.join('; ')}. ${remedy}.`;
    return [{ kind, grave: true, unknowns: moved.map(({ name }) => name), note }];
  });
}

/** A number with enough digits to differ from another. */
function told(value: number, other: number): string {
  const digits = Math.ceil(-Math.log10(Math.abs(value - other) / Math.abs(value))) + 1;
  return String(Number(value.toPrecision(Math.min(12, Math.max(4, Number.isFinite(digits) ? digits : 4)))));
}

function determinationOf(given: Case): Finding[] {
  const { unknowns, uncertainty, unexplained } = given;
  if (!uncertainty) return [];
  const { names } = unknowns;
  const { determinedBy, undetermined, residuals } = uncertainty;
  const by = (what: string): string[] => names.filter((_, i) => determinedBy[i] === what);
  const free = by('nothing').filter((name) => (unexplained[names.indexOf(name)] ?? 0) <= UNEXPLAINED);
  const priors = by('priors');
  const found: Finding[] = [];
  if (free.length > 0)
    found.push({
      kind: 'undetermined',
      grave: free.length === names.length,
      unknowns: free,
      note: [notesOf(undetermined, free), ...reasonsFor(unknowns, free)].join(' '),
    });
  if (priors.length > 0)
    found.push({ kind: 'priors', grave: false, unknowns: priors, note: priorsNote(given, priors) });
  if (residuals.measured === null)
    found.push({
      kind: 'correlation not measured',
      grave: false,
      note: 'There are too few frames and values to measure how residuals go together: standard errors take them to be independent, and are too small if they are not.',
    });
  return found;
}

/** Names the priors that standard errors come from. */
function priorsNote({ unknowns, ends, uncertainty }: Case, names: readonly string[]): string {
  const byPrior = new Map<string, string[]>();
  for (const name of names) {
    const shares = sharesOf(
      uncertainty!,
      unknowns,
      ends[0].x,
      unknowns.names.indexOf(name),
      ({ prior }) => prior !== undefined,
    );
    const most = largestShare(shares);
    // Arrays have priors of many values.
    const of = most?.[0] ?? 'its values';
    byPrior.set(of, [...(byPrior.get(of) ?? []), name]);
  }
  const each = [...byPrior].map(([prior, of]) =>
    of.length === 1 && of[0] === prior
      ? `of ${prior} from its own prior`
      : `of ${listed(of)} from the prior of ${prior}`,
  );
  return `What was seen tells little of some unknowns: most of the standard error comes ${each.join(', ')}.`;
}

/** Explanations of fields for when no observation depends on them. */
const reasonsFor = ({ blocks }: Unknowns, free: readonly string[]): string[] => [
  ...new Set(blocks.flatMap(({ name, unseen }) => (unseen && free.includes(name) ? [unseen] : []))),
];

function notesOf(undetermined: readonly UndeterminedDirection[], free: readonly string[]): string {
  const own = undetermined.filter(({ direction }) => free.some((name) => Math.abs(direction[name] ?? 0) > 0.2));
  return own[0]?.note ?? `${listed(free)} ${free.length > 1 ? 'are' : 'is'} not determined by these observations.`;
}
