import type { AnyCheck, Check, Finding } from '@gradsim/optim';
import { findingsOf, isTrusted } from '@gradsim/optim';
import type { Identification } from '@gradsim/robots';
import { formatNumber } from '../terminal/numbers.ts';
import type { TorqueErrors } from './torque-errors.ts';

/** Verdict on a calibrated robot: trusted or not, and why. */
export interface CalibrationVerdict {
  /** Null if no log is held out, so that nothing checks it. */
  readonly trusted: boolean | null;
  readonly findings: readonly Finding[];
}

/** Subject of the checks of a calibration. */
interface Calibration extends Pick<Identification, 'combinations' | 'delay' | 'parameters'> {
  readonly torques: readonly TorqueErrors[];
  /** False of a format without armature, URDF. */
  readonly holdsArmature: boolean;
  /** True if each log has its own zeros of positions. */
  readonly hasZeros: boolean;
}

/** Greatest error of predicted torques, relative to what a fit to the held-out log itself leaves. */
const NEAR = 1.2;
/** Error, relative to the torque, above which a calibrated robot explains less than half of its square. */
const UNEXPLAINED = 0.7;
const ARMATURE = 'armature of ';
/** Error of a predicted torque, relative to the torque, that always counts as small. */
const SMALL = 0.01;

const heldOut = ({ torques }: Calibration): TorqueErrors[] => torques.filter(({ isHeldOut }) => isHeldOut);
const three = (x: number): string => formatNumber(x, 3);

const notChecked: Check<Calibration> = {
  kind: 'not checked',
  rank: 10,
  isCritical: false,
  find: (calibration) =>
    heldOut(calibration).length === 0 && {
      note: 'No log is held out, so nothing checks the calibrated robot: give one that is not fitted with --hold-out FILE.',
    },
};

const notExplained: Check<Calibration> = {
  kind: 'not explained',
  rank: 20,
  isCritical: true,
  find: ({ torques }) =>
    torques
      .filter(({ torque, calibrated }) => calibrated > UNEXPLAINED * torque)
      .map(({ log, joint, torque, calibrated }) => ({
        note: `${log}: the calibrated robot leaves ${three(calibrated)} of the torque of "${joint}", ${three(torque)}. Look at units, signs and the order of joints in the log, and at axes and gravity of the model.`,
      })),
};

const notPredicted: Check<Calibration> = {
  kind: 'not predicted',
  rank: 30,
  isCritical: true,
  find: (calibration) =>
    heldOut(calibration)
      .filter(({ torque, calibrated, leftByOwnFit = 0 }) => calibrated > Math.max(NEAR * leftByOwnFit, SMALL * torque))
      .map(({ log, joint, calibrated, leftByOwnFit = 0 }) => ({
        note: `${log}: the torque of "${joint}" is predicted with an error of ${three(calibrated)}, which is more than ${NEAR} times the ${three(leftByOwnFit)} that a fit to that log alone leaves. What was estimated does not hold for both recordings.${calibration.hasZeros ? '' : ' If encoders count from where they were switched on, each log has zeros of its own: --set zeros=2, seconds.'}`,
      })),
};

const noBetter: Check<Calibration> = {
  kind: 'no better',
  rank: 40,
  isCritical: false,
  find: (calibration) =>
    heldOut(calibration)
      .filter(({ given, calibrated }) => calibrated >= given)
      .map(({ log, joint, given, calibrated }) => ({
        note: `${log}: the model as given predicts the torque of "${joint}" no worse, with an error of ${three(given)}, than the calibrated one, ${three(calibrated)}.`,
      })),
};

const delayAtEnd: Check<Calibration> = {
  kind: 'delay',
  rank: 50,
  isCritical: false,
  find: ({ delay }) =>
    !Number.isFinite(delay.standardError) && {
      note: `The best delay of torques, ${three(delay.estimate)} s, is the greatest that was tried: the clocks of positions and torques may differ by more (--set delay=SECONDS).`,
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

const CHECKS: readonly AnyCheck<Calibration>[] = [
  notChecked,
  notExplained,
  notPredicted,
  noBetter,
  delayAtEnd,
  weak,
  armatureLost,
];

/** Judges a calibration by how well it predicts the torques of logs that it was not fitted to. */
export function verdictOf(calibration: Calibration): CalibrationVerdict {
  const findings = findingsOf(calibration, CHECKS);
  return { trusted: isTrusted(findings) ? (heldOut(calibration).length === 0 ? null : true) : false, findings };
}

/** The verdict in a sentence. */
export function verdictLine({ trusted, findings }: CalibrationVerdict): string {
  if (trusted === null) return `Not checked. ${findings[0].note}`;
  if (trusted)
    return `Trusted: torques of logs that were not fitted are predicted within ${NEAR} times what a fit to them alone leaves, or within 1 % of the torque.`;
  return `Not to be trusted. ${findings[0].note}`;
}
