import type { ForetoldTorques, Identification, IdentifyOptions, JointLog } from '@gradsim/robots';
import { axisJoints, followers, foretellTorques, identifyByReplay, identifyRobot } from '@gradsim/robots';
import type { RobotFile } from './read-files.ts';
import { independentSamples, rmsErrors, rmsTorques, type TorqueErrors } from './torque-errors.ts';
import { type CalibrationVerdict, verdictOf } from './verdict.ts';

/** A robot calibrated with logs, and what it predicts of them and of logs that are held out. */
export interface RobotCalibration {
  readonly found: Identification;
  readonly torques: readonly TorqueErrors[];
  readonly verdict: CalibrationVerdict;
  readonly recordings: readonly ForetoldRecording[];
}

/** Predicted torques of a log. */
export interface ForetoldRecording {
  readonly log: string;
  readonly isHeldOut: boolean;
  readonly torques: ForetoldTorques;
}

/** Independent samples for each parameter from which on a log is fitted by itself, to be compared with. */
const SAMPLES_PER_PARAMETER = 5;

/** True if all joints move in a log, and it has enough samples in the band for a fit to it alone not to describe its noise. */
function isLongEnough({ time, from, slides }: ForetoldTorques, band: number, parameters: number): boolean {
  if (slides.some((own) => own.every((x) => x === 0))) return false;
  const seconds = slides.reduce(
    (sum, own) => sum + (time[1] - time[0]) * own.reduce((all, x, s) => all + (s >= from ? x : 0), 0),
    0,
  );
  return 2 * band * seconds > SAMPLES_PER_PARAMETER * parameters;
}

/**
 * Calibrates a robot with logs, and predicts the torques of all logs by the model as given and as calibrated.
 * @param tell takes a sentence on each part of the work as it begins.
 * @throws GradsimError of `identifyByReplay`.
 */
export async function calibrateRobot(
  { robot, isUrdf }: RobotFile,
  fitted: readonly JointLog[],
  heldOut: readonly JointLog[],
  options: IdentifyOptions & { readonly torqueBand: number },
  tell: (stage: string) => void,
): Promise<RobotCalibration> {
  const samples = fitted.reduce((sum, { time }) => sum + time.length, 0);
  tell(`Fitting ${samples} samples of ${fitted.length === 1 ? 'a log' : `${fitted.length} logs`}.`);
  const found = await identifyByReplay(robot, fitted, options);
  const { delay: _, zeros: __, ...filtering } = options;
  const moved = axisJoints(robot, true);
  const joints = robot.links.filter(
    ({ jointName }) => moved.includes(jointName) && !followers(robot).includes(jointName),
  );
  tell('Predicting the torques of all logs.');
  const recordings = [...fitted, ...heldOut].map((log, k) => ({
    log,
    isHeldOut: k >= fitted.length,
    torques: found.predictTorques(log),
  }));
  const torques = recordings.flatMap(({ log, isHeldOut, torques: own }) => {
    const band = options.torqueBand;
    const sizes = rmsTorques(own);
    const samples = independentSamples(own, band);
    const calibrated = rmsErrors(own);
    const { from } = own;
    const isFitted = isHeldOut && isLongEnough(own, band, found.combinations.length);
    if (isFitted) tell(`Fitting ${log.name} alone, to compare with.`);
    // Gains of torques are those that the fitted logs tell.
    const known = found.corrected(log);
    const asGiven = foretellTorques(robot, known, {
      ...filtering,
      delay: log.commands ? -found.delay.estimate : found.delay.estimate,
    });
    const given = rmsErrors({ ...asGiven, from });
    const alone = isFitted ? identifyRobot(robot, [known], { ...options, torqueGain: 'known' }) : undefined;
    const left = alone && rmsErrors({ ...alone.predictTorques(known), from });
    return joints.map((joint, j) => ({
      log: log.name,
      isHeldOut,
      joint: joint.jointName,
      unit: joint.values.joint === 'prismatic' ? 'N' : 'N m',
      torque: sizes[j],
      noise: own.noise[j],
      given: given[j],
      calibrated: calibrated[j],
      independent: samples[j],
      ...(left ? { leftByOwnFit: left[j] } : {}),
    }));
  });
  tell('Trying terms that the model is without.');
  const trials = found.trials();
  return {
    found,
    torques,
    verdict: verdictOf({
      ...found,
      trials,
      joints: moved,
      torques,
      holdsArmature: !isUrdf,
      hasZeros: (options.zeros ?? 0) > 0,
    }),
    recordings: recordings.map(({ log, ...rest }) => ({ ...rest, log: log.name })),
  };
}
