import type { AnyCheck, Check, Finding } from '@gradsim/optim';
import { findingsOf, isTrusted } from '@gradsim/optim';
import type { Identification, Trial } from '@gradsim/robots';
import { formatNumber } from '../terminal/numbers.ts';
import type { TorqueErrors } from './torque-errors.ts';
import { judgedTogether } from './torque-errors.ts';

/** Verdict on a calibrated robot: trusted or not, and why. */
export interface CalibrationVerdict {
  /** Null if no log is held out, so that nothing checks it. */
  readonly trusted: boolean | null;
  readonly findings: readonly Finding[];
}

/** Subject of the checks of a calibration. */
interface Calibration
  extends Pick<Identification, 'combinations' | 'delay' | 'parameters' | 'replay' | 'spikes' | 'stretches'> {
  readonly trials: readonly Trial[];
  /** Names of the joints with an axis. */
  readonly joints: readonly string[];
  readonly torques: readonly TorqueErrors[];
  /** False of a format without armature, URDF. */
  readonly holdsArmature: boolean;
  /** True if each log has its own zeros of positions. */
  readonly hasZeros: boolean;
}

/** Greatest error of predicted torques, relative to what a fit to the held-out log itself leaves. */
const MAX_ERROR_RATIO = 1.2;
/** The same, relative to what is left in fitted logs, of a log that is too short for a fit of its own. */
const NEAR_OTHERS = 1.5;
/** Error of a torque, relative to the torque, that counts as small, and that a right model does not leave. */
const [SMALL, LARGE] = [0.01, 0.03];
/** Error of a torque, relative to its noise in the band, that noise explains. */
const MAX_NOISE_RATIO = 3;
/** Part of the squared errors of foretold blocks that a term must take away to be lacking, and one that no chance takes. */
const [LACKING, SURELY] = [0.03, 0.06];
/** Standard errors that the coefficient of a term must be from 0: at fixed weights they are two thirds of those of a robust fit. */
const MIN_SIGNIFICANCE = 3;
/** Standard errors by which a lacking term may move a parameter. */
const MAX_PARAMETER_SHIFT = 2;
/** Part of the gain of the best term from which on others count as like it. */
const MIN_GAIN_SHARE = 0.6;
/** Standard errors and samples by which torques come before the motion that they cause. */
const ACAUSAL_LIMITS = { errors: 3, seconds: 0.003 };
const ARMATURE = 'armature of ';
/** Times that a finding lists at most. */
const MAX_LISTED = 8;

const heldOut = ({ torques }: Calibration): TorqueErrors[] => torques.filter(({ isHeldOut }) => isHeldOut);
const three = (x: number): string => formatNumber(x, 3);
const percent = (x: number): string => `${Number((100 * x).toPrecision(2))} %`;

const notChecked: Check<Calibration> = {
  kind: 'not checked',
  rank: 30,
  isCritical: false,
  find: (calibration) =>
    heldOut(calibration).length === 0 && {
      note: 'No log is held out, so nothing checks the calibrated robot: give one that is not fitted with --hold-out FILE.',
    },
};

const lacking: Check<Calibration> = {
  kind: 'lacking',
  rank: 10,
  isCritical: true,
  find: ({ trials }) => {
    const better = trials
      .filter(({ gain, significance }) => gain > SURELY || (gain > LACKING && significance > MIN_SIGNIFICANCE))
      .sort((a, b) => b.gain - a.gain);
    const [best] = better;
    if (!best) return [];
    const others = better.filter(({ gain, kind }) => gain > MIN_GAIN_SHARE * best.gain && kind !== best.kind);
    const also = [...new Set(others.map(({ name }) => name))];
    const shift = Math.max(...better.map((one) => one.shift));
    return {
      isCritical: best.gain > SURELY || shift > MAX_PARAMETER_SHIFT,
      note: `The model lacks something: parts of the logs are foretold with ${percent(best.gain)} less squared error if it has ${best.name}.${also.length > 0 ? ` Nearly as much is had from ${also.join('; ')}.` : ''} What was estimated takes its place, and moves by up to ${Number(shift.toPrecision(2))} standard errors with it.`,
    };
  },
};

const unexplained: Check<Calibration> = {
  kind: 'unexplained',
  rank: 20,
  isCritical: true,
  find: ({ torques }) =>
    judgedTogether(torques)
      .filter(({ torque, noise, calibrated }) => calibrated > Math.max(LARGE * torque, MAX_NOISE_RATIO * noise))
      .map(({ log, joint, unit, torque, calibrated, noise }) => ({
        note: `${log}: the calibrated robot leaves ${three(calibrated)} ${unit} of the torque of "${joint}", ${percent(calibrated / torque)} of it${noise > 0 ? ` and ${Number((calibrated / noise).toPrecision(2))} times its noise` : ''}; a right model leaves less than ${percent(LARGE)}, or what noise explains.${calibrated > torque / 2 ? ' Look at units, signs and the order of joints in the log, and at axes and gravity of the model.' : ''}`,
      })),
};

const notPredicted: Check<Calibration> = {
  kind: 'not predicted',
  rank: 25,
  isCritical: true,
  find: (calibration) =>
    heldOut(calibration).flatMap(({ log, joint, unit, torque, noise, calibrated, leftByOwnFit }) => {
      const fitted = calibration.torques.filter((one) => !one.isHeldOut && one.joint === joint);
      const usual = Math.max(...fitted.map((one) => Math.max(one.calibrated, (one.calibrated / one.torque) * torque)));
      const [factor, against] = leftByOwnFit === undefined ? [NEAR_OTHERS, usual] : [MAX_ERROR_RATIO, leftByOwnFit];
      if (calibrated <= Math.max(factor * against, SMALL * torque, noise)) return [];
      const of = leftByOwnFit === undefined ? 'is left in fitted logs' : 'a fit to that log alone leaves';
      return {
        note: `${log}: the torque of "${joint}" is predicted with an error of ${three(calibrated)} ${unit}, which is more than ${factor} times the ${three(against)} ${unit} that ${of}. What was estimated does not hold for both recordings.${calibration.hasZeros ? '' : ' If encoders count from where they were switched on, each log has zeros of its own: --set zeros=2, seconds.'}`,
      };
    }),
};

const noBetter: Check<Calibration> = {
  kind: 'no better',
  rank: 40,
  isCritical: true,
  find: (calibration) =>
    heldOut(calibration)
      .filter(({ given, calibrated, torque }) => calibrated >= given && calibrated > SMALL * torque)
      .map(({ log, joint, unit, given, calibrated }) => ({
        note: `${log}: the model as given predicts the torque of "${joint}" no worse, with an error of ${three(given)} ${unit}, than the calibrated one, ${three(calibrated)} ${unit}.`,
      })),
};

const delayAtEnd: Check<Calibration> = {
  kind: 'delay',
  rank: 5,
  isCritical: true,
  find: ({ delay }) =>
    !Number.isFinite(delay.standardError) && {
      note: `The best ${delay.name}, ${three(delay.estimate)} s, is the greatest that was tried: the clocks of positions and torques may differ by more (--set delay=SECONDS), and what was estimated makes up for it.`,
    },
};

const acausal: Check<Calibration> = {
  kind: 'acausal',
  rank: 50,
  isCritical: false,
  find: ({ delay: { name, estimate, standardError } }) =>
    name === 'delay of torques' &&
    -estimate > Math.max(ACAUSAL_LIMITS.errors * standardError, ACAUSAL_LIMITS.seconds) && {
      note: `Torques are logged ${three(-1000 * estimate)} ms before the motion that they cause: what is logged may be a command, positions may be filtered or come late, or friction is of another law.`,
    },
};

const notReplayed: Check<Calibration> = {
  kind: 'not replayed',
  rank: 51,
  isCritical: false,
  find: ({ replay }) =>
    replay?.isFitted === false && {
      note: `No simulation of the robot that is told these commands was fitted to the positions: ${replay.cause}. Estimates are those of inverse dynamics, which noise of encoders makes less exact than their standard errors say.`,
    },
};

const spikes: Check<Calibration> = {
  kind: 'spikes',
  rank: 52,
  isCritical: false,
  find: (calibration) =>
    calibration.spikes.map(({ log, joint, quantity, seconds }) => ({
      note: `${log}: ${seconds.length} ${seconds.length > 1 ? 'spikes' : 'spike'} in ${quantity} of "${calibration.joints[joint]}" ${seconds.length > 1 ? 'are' : 'is'} left out, at ${seconds
        .slice(0, MAX_LISTED)
        .map((t) => Number(t.toFixed(3)))
        .join(', ')}${seconds.length > MAX_LISTED ? ` and ${seconds.length - MAX_LISTED} other times` : ''} s.`,
    })),
};

const stretches: Check<Calibration> = {
  kind: 'stretches',
  rank: 54,
  isCritical: false,
  find: (calibration) => {
    const keys = [...new Set(calibration.stretches.map(({ log, joint }) => `${log}\n${joint}`))];
    return keys.map((key) => {
      const own = calibration.stretches.filter(({ log, joint }) => `${log}\n${joint}` === key);
      const at = own.slice(0, MAX_LISTED).map(({ from, to }) => `${from.toFixed(1)} to ${to.toFixed(1)}`);
      return {
        note: `${own[0].log}: nothing in the model explains the torque of "${calibration.joints[own[0].joint]}" from ${at.join(', ')} s${own.length > MAX_LISTED ? ` and in ${own.length - MAX_LISTED} other stretches` : ''}, which hardly count: look for contact${calibration.delay.name === 'delay of commands' ? ', a servo at its greatest torque,' : ''} or a push from outside.`,
      };
    });
  },
};

const widened: Check<Calibration> = {
  kind: 'widened',
  rank: 56,
  isCritical: false,
  find: ({ combinations }) => {
    const names = combinations.filter(({ isWidened }) => isWidened).map(({ name }) => name);
    return (
      names.length > 0 && {
        note: `Quarters of the logs, or logs, scatter by more than the standard errors of blocks say, so these are widened to the scatter: ${names.join('; ')}.`,
      }
    );
  },
};

const weak: Check<Calibration> = {
  kind: 'weak',
  rank: 60,
  isCritical: false,
  find: ({ combinations }) => {
    const below = combinations.filter(({ estimate, standardError }) => standardError > Math.abs(estimate));
    const names = below.map(({ name }) => name).join('; ');
    return below.length > 0 && { note: `Estimates below their standard error: ${names}.` };
  },
};

const armatureLost: Check<Calibration> = {
  kind: 'armature',
  rank: 70,
  isCritical: false,
  find: ({ parameters, holdsArmature }) => {
    // One that the motion does not tell from the inertia of links is in these.
    const armatures = parameters.flatMap(({ name, estimate, standardError }) =>
      name.startsWith(ARMATURE) && estimate > 2 * standardError
        ? [`${name.slice(ARMATURE.length)} ${three(estimate)}`]
        : [],
    );
    return (
      !holdsArmature &&
      armatures.length > 0 && {
        note: `URDF has no place for the inertia of motors: a file written with --export is without ${armatures.join(', ')} (kg m^2 or kg), so another program needs these apart from it. MJCF holds them.`,
      }
    );
  },
};

const ROBOT_CHECKS: readonly AnyCheck<Calibration>[] = [
  delayAtEnd,
  lacking,
  unexplained,
  notPredicted,
  notChecked,
  noBetter,
  acausal,
  notReplayed,
  spikes,
  stretches,
  widened,
  weak,
  armatureLost,
];

/**
 * Judges a calibration: what residuals hold beyond noise, which terms beside the model foretell better, and how well it
 * predicts the torques of logs that it was not fitted to.
 */
export function verdictOf(calibration: Calibration): CalibrationVerdict {
  const findings = findingsOf(calibration, ROBOT_CHECKS);
  return { trusted: isTrusted(findings) ? (heldOut(calibration).length === 0 ? null : true) : false, findings };
}

/** The verdict in a sentence. */
export function verdictLine({ trusted, findings }: CalibrationVerdict): string {
  if (trusted === null) return `Not checked. ${findings[0].note}`;
  if (trusted)
    return `Trusted: no term that was tried beside the model foretells better, less than ${percent(LARGE)} of the torques is left or what noise explains, and logs that were not fitted are predicted as well.`;
  return `Not to be trusted. ${findings[0].note}`;
}
