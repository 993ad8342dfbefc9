import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from 'gradsim';
import type { Arm } from './arm.ts';
import { drive } from './arm.ts';
import type { Draw, Kind } from './draw.ts';
import { drawArm, drawReference, logOf } from './draw.ts';

/** An estimate beside the truth. */
export interface Estimate {
  readonly name: string;
  readonly truth: number;
  readonly estimate: number;
  readonly standardError: number;
}

/** Answer of `gradsim new robot` for an arm. */
export interface RobotAnswer {
  readonly trusted: boolean | null;
  readonly findings: readonly { readonly kind: string; readonly isCritical: boolean; readonly note: string }[];
  readonly estimates: readonly Estimate[];
  /** Gains and biases of logged torques. */
  readonly sensors: readonly Omit<Estimate, 'truth'>[];
  readonly delay: Omit<Estimate, 'truth'>;
}

const SECONDS = 24;

/** An arm and a log of it that is fitted, and one that is held out. */
export interface DrawnArm {
  readonly arm: Arm;
  readonly logs: readonly [string, string];
}

/** Draws an arm of a kind, and its logs. */
export function drawTrial(kind: Kind, draw: Draw): DrawnArm {
  const arm = drawArm(draw, kind.physics(draw));
  const lag = kind.lag?.(draw) ?? 0;
  const spikes = kind.spikes?.(draw) ?? 0;
  const log = (): string => logOf(drive(arm, drawReference(draw), SECONDS), draw, lag, spikes);
  return { arm, logs: [log(), log()] };
}

/** Logs beside those that are fitted, and settings. */
export interface TrialOptions {
  readonly heldOut?: string;
  readonly withPayload?: readonly string[];
  readonly settings?: readonly string[];
  /** True values of parameters by their names. Default: those of the arm. */
  readonly known?: ReadonlyMap<string, number>;
  /** URDF. Default: {@link GUESS}. */
  readonly model?: string;
}

/** Calibrates a guess of an arm with logs, as a user would, and compares what it says with the truth. */
export async function calibrate(
  arm: Arm,
  logs: readonly string[],
  { heldOut, withPayload = [], settings = [], model = GUESS, known = parametersOf(arm) }: TrialOptions = {},
): Promise<RobotAnswer> {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-robots-'));
  const at = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const said: string[] = [];
  const told: string[] = [];
  try {
    const args = ['new', 'robot', '--model', at('guess.urdf', model)];
    for (const [k, log] of logs.entries()) args.push('--log', at(`a${k}.csv`, log));
    for (const [k, log] of withPayload.entries()) args.push('--with-payload', at(`p${k}.csv`, log));
    if (heldOut !== undefined) args.push('--hold-out', at('b.csv', heldOut));
    for (const setting of settings) args.push('--set', setting);
    await runProgram([...args, '--out', join(folder, 'out'), '--json'], {
      print: (line) => told.push(line),
      say: (line) => said.push(line),
      isInteractive: false,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
  const { verdict, combinations, torqueSensors, delay } = JSON.parse(told[0] ?? '{}');
  if (!verdict) throw new Error(said.at(-1));
  return {
    ...verdict,
    sensors: torqueSensors,
    delay: delay[0],
    estimates: combinations.map((one: Omit<Estimate, 'truth'>) => ({ ...one, truth: truthOf(one.name, known) })),
  };
}

/** Answer for an arm whose logs are refused. */
export const refusal = ({ message }: Error): RobotAnswer => ({
  trusted: null,
  findings: [{ kind: 'refused', isCritical: true, note: message }],
  estimates: [],
  sensors: [],
  delay: { name: 'none', estimate: Number.NaN, standardError: Number.NaN },
});

/** Parameters of an arm, by the names that `gradsim new robot` gives them. */
export function parametersOf({ mass, centre, inertia, armature, viscous, dry }: Arm): Map<string, number> {
  return new Map(
    ['upper', 'lower'].flatMap((link, j): [string, number][] => [
      [`m of ${link}`, mass[j]],
      [`m cx of ${link}`, 0],
      [`m cz of ${link}`, -mass[j] * centre[j]],
      [`Jyy of ${link}`, inertia[j] + mass[j] * centre[j] ** 2],
      [`armature of j${j + 1}`, armature[j]],
      [`damping of j${j + 1}`, viscous[j]],
      [`dryFriction of j${j + 1}`, dry[j]],
    ]),
  );
}

/** The value of a combination of known parameters, as in `m cz of upper - 0.4 m of lower`. */
export function truthOf(combination: string, known: ReadonlyMap<string, number>): number {
  return combination
    .replaceAll(' - ', ' + -1 ')
    .split(' + ')
    .reduce((sum, term) => {
      const [, factors, name] = /^((?:-?[\d.e-]+ )*)(.*)$/.exec(term)!;
      const value = known.get(name);
      if (value === undefined) throw new Error(`No value of ${name} in ${combination}.`);
      return sum + factors.split(' ').reduce((all, x) => (x === '' ? all : all * Number(x)), value);
    }, 0);
}

/** The model as given: a guess without friction. */
export const GUESS = `<robot name="two">
<link name="base"/>
<link name="upper"><inertial><origin xyz="0 0 -0.2"/><mass value="1.5"/><inertia ixx="0.015" iyy="0.015" izz="0.003"/></inertial></link>
<link name="lower"><inertial><origin xyz="0 0 -0.15"/><mass value="0.8"/><inertia ixx="0.004" iyy="0.004" izz="0.0008"/></inertial></link>
<joint name="j1" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<joint name="j2" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0 0 -0.4"/><axis xyz="0 1 0"/></joint>
</robot>`;
