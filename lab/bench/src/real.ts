// Real things, from measurements: --data FOLDER with robot-logs and silicone-beam; --things robots,beam; --cell 0.03, the size of
// the beam's cells, m; --lever 0.005, how far above its edge the load's centre of mass is told to be, m, which is then unknown;
// --things beam-refinement: how its modulus moves with mesh and step. Robots are identified from logs of their joints: a line of
// JSON for each parameter that the motion determines, and for what the calibrated robot foretells of a recording that it was not
// fitted to, beside what published parameters foretell. Torques are compared as measured, and in the band of 5 Hz without their noise.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForetoldTorques, Identification, JointLog, Robot } from '@gradsim/robots';
import { foretellTorques, identifyRobot, readJointLog, readMjcf } from '@gradsim/robots';
import { printBeamRefinement } from './real/beam-refinement.ts';
import { DOUBLE, doubleModel, PUBLISHED_DOUBLE, singleModel } from './real/pendulum-models.ts';
import { siliconeBeam } from './real/silicone-beam.ts';
import { windowErrors } from './real/windows.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['data', 'things', 'cell', 'lever']);
const { device } = options;
const data = options.text('data', '../shared/data');
const things = options.text('things', 'robots,beam').split(',');
const folder = join(data, 'robot-logs');
if (things.includes('robots') && !existsSync(folder))
  throw new Error(`There is no folder ${folder}: give --data FOLDER with robot-logs in it.`);
const logOf = (name: string, robot: Robot): JointLog =>
  readJointLog(readFileSync(join(folder, `${name}.csv`), 'utf8'), robot, `${name}.csv`);

/** Greatest ratio of the foretold error to what a fit to the recording itself leaves. */
const MAX_ERROR_RATIO = 1.2;
/** Samples at both ends that filters distort. */
const ENDS = 20;
/** Seconds at the beginning of a foretold log from which the zeros of its encoders are taken: a quarter of it. */
const ZEROS = 2.5;

/** Torques of these motors are told by their currents; whether those count from zero is unknown. */
const torqueBias = 'unknown';

if (things.includes('robots')) {
  await doublePendulum();
  await torqueLimitedPendulum();
}
const cellSize = Number(options.text('cell', '0.03'));
const lever = options.text('lever', '');
if (things.includes('beam'))
  await siliconeBeam(device, join(data, 'silicone-beam'), {
    cellSize,
    lever: lever === '' ? undefined : Number(lever),
  });
if (things.includes('beam-refinement')) await printBeamRefinement(device, join(data, 'silicone-beam'), cellSize);

async function doublePendulum(): Promise<void> {
  const thing = 'double pendulum';
  const robot = await readMjcf(DOUBLE);
  const published = await Promise.all(PUBLISHED_DOUBLE.map((set) => readMjcf(doubleModel(set))));
  const [a, b, c] = ['a', 'b', 'c'].map((name) => logOf(`double-pendulum-${name}`, robot));
  const fitted = [a, cutAt(c, 2.5)];
  for (const loadFriction of [true, false]) {
    const began = performance.now();
    const found = identifyRobot(robot, fitted, { loadFriction, torqueBias, zeros: ZEROS });
    const seconds = (performance.now() - began) / 1000;
    const of = { thing, law: loadFriction ? 'dry friction that grows with load' : 'constant dry friction' };
    printParameters(of, found, published);
    const own = identifyRobot(robot, [b], { loadFriction, torqueBias });
    const foretold = `torques of b from ${ZEROS} s on, N m`;
    printTorques({ ...of, foretold, seconds }, { found, own, published, log: b });
    if (loadFriction) continue;
    const windows = { from: 2.5, seconds: 0.5, delay: found.delay.estimate };
    const zeros = found.zeros.map(({ estimate }) => estimate);
    const corrected = found.corrected(c);
    const counted = { ...corrected, positions: c.positions.map((q, j) => q.map((x) => x - zeros[j])) };
    const error = await windowErrors(device, found.robot, counted, windows);
    // Of published parameters that zero of c which suits them better: as measured, or as found here.
    const theirs: number[] = [];
    for (const other of published)
      theirs.push(
        Math.min(await windowErrors(device, other, c, windows), await windowErrors(device, other, counted, windows)),
      );
    print({
      ...of,
      foretold: 'angles of c from 2.5 s on in windows of 0.5 s, rad',
      foretoldError: error,
      publishedForetoldError: theirs,
      verdict: theirs.every((other) => error < other) ? 'below the published' : 'not below the published',
    });
  }
}

async function torqueLimitedPendulum(): Promise<void> {
  const thing = 'torque-limited pendulum';
  const robot = await readMjcf(singleModel(0.25, 0.0567, 0, 0));
  const published = [await readMjcf(singleModel(0.1022 / 0.68, 0.0626, 0.0471, 0.184))];
  const [a, b] = ['a', 'b'].map((name) => logOf(`pendulum-${name}`, robot));
  for (const loadFriction of [true, false]) {
    const began = performance.now();
    const found = identifyRobot(robot, [a], { loadFriction, torqueBias });
    const seconds = (performance.now() - began) / 1000;
    const of = { thing, law: loadFriction ? 'dry friction that grows with load' : 'constant dry friction' };
    printParameters(of, found, published);
    const own = identifyRobot(robot, [b], { loadFriction, torqueBias });
    printTorques({ ...of, foretold: 'torques of b, N m', seconds }, { found, own, published, log: b });
  }
}

function printParameters(of: Record<string, unknown>, found: Identification, published: readonly Robot[]): void {
  for (const { name, estimate, standardError, valueFor: value } of found.combinations)
    print({ ...of, parameter: name, estimate, standardError, published: published.map(value) });
  print({
    ...of,
    parameter: found.delay.name,
    estimate: found.delay.estimate,
    standardError: found.delay.standardError,
  });
  for (const { name, estimate, standardError } of [...found.zeros, ...found.torqueSensors])
    print({ ...of, parameter: name, estimate, standardError });
  print({ ...of, undetermined: found.undetermined.map(({ name }) => name) });
}

function printTorques(
  of: Record<string, unknown>,
  {
    found,
    own,
    published,
    log,
  }: {
    readonly found: Identification;
    readonly own: Identification;
    readonly published: readonly Robot[];
    readonly log: JointLog;
  },
): void {
  const delay = found.delay.estimate;
  const foretold = found.predictTorques(log);
  const { from } = foretold;
  const theirs = published.map((robot) => ({ ...foretellTorques(robot, log, { delay }), from }));
  const itself = { ...own.predictTorques(log), from };
  for (const channel of ['measured', 'inBand'] as const) {
    const error = rmsOf(foretold, channel);
    const left = rmsOf(itself, channel);
    const others = theirs.map((each) => rmsOf(each, channel));
    const isNear = error <= MAX_ERROR_RATIO * left;
    const isBelow = others.every((other) => error < other);
    print({
      ...of,
      compared: channel === 'measured' ? 'as measured' : 'in the band of 5 Hz',
      foretoldError: error,
      publishedForetoldError: others,
      leftByFitToItself: left,
      verdict: `${isNear ? 'within' : 'not within'} ${MAX_ERROR_RATIO} times what a fit to b itself leaves, ${isBelow ? 'below' : 'not below'} the published`,
    });
  }
}

function rmsOf({ predicted, ...torques }: ForetoldTorques, channel: 'measured' | 'inBand'): number {
  let [squares, count] = [0, 0];
  predicted.forEach((torque, j) => {
    for (let s = Math.max(ENDS, torques.from); s < torque.length - ENDS; s++) {
      squares += (torque[s] - torques[channel][j][s]) ** 2;
      count++;
    }
  });
  return Math.sqrt(squares / count);
}

function cutAt(log: JointLog, end: number): JointLog {
  const count = log.time.findIndex((t) => t > end);
  const part = (values: readonly number[]): number[] => values.slice(0, count);
  return { ...log, time: part(log.time), positions: log.positions.map(part), torques: log.torques.map(part) };
}
