import { basename, relative, resolve } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { measuredOf } from '@gradsim/kinds';
import { filePartPath, splitPart } from '@gradsim/recordings/files';
import type { JointLog, Robot } from '@gradsim/robots';
import {
  calibrationJson,
  coverageOf,
  isWithoutTorque,
  ratiosOfFreeSwings,
  readJointLog,
  withFixedJoints,
  writeCalibrated,
} from '@gradsim/robots';
import { calibrateRobot } from '../robot/calibration.ts';
import { dataLines } from '../robot/data-check.ts';
import { exportsOf, variantPaths } from '../robot/exports.ts';
import { robotPage } from '../robot/page.ts';
import { readLogFile, readRobotFile, unloggedIn } from '../robot/read-files.ts';
import { identifyOptionsOf, payloadOf, ROBOT } from '../robot/settings.ts';
import { parameterRows, ratioRows, torqueHeading, torqueRows, undeterminedLines } from '../robot/tables.ts';
import { verdictLine } from '../robot/verdict.ts';
import { OF_ROBOTS, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, requireOutput, takeFolder, writeOutput } from '../run/folder.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Options of `gradsim new robot`. */
export interface NewRobotOptions {
  /** Path of the robot, URDF or MJCF. */
  readonly model?: string;
  /** Paths of the logs that are fitted. */
  readonly log?: readonly string[];
  /** Paths of the logs that are predicted alone. */
  readonly holdOut?: readonly string[];
  /** Paths of logs that are fitted, recorded with the known payload. */
  readonly withPayload?: readonly string[];
  /** Part of each log that is read, where the log does not say it itself. */
  readonly topic?: string;
  /** Path of the robot's file with the estimated numbers. */
  readonly export?: string;
  /** Number of drawn robots that are written beside it. */
  readonly variants?: number;
  /** True to tell what the logs cover, and nothing else. */
  readonly check?: boolean;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
  readonly set: Readonly<Record<string, string>>;
}

/**
 * `gradsim new robot`: calibrates a robot with logs of its joints: tables, a report, and the user's own file with the
 * estimated numbers. Returns 3 if the calibration is not to be trusted.
 * @throws before anything is written, for missing options, files that cannot be read, damaged logs, and files that exist.
 */
export async function newRobotCommand(options: NewRobotOptions, terminal: Terminal): Promise<number> {
  const { model, topic, out, force = false, json = false } = options;
  const [alone, loaded, holdOut] = [options.log ?? [], options.withPayload ?? [], options.holdOut ?? []].map((paths) =>
    paths.map((path) => filePartPath(path, topic)),
  );
  const log = [...alone, ...loaded];
  if (model === undefined || log.length === 0)
    throw new GradsimError(
      'gradsim/option-missing',
      'gradsim new robot needs --model FILE, a URDF or MJCF, and --log FILE, a CSV with time, positions and torques; --log may be given again.',
    );
  const both = holdOut.find((file) => log.some((other) => resolve(other) === resolve(file)));
  if (both !== undefined)
    throw new GradsimError('gradsim/options-contradict', `${both} is given to --log and to --hold-out.`, {
      hint: 'A log that is fitted checks nothing: hold out another.',
    });
  const exported = options.export === undefined ? undefined : resolve(options.export);
  if (exported !== undefined && [model, ...log, ...holdOut].some((file) => resolve(splitPart(file).file) === exported))
    throw new GradsimError('gradsim/file-exists', `--export would replace ${options.export}, which is read.`, {
      hint: 'Name another file.',
    });
  const { variants = 0 } = options;
  if (variants > 0 && exported === undefined)
    throw new GradsimError('gradsim/option-missing', '--variants needs --export FILE, beside which drawn robots go.');
  const drawnTo = variantPaths(exported ?? '', variants);
  for (const path of exported === undefined ? [] : [exported, ...drawnTo]) requireOutput(path, '--export', force);
  const values = measuredOf(ROBOT, options.set);
  const torqueBand = values.torqueBand as number;
  if (!options.check) chooseFolder(out, 'robot', force);
  terminal.say(`Reading ${[model, ...log, ...holdOut].map((path) => basename(path)).join(', ')}.`);
  const [ofFit, ofHeld] = await Promise.all([log, holdOut].map((paths) => Promise.all(paths.map(readLogFile))));
  const file = await readRobotFile(model, [...ofFit, ...ofHeld]);
  const { text } = file;
  const unlogged = unloggedIn([...ofFit, ...ofHeld], file.robot);
  const robot = withFixedJoints(file.robot, unlogged);
  const payload = payloadOf(values, robot, loaded.length);
  const [read, held] = [ofFit, ofHeld].map((logs) => logs.map(({ name, table }) => readJointLog(table, robot, name)));
  const fitted = read.map((one, k) => (payload && k >= alone.length ? { ...one, payload } : one));
  for (const { name, readingNotes } of [...fitted, ...held]) terminal.say(`${name}: ${readingNotes}`);
  const { gravity, motionBand, frictionWidth } = identifyOptionsOf(values);
  const coverage = coverageOf(robot, fitted, { ...(gravity && { gravity }), motionBand, torqueBand, frictionWidth });
  if (options.check) {
    if (json) terminal.print(JSON.stringify(coverage));
    else for (const line of dataLines(coverage, torqueBand)) terminal.print(line);
    return 0;
  }
  for (const line of dataLines(coverage, torqueBand)) terminal.say(line);
  if (isWithoutTorque(robot, [...fitted, ...held])) return tellRatios(robot, [...fitted, ...held], options, terminal);
  const calibration = await calibrateRobot(
    { ...file, robot },
    fitted,
    held,
    { ...identifyOptionsOf(values), torqueBand },
    terminal.say,
  );
  const { found, torques, verdict } = calibration;
  const written = exported === undefined ? undefined : writeCalibrated(text, found);
  const range = values.range as number;
  terminal.say('Drawing robots that the logs allow.');
  const exports = exportsOf(found, { text, name: basename(model), range, variants });
  const told = { model, log, holdOut, settings: values, verdict, torques, ...JSON.parse(calibrationJson(found)) };
  const page = robotPage(basename(model), robot, calibration, torqueBand);

  const files = takeFolder(out, 'robot', force);
  try {
    for (const remark of files.remarks) terminal.say(remark);
    if (force)
      removeEarlier(files.path, OF_ROBOTS, [model, ...[...log, ...holdOut].map((path) => splitPart(path).file)]);
    files.write('report.html', page);
    files.write('calibration.json', `${JSON.stringify(told, null, 2)}\n`);
    files.write('posterior.json', exports.posterior);
    files.write('isaac_lab_events.py', exports.isaacLab);
  } finally {
    files.close();
  }
  if (exported !== undefined && written !== undefined) writeOutput(exported, written);
  for (const [k, text] of exports.variants.entries()) writeOutput(drawnTo[k], text);

  if (json) terminal.print(JSON.stringify(told));
  const say = json ? terminal.say : terminal.print;
  for (const sentence of [...robot.passedOver, ...shapesRemark(text), ...fixedRemark(unlogged)]) terminal.say(sentence);
  const lines = [
    verdictLine(verdict),
    ...verdict.findings.filter((finding) => !verdictLine(verdict).endsWith(finding.note)).map(({ note }) => note),
    '',
    ...alignColumns(parameterRows(found, robot)),
    ...undeterminedLines(found),
    '',
    torqueHeading(torqueBand),
    ...alignColumns(torqueRows(torques)),
  ];
  for (const line of lines) say(line);
  if (exported !== undefined) terminal.say(`Calibrated robot: ${relative('.', exported)}`);
  if (variants > 0)
    terminal.say(`Drawn robots: ${relative('.', drawnTo[0])} to ${relative('.', drawnTo[variants - 1])}`);
  terminal.say(`Report: ${relative('.', files.join('report.html'))}`);
  return verdict.trusted === false ? 3 : 0;
}

/** Tells ratios of parameters from logs without torque, which leave the scale open; no robot comes of them. */
function tellRatios(
  robot: Robot,
  logs: readonly JointLog[],
  { model = '', log = [], holdOut = [], set, out, force = false, json = false, export: exported }: NewRobotOptions,
  terminal: Terminal,
): number {
  const finding = {
    kind: 'no torque',
    isCritical: true,
    note: `No torque: nothing gives the scale. All torques of ${logs.map(({ name }) => name).join(', ')} are 0, so only ratios of masses, inertias and friction are known${exported === undefined ? '' : `, and ${exported} is not written`}. A log with torques, or a known weight on the robot in another log, gives the scale.`,
  };
  const { gravity, motionBand, torqueBand, frictionWidth } = identifyOptionsOf(measuredOf(ROBOT, set));
  const ratios = ratiosOfFreeSwings(robot, logs, {
    ...(gravity ? { gravity } : {}),
    motionBand,
    torqueBand,
    frictionWidth,
  });
  const told = { verdict: { trusted: false, findings: [finding] }, ratios };
  const files = takeFolder(out, 'robot', force);
  try {
    for (const remark of files.remarks) terminal.say(remark);
    if (force)
      removeEarlier(files.path, OF_ROBOTS, [model, ...[...log, ...holdOut].map((path) => splitPart(path).file)]);
    files.write('calibration.json', `${JSON.stringify(told, null, 2)}\n`);
  } finally {
    files.close();
  }
  if (json) terminal.print(JSON.stringify(told));
  const lines = [`Not to be trusted. ${finding.note}`, '', ...alignColumns(ratioRows(ratios))];
  for (const line of lines) (json ? terminal.say : terminal.print)(line);
  return 3;
}

/** Remark on meshes, which are not looked for. */
const shapesRemark = (text: string): string[] =>
  /<mesh\b/.test(text) ? ['Meshes are not read where no mass comes from them: torques do not need them.'] : [];

/** Remark on joints that no log has. */
const fixedRemark = (joints: readonly string[]): string[] =>
  joints.length === 0
    ? []
    : [
        `No log has columns of ${joints.map((joint) => `"${joint}"`).join(', ')}: taken as fixed where the model has ${joints.length > 1 ? 'them' : 'it'} at 0. To say so in the model, set type="fixed"; if ${joints.length > 1 ? 'they move' : 'it moves'}, add the columns.`,
      ];
