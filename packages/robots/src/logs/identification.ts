import type { Vector } from '@gradsim/base';
import type { Robot } from '../robot.ts';
import type { Stretch } from './adequacy/stretches.ts';
import type { Trial } from './adequacy/trials.ts';
import type { DrawOptions } from './calibrated-robot.ts';
import type { Identified } from './identified.ts';
import type { JointLog } from './reading/joint-log.ts';
import type { Spikes } from './reading/spikes.ts';

/** Options of `identifyRobot`. */
export interface IdentifyOptions {
  /** Gravity in the robot's axes, m/s^2. Default: that of the model, else (0, 0, -9.81). */
  readonly gravity?: Vector;
  /** Frequency up to which positions are believed when they are differentiated, Hz. Default 15. */
  readonly motionBand?: number;
  /** Frequency up to which torques are compared, Hz. Default 5. */
  readonly torqueBand?: number;
  /** Rate at which dry friction reaches three quarters of its maximum, rad/s or m/s. Default 0.02. */
  readonly frictionWidth?: number;
  /**
   * True to estimate dry friction that grows with the load of a joint, as in gears (Hamon, Gautier and Garrec 2010).
   * Robot files have no such number. Default false.
   */
  readonly loadFriction?: boolean;
  /** Greatest delay of torques against positions that is tried, either way, s. Default 0.03; 0: none is estimated. */
  readonly delay?: number;
  /**
   * Seconds above 0 say that positions count from another zero in each log, as those of incremental encoders do, which are
   * set to zero where a robot happens to stand. Zeros of fitted logs are unknowns, against that of the first; those of a log
   * that is foretold come from so many seconds at its beginning. Default 0: all count from that of the model.
   */
  readonly zeros?: number;
  /**
   * `unknown` for torques in a unit of their own, such as the current of a motor: each joint's gain, logged per N m or N, is
   * estimated. A gain and the masses scale alike: where the robot carries a known payload in some of the logs, gains come of
   * that; else the masses, centres and inertias of the model must be right on the whole, and gains are those by which they
   * explain the torques best. Default `known`: torques are logged in N m or N.
   */
  readonly torqueGain?: 'known' | 'unknown';
  /** `unknown` for torques that do not count from zero: each joint's bias is estimated. Default `known`: there is none. */
  readonly torqueBias?: 'known' | 'unknown';
}

/** A combination of parameters that the motion determines. */
export interface IdentifiedCombination extends Identified {
  /** Standard error as estimates of quarters of the recordings scatter, and as those of recordings do, if there are several. */
  readonly scatter: { readonly quarters: number; readonly recordings?: number };
  /** True if its standard error is that of a scatter, which contradicts the one of blocks. */
  readonly isWidened: boolean;
  /** Its value for another robot of the same links, such as one with published parameters. */
  readonly valueFor: (robot: Robot) => number;
}

/** A calibrated robot. */
export interface Identification {
  /** The robot with the estimated masses, centres, inertias, armatures, damping and dry friction. */
  readonly robot: Robot;
  /** Combinations of parameters that the motion determines. */
  readonly combinations: readonly IdentifiedCombination[];
  /** Their covariance, by rows, widened as their standard errors are. */
  readonly covariance: readonly (readonly number[])[];
  /**
   * Draws physical robots that the logs allow, as domain randomisation needs them: combinations by their covariance, and what
   * the motion does not determine from a range around the calibrated robot.
   */
  readonly draw: (options: DrawOptions) => Robot[];
  /** Terms that the model is without, tried beside it: what each would foretell better, and what it would change. */
  readonly trials: () => readonly Trial[];
  /** Spikes of the logs, which are left out. */
  readonly spikes: readonly Spikes[];
  /** Stretches of the logs that hardly count, since nothing in the model explains their torques. */
  readonly stretches: readonly Stretch[];
  /**
   * Combinations that it does not: along each, parameters can change without any change of torques. Those of links that
   * do not move against their parents are left out: no motion tells them from the parents', or they act in no torque.
   */
  readonly undetermined: readonly Identified[];
  /** Parameters one by one, in SI units, as the calibrated robot has them. */
  readonly parameters: readonly Identified[];
  /** Time by which torques are logged later than positions, s. */
  readonly delay: Identified;
  /** Zeros of positions in each log but the first, rad or m, if they are unknown. */
  readonly zeros: readonly Identified[];
  /** `identifyByReplay`: whether a replay fits the positions; where none does, the answer is that of inverse dynamics, and `cause` says why. */
  readonly replay?: { readonly isFitted: boolean; readonly cause?: string };
  /** Gain and bias of each joint's logged torque, as they are unknown. */
  readonly torqueSensors: readonly Identified[];
  /** A log with torques in N m or N, by the gain and bias found. */
  readonly corrected: (log: JointLog) => JointLog;
  /**
   * Torques that the calibrated robot needs for the motion of a log, in the band of torques: [joint][sample], beside
   * those measured, and those in the band.
   */
  readonly predictTorques: (log: JointLog) => PredictedTorques;
}

/** Torques of a log, N m or N, at evenly spaced times: [joint][sample]. Joints that follow others are in those that they follow. */
export interface PredictedTorques {
  readonly time: Float64Array;
  /** Coordinates and rates of the joints, filtered, rad or m, rad/s or m/s, as links have them: [joint][sample]. */
  readonly positions: readonly Float64Array[];
  readonly rates: readonly Float64Array[];
  readonly predicted: readonly Float64Array[];
  readonly measured: readonly Float64Array[];
  /** First sample that no zero of positions was found from. */
  readonly from: number;
  /** 1 where a joint slides, 0 where it may stick or turn around, and at the ends: [joint][sample]. */
  readonly slides: readonly Float64Array[];
  /** Noise of the measured torques in the band, root mean square, by joint; 0 if it is not known. */
  readonly noise: readonly number[];
  /** The measured torques without what is above the band. */
  readonly inBand: readonly Float64Array[];
}
