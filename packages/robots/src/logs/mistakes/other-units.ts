import { median, sumOfProducts } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Robot } from '../../robot.ts';
import { rowAtAcceleration, sumOverGroups } from '../coupling/coupled.ts';
import { parametersOfRobot } from '../physical.ts';
import type { JointLog } from '../reading/joint-log.ts';
import type { Filtering, Recording } from '../recording/recording.ts';
import { rigidRegressor } from '../regressor.ts';
import type { Channel } from '../robust-fit.ts';
import { plainFit } from '../robust-fit.ts';

/** Samples of a log in which the torque against gravity is compared. */
const SAMPLES = 25;
/** A unit that is mistaken: powers of ten by which inertias and torques against gravity then differ from the model's. */
interface Mistake {
  readonly inertia: number;
  readonly gravity: number;
  readonly description: string;
  readonly hint: string;
}
const MISTAKES: readonly Mistake[] = [
  {
    inertia: 6,
    gravity: 0,
    description: 'times would be in ms',
    hint: 'Name the unit of time in the first line, as in "time [ms]".',
  },
  {
    inertia: 12,
    gravity: 0,
    description: 'times would be in us',
    hint: 'Name the unit of time in the first line, as in "time [us]".',
  },
  {
    inertia: -6,
    gravity: 0,
    description: 'times would be 1000 times too short',
    hint: 'Name the unit of time in the first line.',
  },
  {
    inertia: 3,
    gravity: 3,
    description: 'torques would be in mN m',
    hint: 'Name the unit in the first line, as in "tau1 [mNm]".',
  },
  {
    inertia: 2,
    gravity: 2,
    description: 'torques would be in N cm',
    hint: 'Name the unit in the first line, as in "tau1 [Ncm]".',
  },
  {
    inertia: -3,
    gravity: -3,
    description: 'torques would be in kN m',
    hint: 'Name the unit in the first line, as in "tau1 [kNm]".',
  },
];
/** Power of ten within which the model is believed to have inertias and moments of weight right. */
const MAX_BELIEVED_POWER = 0.7;

/**
 * Refuses logs whose times or torques are in another unit than they say: inertias and moments of weight are then off from the
 * model's by the same power of ten at every joint.
 * @throws GradsimError naming the logs, and the unit that fits.
 */
export function refuseOtherUnits(
  robot: Robot,
  logs: readonly JointLog[],
  {
    recordings,
    channels,
    order,
    filtering,
  }: {
    readonly recordings: readonly Recording[];
    readonly channels: readonly Channel[];
    readonly order: readonly number[];
    readonly filtering: Filtering;
  },
): void {
  const { base, values } = plainFit(channels, order);
  const model = parametersOfRobot(robot);
  const joints = recordings[0].columns.length;
  const zeros = new Array<number>(joints).fill(0);
  /** Torque of a regressor's row by the fit and by the model. */
  const both = (row: readonly number[]): [number, number] => [
    sumOfProducts(
      base.independent.map((p) => row[p] ?? 0),
      values,
    ),
    row.reduce((sum, y, p) => sum + y * model[p], 0),
  ];
  const inertias = zeros.flatMap((_, j): number[] => {
    return powerOf([both(rowAtAcceleration(robot, j))]);
  });
  const weights = zeros.flatMap((_, j): number[] => {
    const { positions, time, groups } = recordings[0];
    const rows = Array.from({ length: SAMPLES }, (_, k) => {
      const s = Math.floor((k * (time.length - 1)) / (SAMPLES - 1));
      const q = positions.map((of) => of[s]);
      return Array.from(sumOverGroups(groups, rigidRegressor(robot, { q, v: zeros, a: zeros }, filtering.gravity))[j]);
    });
    return powerOf(rows.map(both));
  });
  if (inertias.length === 0 || weights.length === 0) return;
  const [inertia, gravity] = [median(inertias), median(weights)];
  const isNear = (own: number, power: number): boolean => Math.abs(own - power) < MAX_BELIEVED_POWER;
  const mistake = MISTAKES.find((one) => isNear(inertia, one.inertia) && isNear(gravity, one.gravity));
  if (!mistake) return;
  throw new GradsimError(
    'robots/log-unit-unlikely',
    `${logs.map(({ name }) => name).join(', ')}: as they are, the torques need ${formatted(inertia)} times the inertias of ${robot.name} and ${formatted(gravity)} times its weights; ${mistake.description}.`,
    { hint: `${mistake.hint} If it is right, correct masses and inertias of the model.` },
  );
}

/** Power of ten between torques by the fit and by the model; none where one of them is 0. */
function powerOf(pairs: readonly [number, number][]): number[] {
  const [fit, model] = [0, 1].map((k) => Math.sqrt(pairs.reduce((sum, pair) => sum + pair[k] ** 2, 0)));
  return fit > 0 && model > 0 ? [Math.log10(fit / model)] : [];
}

const formatted = (power: number): string => String(Number((10 ** power).toPrecision(2)));
