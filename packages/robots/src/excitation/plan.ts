import { GradsimError } from '@gradsim/core';
import { parametersOfRobot } from '../logs/physical.ts';
import type { Payload } from '../logs/reading/joint-log.ts';
import type { Robot } from '../robot.ts';
import { factorsWithin, type JointBounds, scaledMotion, torquesAlong } from './bounds.ts';
import { type Clearance, clearanceOf } from './clearance.ts';
import { type ForetoldBar, foretellBars, foretellGains, type LogSetting } from './foretold-bars.ts';
import { excitationProblem, motionOfSeries } from './problem.ts';
import { chirpAt, type MotionSamples, seriesAt, timesOf } from './series.ts';

/** Options of {@link planExcitation}. */
export interface ExcitationOptions extends LogSetting {
  readonly bounds: readonly JointBounds[];
  readonly seconds: number;
  /** Highest frequency of the motion, Hz. */
  readonly frequency: number;
  /** Samples a second of the motion, and of the log. */
  readonly rate: number;
  /** Searches, from starts of their own; the best one is taken. */
  readonly starts: number;
  /** Meshes of the robot's links keep so far from each other, m, where `links` has them; 0: they may touch. */
  readonly clearance: number;
  /** Payload of a second run, of which it is foretold what it tells of gains. */
  readonly payload?: Payload;
}

/** A motion that excites what a robot's torques depend on, and the standard errors that a log of it will give. */
export interface Excitation {
  readonly motion: MotionSamples;
  /** Torques by the model: [joint][sample], N m or N. */
  readonly torques: readonly Float64Array[];
  readonly bars: readonly ForetoldBar[];
  /** The same of the motion run twice. */
  readonly predictedIfRunTwice: readonly ForetoldBar[];
  /** The same of a chirp of all joints at once, as long, about the same centre and within the same bounds. */
  readonly chirp: readonly ForetoldBar[];
  /** Relative standard errors of unknown gains by joint, if the motion is run again with the payload. */
  readonly gains?: readonly number[];
  /** Names of links that are not kept apart, as they are too near where all joints are in the middle of their ranges. */
  readonly uncheckedPairs: Clearance['uncheckedPairs'];
}

/** Minimises a function with its gradient from a start. */
export type Minimise = (
  start: Float64Array,
  evaluate: (x: Float64Array) => { readonly loss: number; readonly gradient: Float64Array },
) => Float64Array;

/** Samples in a period of the highest frequency: those of the search, and those by which bounds are held. */
const SAMPLES = { search: 12, bounds: 60 };
/** Weights of the squares by which bounds are exceeded, one search after the other. */
const BOUND_WEIGHTS = [30, 1000] as const;
/** Rate over which dry friction turns around for the search, as a part of the bound of the speed: a sharper turn hides its slope. */
const REVERSAL_RATE = 0.03;

/**
 * Plans an excitation: series of sines and cosines by joint, which begin and end at rest, whose coefficients make the mean
 * logarithm of the standard errors of the base parameters least, within bounds of position, speed, acceleration and
 * torque. It is then made smaller until links keep their clearance; what is around the robot is not known.
 * @throws GradsimError if nowhere that was tried the torques of the model hold the robot and its links keep their clearance.
 */
export function planExcitation(robot: Robot, options: ExcitationOptions, minimise: Minimise): Excitation {
  const { bounds, seconds, frequency, rate, starts, payload, clearance, ...setting } = options;
  const series = seriesAt(timesOf(seconds, 1 / (SAMPLES.search * frequency)), seconds, frequency);
  const dense = seriesAt(timesOf(seconds, 1 / (SAMPLES.bounds * frequency)), seconds, frequency);
  const parameters = parametersOfRobot(robot);
  const frictionWidth = Math.max(setting.frictionWidth, REVERSAL_RATE * Math.min(...bounds.map(({ speed }) => speed)));
  const searched = { ...setting, bounds, rate, frictionWidth };
  const torquesOf = (motion: MotionSamples): Float64Array[] => torquesAlong(robot, parameters, motion, setting);
  const { isFree, uncheckedPairs } = clearanceOf(
    clearance > 0 ? robot : withoutMeshes(robot),
    bounds.map(({ lower, upper }) => (lower + upper) / 2),
    clearance,
  );
  let best: { readonly loss: number; readonly x: Float64Array; readonly centre: number[] } | undefined;
  for (let start = 0; start < starts; start++) {
    const problem = excitationProblem(robot, series, searched, start + 1);
    let x = problem.start;
    for (const strictness of BOUND_WEIGHTS) x = minimise(x, (at) => problem.evaluate(at, strictness));
    const { samples, centre: free } = motionOfSeries(bounds, x, dense);
    const centre = free.map((c, j) => Math.min(Math.max(c, bounds[j].lower), bounds[j].upper));
    const by = factorsWithin(samples, centre, bounds, torquesOf, isFree);
    if (!by) continue;
    const size = x.length / bounds.length;
    const inside = x.map((value, k) => {
      const j = Math.floor(k / size);
      const { lower, upper } = bounds[j];
      return k % size === 0 ? (2 * centre[j] - lower - upper) / (upper - lower) : value * by[j];
    });
    const { loss } = problem.evaluate(inside, 0);
    if (!best || loss < best.loss) best = { loss, x: inside, centre };
  }
  if (!best)
    throw new GradsimError(
      'robots/plan-torque',
      `${robot.name}: its greatest torques do not hold it still about the centre of the motion, by the masses of the model, or its links touch there.`,
      { hint: 'Raise torque, lower the range of its joints or the clearance, or correct the masses.' },
    );
  const times = timesOf(seconds, 1 / rate);
  const planned = motionOfSeries(bounds, best.x, seriesAt(times, seconds, frequency)).samples;
  return {
    motion: planned,
    torques: torquesOf(planned),
    bars: foretellBars(robot, [planned], setting),
    predictedIfRunTwice: foretellBars(robot, [planned, planned], setting),
    chirp: foretellBars(robot, [chirpWithin(times, options, best.centre, torquesOf, isFree)], setting),
    uncheckedPairs,
    ...(payload && { gains: foretellGains(robot, planned, payload, setting) }),
  };
}

/** A chirp of all joints at once, as large as bounds allow. */
function chirpWithin(
  time: Float64Array,
  { bounds, seconds, frequency }: ExcitationOptions,
  centre: readonly number[],
  torquesOf: (motion: MotionSamples) => readonly Float64Array[],
  isFree: (coordinates: readonly number[]) => boolean,
): MotionSamples {
  const { values, rates, accelerations } = chirpAt(time, seconds, frequency);
  const room = bounds.map(({ lower, upper }, j) => Math.min(upper - centre[j], centre[j] - lower));
  const large = {
    time,
    positions: centre.map((c, j) => values[0].map((x) => c + room[j] * x)),
    rates: centre.map((_, j) => rates[0].map((x) => room[j] * x)),
    accelerations: centre.map((_, j) => accelerations[0].map((x) => room[j] * x)),
  };
  const by = factorsWithin(large, centre, bounds, torquesOf, isFree) ?? centre.map(() => 0);
  return scaledMotion(large, centre, by);
}

const withoutMeshes = (robot: Robot): Robot => ({
  ...robot,
  links: robot.links.map(({ values: { mesh: _, ...values }, ...link }) => ({ ...link, values })),
});
