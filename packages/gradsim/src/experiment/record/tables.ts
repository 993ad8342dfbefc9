import type { DerivedEstimate, Estimate, ParameterEstimate } from '@gradsim/optim';
import { alignColumns } from '../../terminal/align-columns.ts';
import { formatError, formatEstimate, formatNumber, formatStandardError } from '../../terminal/numbers.ts';
import { notableGiven, otherGivenSentence } from './notable-given.ts';
import type { StageRecord } from './record.ts';

/**
 * Parameters of an estimate as lines of text, with the truth, estimate and error, or the initial value and estimate if
 * no truth is known, and the standard errors.
 */
export function estimateTable(estimate: Estimate): string[] {
  const parameters = Object.entries(estimate.parameters);
  if (parameters.length === 0) return [];
  const hasTruth = parameters.some(([, p]) => p.truth !== undefined);
  const rows = parameters.map(([name, p]) => [
    p.unit ? `${name} [${p.unit}]` : name,
    ...(hasTruth ? [p.truth === undefined ? '' : formatNumber(p.truth, 6)] : [formatNumber(p.initial)]),
    formatEstimate(p.estimate, p.standardError),
    ...(hasTruth ? [formatError(p.estimate, p.truth)] : []),
    ...(estimate.withoutErrors === undefined
      ? [formatStandardError(p.standardError, 'none', p.interval, p.estimate)]
      : []),
  ]);
  const head = hasTruth ? ['parameter', 'truth', 'estimate', 'error'] : ['parameter', 'initial', 'estimate'];
  const errors = estimate.withoutErrors === undefined ? ['standard error'] : [];
  return alignColumns([[...head, ...errors], ...rows]);
}

/** Estimated array parameters as text, one line each. */
export function arrayLines({ arrays }: StageRecord): string[] {
  return Object.entries(arrays).map(([name, { shape, unit, least, mean, largest, error }]) => {
    const named = unit ? `${name} [${unit}]` : name;
    const off = error === undefined ? '' : `, ${formatNumber(error, 3)} off the truth (root mean square)`;
    const [low, middle, high] = [least, mean, largest].map((value) => formatNumber(value, 4));
    return `${named}: ${shape.join(' x ')} values from ${low} to ${high}, ${middle} in the mean${off}`;
  });
}

/** Derived quantities as lines of text; empty without any. */
export function derivedTable({ derived, withoutErrors }: StageRecord): string[] {
  const all = Object.entries(derived);
  if (all.length === 0) return [];
  const hasTruth = all.some(([, d]) => d.truth !== undefined);
  const rows = all.map(([name, { estimate, standardError, interval, unit, truth }]) => [
    unit ? `${name} [${unit}]` : name,
    ...(hasTruth ? [truth === undefined ? '' : formatNumber(truth, 6)] : []),
    formatEstimate(estimate, standardError),
    ...(hasTruth ? [formatError(estimate, truth)] : []),
    ...(withoutErrors === undefined ? [formatStandardError(standardError, 'none', interval, estimate)] : []),
  ]);
  const head = hasTruth ? ['derived', 'truth', 'value', 'error'] : ['derived', 'value'];
  return ['', ...alignColumns([[...head, ...(withoutErrors === undefined ? ['standard error'] : [])], ...rows])];
}

/** Given quantities that matter as lines of text: measured value, and value in the fit; empty without any. */
export function givenTable(record: StageRecord): string[] {
  const chosen = notableGiven(record);
  const others = otherGivenSentence(chosen);
  const rows = chosen.notable.map(([name, { value, tolerance, estimate, standardError, unit }]) => [
    unit ? `${name} [${unit}]` : name,
    formatNumber(value, 6),
    formatNumber(tolerance, 2),
    formatEstimate(estimate, standardError),
    formatStandardError(standardError, 'none'),
  ]);
  const head = ['given', 'measured', 'tolerance', 'with the film', 'standard error'];
  return [
    ...(rows.length > 0 ? ['', ...alignColumns([head, ...rows])] : []),
    ...(others === undefined ? [] : ['', others]),
  ];
}

/** 95 % intervals from a profile likelihood or a bootstrap, beside those from the loss curvature, one line each. */
export function intervalLines({ parameters, derived }: StageRecord): string[] {
  const told = (ends: readonly [number, number] | null, digits: number): string =>
    ends ? ends.map((end) => formatNumber(end, digits)).join(' to ') : 'none';
  const all: [string, ParameterEstimate | DerivedEstimate][] = [
    ...Object.entries(parameters),
    ...Object.entries(derived),
  ];
  return all.flatMap(([name, found]) => {
    const { interval, bootstrap, estimate } = found;
    const profile = 'profile' in found ? found.profile : undefined;
    const other = profile ?? bootstrap;
    if (!other) return [];
    const digits = Math.ceil(Math.log10(Math.abs(estimate) / (other[1] - other[0]))) + 3;
    const shown = Math.min(9, Math.max(4, Number.isFinite(digits) ? digits : 4));
    const how = profile ? 'profile' : 'bootstrap';
    return [`${name}, 95 %: ${told(other, shown)} by ${how}, ${told(interval, shown)} by the curvature.`];
  });
}

/** Parameters of the refined estimate, one line each. */
export function verificationLines({ verification, parameters }: StageRecord): string[] {
  return verification.map(({ refined, parameters: finer }) => {
    const how = refined === 'substep' ? 'With half the substep' : 'With a finer mesh';
    if (!finer) return `${how}: the model cannot be run.`;
    const each = Object.entries(finer).map(([name, value]) => {
      const { estimate, standardError } = parameters[name];
      const moved = (value - estimate) / (standardError ?? Number.NaN);
      const errors = Number.isFinite(moved)
        ? ` (${moved < 0 ? '-' : '+'}${formatNumber(Math.abs(moved), 2)} standard errors)`
        : '';
      return `${name} ${formatEstimate(value, standardError)}${errors}`;
    });
    return `${how}: ${each.join(', ')}.`;
  });
}
