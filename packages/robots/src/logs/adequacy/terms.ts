import { sumOfSquares } from '@gradsim/base';
import type { Robot } from '../../robot.ts';
import { axisJoints } from '../axis-joints.ts';
import { sumOverGroups } from '../coupling/coupled.ts';
import { inBand, loadsOf, seenInBand, strided } from '../recording/channels.ts';
import { derivative, lowPass } from '../recording/low-pass.ts';
import { type Filtering, type Recording, torquesOf } from '../recording/recording.ts';
import { LINK_PARAMETERS, rigidTorques } from '../regressor.ts';

/** A term of the torques that the model is without, tried beside it. */
export interface Term {
  readonly kind: TermKind;
  /** Name of the joint that it is of. */
  readonly joint: string;
  /** Name for people: `an elastic joint "elbow"`. */
  readonly name: string;
  /** Columns of a regressor, by recording and joint; an empty one is zero: [column][channel][sample]. */
  readonly columns: readonly (readonly Float64Array[])[];
}

export type TermKind =
  | 'friction curve'
  | 'load'
  | 'bias'
  | 'speed'
  | 'position'
  | 'elastic'
  | 'backlash'
  | 'lag'
  | 'zero'
  | 'coupled'
  | 'payload';

const EMPTY = new Float64Array(0);
/** Widths of Stribeck's friction, as parts of the usual rate of a joint. */
const WIDTHS = [0.05, 0.1, 0.2, 0.4, 0.8];
/** Part of the usual load of a joint over which play is taken up. */
const TAKEN_UP = 0.05;
/**
 * Frequency up to which play counts as taken up by turns, as a part of the band: a link crosses it with the acceleration that it
 * has, later than its load turns around, and hits its other end.
 */
const TAKING_UP = 0.12;
/**
 * Frequencies up to which links are taken to twist against motors, as parts of the band. To first order twists follow loads,
 * which is wrong by as much again near the resonance of a soft joint: where that is within the band, a twist of slow loads alone
 * foretells better, and one of all loads no better than a bias.
 */
const TWISTS = [1, 0.25];
/** Relative step of difference quotients along a change of positions. */
const STEP = 1e-4;

/**
 * Terms that are tried beside a model at given parameters.
 * @param zeros columns of the zeros of positions: [recording][joint of the torque][joint of the position][sample].
 */
export function termsOf(
  robot: Robot,
  recordings: readonly Recording[],
  parameters: readonly number[],
  filtering: Filtering,
  delay: number,
  zeros: readonly (readonly (readonly Float64Array[])[])[],
): Term[] {
  const names = axisJoints(robot);
  const bases = robot.links.filter(({ isOfBase }) => isOfBase).length;
  const { torqueBand: band } = filtering;
  const loads = recordings.map((recording) => loadsOf(recording, parameters));
  const torques = recordings.map((recording) => torquesOf(recording, delay));
  /** A column of one joint alone. */
  const on = (joint: number, of: (recording: Recording, r: number) => Float64Array): Float64Array[] =>
    recordings.flatMap((recording, r) =>
      names.map((_, j) => (j === joint ? seenInBand(of(recording, r), recording, band) : EMPTY)),
    );
  /** A column of all joints, of a change of the positions of one. */
  const moved = (joint: number, of: (load: Float64Array, step: number) => Float64Array): Float64Array[] =>
    recordings.flatMap((recording, r) =>
      alongChange(robot, recording, parameters, filtering, joint, of(loads[r][joint], recording.step)),
    );
  const single = names.flatMap((joint, j): Term[] => {
    if (j < bases || !recordings.every(({ groups }) => groups[j].length > 0)) return [];
    // A change of positions moves what follows, too, and by a factor of its own where loops close.
    const isEven = recordings.every(({ groups }) => groups[j].every(([, factor]) => typeof factor === 'number'));
    const isAlone = recordings.every(({ groups }) => groups[j].length === 1);
    const usual = rms(recordings.map(({ rates }) => rates[j]));
    const load = rms(loads.map((of) => of[j]));
    const term = (kind: TermKind, name: string, ...columns: Term['columns']): Term => ({ kind, joint, name, columns });
    const others = [j - 1, j + 1].filter((k) => k >= bases && k < names.length && recordings[0].groups[k].length > 0);
    return [
      ...WIDTHS.map((part) =>
        term(
          'friction curve',
          `dry friction of "${joint}" that falls with its rate over ${Number((part * usual).toPrecision(2))} rad/s or m/s (Stribeck)`,
          on(j, ({ rates, directions }) =>
            rates[j].map((v, s) => directions[j][s] * Math.exp(-((v / (part * usual)) ** 2))),
          ),
        ),
      ),
      term(
        'load',
        `dry friction of "${joint}" that grows with its load`,
        on(j, ({ directions }, r) => loads[r][j].map((x, s) => Math.abs(x) * directions[j][s])),
      ),
      term(
        'bias',
        `a bias of the torque of "${joint}", or dry friction that depends on its direction (--set torqueBias=unknown)`,
        on(j, ({ time }) => new Float64Array(time.length).fill(1)),
      ),
      term(
        'speed',
        `friction of "${joint}" that grows with the square of its rate`,
        on(j, ({ rates }) => rates[j].map((v) => v * Math.abs(v))),
      ),
      term(
        'position',
        `a spring at "${joint}"`,
        on(j, ({ positions }) => positions[j]),
      ),
      ...(isEven
        ? [
            ...TWISTS.map((part) =>
              term(
                'elastic',
                `an elastic joint "${joint}", with positions measured at the motor`,
                moved(j, (own, step) => lowPass(own, part * band, step).map((x) => -x)),
              ),
            ),
            term(
              'backlash',
              `backlash of "${joint}"`,
              moved(j, (own, step) =>
                lowPass(
                  own.map((x) => -Math.tanh(x / (TAKEN_UP * load)) / 2),
                  TAKING_UP * band,
                  step,
                ),
              ),
            ),
          ]
        : []),
      term(
        'elastic',
        `an elastic joint "${joint}", with positions measured at the link`,
        on(j, ({ step }, r) => derivative(derivative(lowPass(loads[r][j], band, step), step), step)),
      ),
      ...(names.length > bases + 1
        ? [
            term(
              'lag',
              `a delay of the torque of "${joint}" of its own`,
              on(j, ({ step }, r) => derivative(lowPass(torques[r][j], band, step), step)),
            ),
          ]
        : []),
      ...(isAlone
        ? [
            term(
              'zero',
              `another zero of the positions of "${joint}"`,
              zeros.flatMap((own) => own.map((of) => of[j])),
            ),
          ]
        : []),
      ...others.map((k) =>
        term(
          'coupled',
          `a gear that couples "${joint}" with "${names[k]}"`,
          on(j, ({ directions }) => directions[k]),
          on(j, ({ rates }) => rates[k]),
          on(j, ({ accelerations }) => accelerations[k]),
        ),
      ),
    ];
  });
  return [...single, ...ofAll(single), ...payloads(robot, recordings, band)];
}

/** Parameters of a link that a compact body on it adds to: its mass and first moment. */
const COMPACT = 4;

/** A body on the last link in one of several recordings. */
function payloads({ links }: Robot, recordings: readonly Recording[], band: number): Term[] {
  if (recordings.length < 2) return [];
  const first = LINK_PARAMETERS.length * (links.length - 1);
  return recordings.map(({ log }, carrying) => ({
    kind: 'payload',
    joint: 'all',
    name: `a payload on "${links[links.length - 1].name}" in ${log.name}`,
    columns: Array.from({ length: COMPACT }, (_, k) =>
      recordings.flatMap((recording, r) =>
        recording.columns.map(({ [first + k]: column }) =>
          r === carrying && column.length > 0 ? strided(lowPass(column, band, recording.step), recording) : EMPTY,
        ),
      ),
    ),
  }));
}

/** Names of terms that all joints have together, where it is likely that one like another has them. */
const TOGETHER: Partial<Record<TermKind, string>> = {
  'friction curve': 'dry friction that falls with the rate (Stribeck)',
  load: 'dry friction that grows with load',
  elastic: 'elastic joints',
  backlash: 'backlash',
};

/** Terms of one kind, one of each joint, as one. */
function ofAll(single: readonly Term[]): Term[] {
  const joints = new Set(single.map(({ joint }) => joint)).size;
  if (joints < 2) return [];
  return (Object.entries(TOGETHER) as [TermKind, string][]).flatMap(([kind, name]) => {
    const own = single.filter((term) => term.kind === kind);
    const each = own.length / joints;
    // Not all joints have it.
    if (!Number.isInteger(each)) return [];
    return Array.from({ length: each }, (_, k) => {
      const like = own.filter((__, i) => i % each === k);
      return { kind, joint: 'all', name: `${name}, of all joints`, columns: like.flatMap(({ columns }) => columns) };
    });
  });
}

/** Change of the torques of the links with a change of the positions of one joint over time: [joint][sample]. */
function alongChange(
  robot: Robot,
  recording: Recording,
  parameters: readonly number[],
  { torqueBand, gravity }: Filtering,
  joint: number,
  change: Float64Array,
): Float64Array[] {
  const { step, positions, rates, accelerations, groups } = recording;
  const by = new Map(groups[joint] as readonly (readonly [number, number])[]);
  const q = inBand(change, recording, torqueBand);
  const v = derivative(q, step);
  const [dq, dv, da] = [q, v, derivative(v, step)].map((of) => strided(of, recording));
  const [at, rate, acceleration] = [positions, rates, accelerations].map((of) => of.map((x) => strided(x, recording)));
  const columns = at.map(() => new Float64Array(dq.length));
  for (let s = 0; s < dq.length; s++) {
    const torque = (size: number): number[] => {
      const other = (of: readonly Float64Array[], d: Float64Array): number[] =>
        of.map((x, k) => x[s] + size * (by.get(k) ?? 0) * d[s]);
      const motion = { q: other(at, dq), v: other(rate, dv), a: other(acceleration, da) };
      return rigidTorques(robot, parameters, motion, gravity);
    };
    const [after, before] = [torque(STEP), torque(-STEP)];
    for (const [i, x] of after.entries()) columns[i][s] = (x - before[i]) / (2 * STEP);
  }
  return sumOverGroups(groups, columns);
}

const rms = (all: readonly Float64Array[]): number =>
  Math.sqrt(all.reduce((sum, of) => sum + sumOfSquares(of), 0) / all.reduce((sum, of) => sum + of.length, 0));
