import type { Identification } from '@gradsim/robots';
import { formatNumber } from '../terminal/numbers.ts';
import type { TorqueErrors } from './torque-errors.ts';

/** Something to know about a calibration. */
export interface CalibrationFinding {
  readonly kind: 'not explained' | 'not foretold' | 'no better' | 'not checked' | 'delay' | 'weak' | 'armature';
  /** True if the calibration is not to be trusted because of it. */
  readonly isCritical: boolean;
  readonly note: string;
}

/** Verdict on a calibrated robot: trusted or not, and why. */
export interface CalibrationVerdict {
  /** Null if no log is held out, so that nothing checks it. */
  readonly trusted: boolean | null;
  readonly findings: readonly CalibrationFinding[];
}

/** Greatest error of foretold torques, relative to what a fit to the held-out log itself leaves. */
const NEAR = 1.2;
/** Error, relative to the torque, above which a calibrated robot explains less than half of its square. */
const UNEXPLAINED = 0.7;
const ARMATURE = 'armature of ';
/** Error of a foretold torque, relative to the torque, that always counts as small. */
const SMALL = 0.01;

/**
 * Judges a calibration by how well it foretells the torques of logs that it was not fitted to.
 * @param holdsArmature false of a format without armature, URDF; `hasZeros`: true if each log has its own zeros of positions.
 */
export function verdictOf(
  { combinations, delay, parameters }: Identification,
  torques: readonly TorqueErrors[],
  { holdsArmature, hasZeros }: { readonly holdsArmature: boolean; readonly hasZeros: boolean },
): CalibrationVerdict {
  const held = torques.filter(({ isHeldOut }) => isHeldOut);
  const findings: CalibrationFinding[] = [];
  if (held.length === 0)
    findings.push({
      kind: 'not checked',
      isCritical: false,
      note: 'No log is held out, so nothing checks the calibrated robot: give one that is not fitted with --hold-out FILE.',
    });
  for (const { log, joint, torque, calibrated } of torques)
    if (calibrated > UNEXPLAINED * torque)
      findings.push({
        kind: 'not explained',
        isCritical: true,
        note: `${log}: the calibrated robot leaves ${formatNumber(calibrated, 3)} of the torque of "${joint}", ${formatNumber(torque, 3)}. Look at units, signs and the order of joints in the log, and at axes and gravity of the model.`,
      });
  for (const { log, joint, torque, given, calibrated, leftByOwnFit = 0 } of held) {
    const [error, left] = [calibrated, leftByOwnFit].map((x) => formatNumber(x, 3));
    if (calibrated > Math.max(NEAR * leftByOwnFit, SMALL * torque))
      findings.push({
        kind: 'not foretold',
        isCritical: true,
        note: `${log}: the torque of "${joint}" is foretold with an error of ${error}, which is more than ${NEAR} times the ${left} that a fit to that log alone leaves. What was estimated does not hold for both recordings.${hasZeros ? '' : ' If encoders count from where they were switched on, each log has zeros of its own: --set zeros=2, seconds.'}`,
      });
    if (calibrated >= given)
      findings.push({
        kind: 'no better',
        isCritical: false,
        note: `${log}: the model as given foretells the torque of "${joint}" no worse, with an error of ${formatNumber(given, 3)}, than the calibrated one, ${error}.`,
      });
  }
  if (!Number.isFinite(delay.standardError))
    findings.push({
      kind: 'delay',
      isCritical: false,
      note: `The best delay of torques, ${formatNumber(delay.estimate, 3)} s, is the greatest that was tried: the clocks of positions and torques may differ by more (--set delay=SECONDS).`,
    });
  const weak = combinations.filter(({ estimate, standardError }) => standardError > Math.abs(estimate));
  if (weak.length > 0)
    findings.push({
      kind: 'weak',
      isCritical: false,
      note: `Estimates below their standard error: ${weak.map(({ name }) => name).join('; ')}.`,
    });
  // One that the motion does not tell from the inertia of links is in these.
  const armatures = parameters.flatMap(({ name, estimate, standardError }) =>
    name.startsWith(ARMATURE) && estimate > 2 * standardError
      ? [`${name.slice(ARMATURE.length)} ${formatNumber(estimate, 3)}`]
      : [],
  );
  if (!holdsArmature && armatures.length > 0)
    findings.push({
      kind: 'armature',
      isCritical: false,
      note: `URDF has no place for the inertia of motors: a file written with --export is without ${armatures.join(', ')} (kg m^2 or kg), so another program needs these apart from it. MJCF holds them.`,
    });
  findings.sort((a, b) => Number(b.isCritical) - Number(a.isCritical));
  const isDoubted = findings.some(({ isCritical }) => isCritical);
  return { trusted: isDoubted ? false : held.length === 0 ? null : true, findings };
}

/** The verdict in a sentence. */
export function verdictLine({ trusted, findings }: CalibrationVerdict): string {
  if (trusted === null) return `Not checked. ${findings[0].note}`;
  if (trusted)
    return `Trusted: torques of logs that were not fitted are foretold within ${NEAR} times what a fit to them alone leaves, or within 1 % of the torque.`;
  return `Not to be trusted. ${findings[0].note}`;
}
