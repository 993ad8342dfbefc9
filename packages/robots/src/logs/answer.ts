import { sum } from '@gradsim/base';
import type { Robot } from '../robot.ts';
import { type Scatter, scatterOf } from './adequacy/scatter.ts';
import { baseOf, namesOfBase, namesOfDependent } from './base-parameters.ts';
import { calibratedRobot, drawRobots } from './calibrated-robot.ts';
import { covarianceOfBlocks } from './covariance.ts';
import type { DelayDirection } from './delay.ts';
import type { Identification } from './identification.ts';
import { ofRobotAlone } from './mistakes/zeros.ts';
import type { Parameter } from './parameter-names.ts';
import { type PhysicalRobot, parametersOf, parametersOfRobot } from './physical.ts';
import { isWithoutBody, type Recording } from './recording/recording.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS } from './regressor.ts';
import type { Channel, Fit } from './robust-fit.ts';

/** A fit of a robot's parameters, and the physical robot nearest to it. */
export interface Evidence {
  readonly robot: Robot;
  readonly namedParameters: readonly Parameter[];
  readonly recordings: readonly Recording[];
  readonly channels: readonly Channel[];
  readonly fit: Fit;
  readonly direction: DelayDirection | undefined;
  readonly physical: PhysicalRobot;
  /** Typical torque, N m. */
  readonly torque: number;
  readonly hasLoad: boolean;
  /** Standard errors if samples were independent, which are the least where noise is that of each sample: by unknown. */
  readonly leastErrors?: readonly number[];
  /** Changes of the values of the fit with each gain of torques that is known with an error, by its standard error. */
  readonly ofGains: readonly (readonly number[])[];
}

/** Parameters, combinations and their errors, of a fit. */
export type Answer = Pick<
  Identification,
  'robot' | 'combinations' | 'covariance' | 'draw' | 'undetermined' | 'parameters'
> & { readonly scatter: Scatter };

/** Says what a fit tells of a robot, with errors by blocks of its residuals, or by the scatter of its parts. */
export function answerOf({
  robot,
  namedParameters,
  recordings,
  channels,
  fit,
  direction,
  physical,
  torque,
  hasLoad,
  leastErrors = [],
  ofGains,
}: Evidence): Answer {
  const names = namedParameters.map(({ name }) => name);
  const parameters = parametersOf(physical.bodies, physical.joints);
  const covariance = covarianceOfBlocks(fit, direction, channels, recordings);
  const ofBlocks = covariance.map((row, i) => Math.max(Math.sqrt(row[i]), leastErrors[i] ?? 0));
  const scatter = scatterOf(fit, direction, channels, recordings, ofBlocks);
  const ofRobot = ofRobotAlone(fit, namedParameters.length);
  const { base } = ofRobot;
  const first = fit.base.independent.length - base.independent.length;
  const used = (p: number): boolean => (hasLoad || !isLoadFriction(robot, p)) && !isOfBase(robot, p);
  const errors = base.independent.map((_, i) =>
    Math.hypot(scatter.widenedErrors[first + i], ...ofGains.map((change) => change[first + i])),
  );
  const grown = errors.map(
    (_, i) => scatter.widenedErrors[first + i] / (Math.sqrt(covariance[first + i][first + i]) || 1),
  );
  const own = errors.map((_, i) =>
    errors.map(
      (__, k) =>
        covariance[first + i][first + k] * grown[i] * grown[k] +
        sum(ofGains.map((change) => change[first + i] * change[first + k])),
    ),
  );
  const combined = namesOfBase(base, names);
  const combinations = baseOf(base, parameters).map((estimate, i) => ({
    name: combined[i],
    unit: namedParameters[base.independent[i]].unit,
    estimate,
    standardError: errors[i],
    scatter: {
      quarters: scatter.quarters[first + i],
      ...(scatter.recordings && { recordings: scatter.recordings[first + i] }),
    },
    isWidened: scatter.widenedErrors[first + i] > ofBlocks[first + i],
    valueFor: (other: Robot) => baseOf(base, parametersOfRobot(other))[i],
  }));
  const untold = base.dependent.filter((p) => used(p) && !isOfFixedLink(robot, p));
  const undetermined = namesOfDependent(base, names, (p) => untold.includes(p)).map((name, k) => ({
    name,
    unit: namedParameters[untold[k]].unit,
    estimate: parameters[untold[k]],
    standardError: Number.POSITIVE_INFINITY,
  }));
  const single = namedParameters.flatMap(({ name, unit }, p) => {
    if (!used(p)) return [];
    const i = base.independent.indexOf(p);
    const isAlone = i >= 0 && base.mix[i].every((c) => c === 0);
    return [{ name, unit, estimate: parameters[p], standardError: isAlone ? errors[i] : Number.POSITIVE_INFINITY }];
  });
  return {
    robot: calibratedRobot(robot, physical),
    combinations,
    covariance: own,
    draw: (options) => drawRobots(robot, physical, ofRobot, own, { torque, hasLoad }, options),
    undetermined,
    parameters: single,
    scatter,
  };
}

/** True for a parameter that a base does not have: of a link without mass that stands for its motion, or of its joints. */
function isOfBase({ links }: Robot, p: number): boolean {
  const k = Math.floor(p / LINK_PARAMETERS.length);
  if (k < links.length) return isWithoutBody(links[k]);
  const moved = links.filter(({ values }) => values.joint !== 'fixed');
  return moved[Math.floor((p - LINK_PARAMETERS.length * links.length) / JOINT_PARAMETERS.length)].isOfBase === true;
}

/** True for friction by load, which robot files do not have. */
const isLoadFriction = ({ links }: Robot, p: number): boolean => {
  const own = p - LINK_PARAMETERS.length * links.length;
  return own >= 0 && JOINT_PARAMETERS[own % JOINT_PARAMETERS.length] === 'loadFriction';
};

/** True for a parameter that a motion could determine: of what moves, and in a robot file. */
export const isToldApart = (robot: Robot, p: number): boolean =>
  !isLoadFriction(robot, p) && !isOfBase(robot, p) && !isOfFixedLink(robot, p);

/** True for a parameter of a link that does not move against its parent. */
const isOfFixedLink = ({ links }: Robot, p: number): boolean =>
  links[Math.floor(p / LINK_PARAMETERS.length)]?.values.joint === 'fixed';
