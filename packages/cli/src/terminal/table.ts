import type { Estimate } from '@gradsim/optim';
import type { StageRecord } from '../experiment/record.ts';
import { formatError, formatEstimate, formatNumber, formatStandardError } from './numbers.ts';

/** The parameters of an estimate as lines of text: truth, estimate, error, standard error. */
export function estimateTable(estimate: Estimate): string[] {
  const parameters = Object.entries(estimate.parameters);
  if (parameters.length === 0) return [];
  const hasTruth = parameters.some(([, p]) => p.truth !== undefined);
  const rows = parameters.map(([name, p]) => [
    p.unit ? `${name} [${p.unit}]` : name,
    ...(hasTruth ? [p.truth === undefined ? '' : formatNumber(p.truth, 6)] : [formatNumber(p.initial)]),
    formatEstimate(p.estimate, p.standardError),
    ...(hasTruth ? [formatError(p.estimate, p.truth)] : []),
    ...(estimate.withoutErrors === undefined ? [formatStandardError(p.standardError, 'none')] : []),
  ]);
  const head = hasTruth ? ['parameter', 'truth', 'estimate', 'error'] : ['parameter', 'initial', 'estimate'];
  const errors = estimate.withoutErrors === undefined ? ['standard error'] : [];
  return alignColumns([[...head, ...errors], ...rows]);
}

/** Estimates of many numbers, a line each. */
export function arrayLines({ arrays }: StageRecord): string[] {
  return Object.entries(arrays).map(([name, { shape, unit, least, mean, largest, error }]) => {
    const named = unit ? `${name} [${unit}]` : name;
    const off = error === undefined ? '' : `, ${formatNumber(error, 3)} off the truth (root mean square)`;
    const [low, middle, high] = [least, mean, largest].map((value) => formatNumber(value, 4));
    return `${named}: ${shape.join(' x ')} values from ${low} to ${high}, ${middle} in the mean${off}`;
  });
}

/** Rows of cells with the first column to the left and the others to the right, and a rule below the first row. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, c) => Math.max(...rows.map((row) => row[c].length)));
  const lines = rows.map((row) =>
    row
      .map((cell, c) => (c === 0 ? cell.padEnd(widths[c]) : cell.padStart(widths[c])))
      .join('   ')
      .trimEnd(),
  );
  return [lines[0], '─'.repeat(widths.reduce((a, b) => a + b + 3, -3)), ...lines.slice(1)];
}
