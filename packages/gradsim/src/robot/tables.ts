import type { Identification, Identified, Robot } from '@gradsim/robots';
import { formatEstimate, formatNumber, formatStandardError, formatUnit } from '../terminal/numbers.ts';
import type { TorqueErrors } from './torque-errors.ts';

/** Rows of what the motion determines, the first of them names. */
export const parameterRows = (
  { combinations, delay, zeros, torqueSensors }: Identification,
  model: Robot,
): string[][] => [
  ['parameter', 'estimate', 'standard error', 'unit', 'scatter', 'as given'],
  ...combinations.map(({ scatter, valueFor, ...one }) => [
    ...estimateCells(one),
    [scatter.quarters, ...(scatter.recordings === undefined ? [] : [scatter.recordings])]
      .map((x) => String(Number(x.toPrecision(2))))
      .join(', '),
    formatNumber(valueFor(model), 4),
  ]),
  ...[delay, ...zeros, ...torqueSensors].map((one) => [...estimateCells(one), '', '']),
];

const estimateCells = ({ name, unit, estimate, standardError }: Identified): string[] => [
  name,
  formatEstimate(estimate, standardError),
  formatStandardError(standardError, ''),
  formatUnit(unit),
];

/** Rows of ratios of parameters, the first of them names. */
export const ratioRows = (ratios: readonly Identified[]): string[][] => [
  ['ratio', 'estimate', 'standard error', 'unit'],
  ...ratios.map(estimateCells),
];

/** Headings of {@link torqueRows}. */
export const torqueHeading = (band: number): string =>
  `Torques below ${band} Hz, root mean square, and errors by the model as given, calibrated, and by a fit to that log alone:`;

/** Rows of the errors of predicted torques, the first of them names. */
export const torqueRows = (torques: readonly TorqueErrors[]): string[][] => [
  ['log', 'joint', 'torque', 'noise', 'as given', 'calibrated', 'fit alone', 'unit'],
  ...torques.map(({ log, isHeldOut, joint, unit, torque, noise, given, calibrated, leftByOwnFit }) => [
    isHeldOut ? `${log}, held out` : log,
    joint,
    ...[torque, noise, given, calibrated].map((x) => formatNumber(x, 3)),
    leftByOwnFit === undefined ? '' : formatNumber(leftByOwnFit, 3),
    unit,
  ]),
];

/** Sentences on what the motion does not determine: combinations, and single parameters that act in no torque. */
export function undeterminedLines({ undetermined }: Identification): string[] {
  const names = undetermined.map(({ name }) => name);
  const isCombination = (name: string): boolean => / [+-] /.test(name);
  const single = names.filter((name) => !isCombination(name));
  return [
    ...names.filter(isCombination).map((name) => `Not determined by the motion: ${name}`),
    ...(single.length > 0 ? [`Not determined by the motion: ${single.join(', ')}`] : []),
  ];
}
