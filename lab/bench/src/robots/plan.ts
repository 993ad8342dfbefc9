import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from 'gradsim';
import { type Arm, drive, type Reference } from './arm.ts';
import { type Draw, drawArm, logOf, TORQUE_NOISE } from './draw.ts';
import { calibrate, GUESS, type RobotAnswer } from './trial.ts';

/** Bars of a parameter: foretold, and found from a log of the motion by a simulator. */
export interface StandardErrorPair {
  readonly name: string;
  readonly foretold: number;
  readonly found: number;
  /** Found from a log of a chirp, as long and within the same bounds; null where that does not determine it, or is not run. */
  readonly chirp: number | null;
}

/** A planned motion of a drawn arm, and what its log told. */
export interface PlanTrial {
  readonly bars: readonly StandardErrorPair[];
  readonly trusted: boolean | null;
  /** Greatest size of what the plan's motion takes, over its bound: position, speed, acceleration, torque. */
  readonly taken: number;
}

const RATE = 500;
const SECONDS = 24;
const HIGHEST = 1;

/** Draws an arm and bounds, plans a motion as a user would, and lets a controller drive the arm along it. */
export async function planTrial(draw: Draw, withChirp = true): Promise<PlanTrial> {
  const arm = drawArm(draw, {});
  const reach = draw(0.8, 1.4);
  const speed = [draw(1.5, 2.5), draw(2, 3.5)];
  const acceleration = [draw(8, 15), draw(10, 20)];
  const torque = [draw(18, 25), draw(6, 9)];
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-plans-'));
  const said: string[] = [];
  let told = '';
  let motion = '';
  try {
    writeFileSync(join(folder, 'guess.urdf'), GUESS);
    const settings = {
      torqueNoise: TORQUE_NOISE,
      range: `${-reach},${reach}`,
      speed,
      acceleration,
      torque,
      seconds: SECONDS,
      frequency: HIGHEST,
      rate: RATE,
    };
    const given = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    await runProgram(['plan', join(folder, 'guess.urdf'), ...given, '--out', join(folder, 'out'), '--json'], {
      print: (line) => (told = line),
      say: (line) => said.push(line),
      isInteractive: false,
    });
    if (told === '' || JSON.parse(told).error) throw new Error(said.join(' '));
    motion = readFileSync(join(folder, 'out', 'motion.csv'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { parameters } = JSON.parse(told) as { parameters: { name: string; standardError: number }[] };
  const rows = motion
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));
  const bounds = [0, 1].flatMap((j) => [reach, speed[j], acceleration[j], torque[j]]);
  const taken = Math.max(...rows.map((row) => Math.max(...bounds.map((most, k) => Math.abs(row[k + 1]) / most))));
  const along: Reference = (t) => {
    const row = rows[Math.min(Math.max(Math.round(t * RATE), 0), rows.length - 1)];
    return [row[1], row[5]];
  };
  const found = await estimateOf(arm, along, draw);
  const ofChirp = withChirp ? await estimateOf(arm, chirp(reach, speed, acceleration), draw) : undefined;
  const standardErrorOf = (of: RobotAnswer | undefined, name: string): number | undefined =>
    of?.estimates.find((one) => one.name === name)?.standardError;
  return {
    bars: parameters.flatMap(({ name, standardError: foretold }) => {
      const own = standardErrorOf(found, name);
      return own === undefined ? [] : [{ name, foretold, found: own, chirp: standardErrorOf(ofChirp, name) ?? null }];
    }),
    trusted: found.trusted,
    taken,
  };
}

const estimateOf = async (arm: Arm, reference: Reference, draw: Draw): Promise<RobotAnswer> =>
  calibrate(arm, [logOf(drive(arm, reference, SECONDS), draw, 0, 0)]);

/** A chirp of both joints at once from 0.1 Hz to the highest frequency, as large as bounds of each joint allow. */
function chirp(reach: number, speed: readonly number[], acceleration: readonly number[]): Reference {
  const w = 2 * Math.PI * HIGHEST;
  const sizes = [0, 1].map((j) => Math.min(reach, speed[j] / w, acceleration[j] / w ** 2));
  return (t) => {
    const x = Math.sin(2 * Math.PI * (0.1 * t + ((HIGHEST - 0.1) * t * t) / (2 * SECONDS)));
    return [sizes[0] * x, sizes[1] * x];
  };
}
