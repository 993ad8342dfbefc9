import type { Matrix3, Vector } from '@gradsim/base';
import {
  add,
  cross,
  determinant,
  dot,
  multiplyMatrices,
  rotate,
  rotationAbout,
  scale,
  transform,
  transpose,
} from '@gradsim/base';
import type { FreeFlight } from '@gradsim/recordings/poses';
import { CORNERS, GRAVITY, WIDTH } from './cube.ts';
import type { TossWithFlight } from './foretell.ts';
import type { Toss } from './toss.ts';

/** Time by which velocities of corners count beside their positions in the distance of two states, s. */
const TAU = 0.05;

/** Difference of states below which two files have the same toss, m. */
const SAME_STATE = 1e-5;

/** State of a cube as it touches the ground: positions of its corners about its centre, m, and their velocities, m/s. */
interface TouchState {
  readonly flown: TossWithFlight;
  /** Time of the touch, s after frame 0 of the recording. */
  readonly time: number;
  readonly corners: readonly Vector[];
  readonly velocities: readonly Vector[];
}

/** Two tosses whose states are alike as they touch the ground. */
export interface TossPair {
  readonly names: readonly [string, string];
  /** Root mean square over corners of the difference of positions and of velocities times 50 ms, m. */
  readonly difference: number;
  /** True if both files have the same toss, in other axes, so that the pair says nothing. */
  readonly isSame: boolean;
  /** Motion after the touch: mean distance of the centres, m, and mean angle, degrees. */
  readonly parted: MotionDifference;
  /** The same of the motions foretold from the free flights of both. */
  readonly foretoldParted: MotionDifference;
}
interface MotionDifference {
  readonly mean: number;
  readonly angle: number;
}

/** A frame in which two tosses are compared: the other toss turned about the vertical, mirrored, its faces renamed. */
interface Frame {
  readonly world: Matrix3;
  readonly body: Matrix3;
}

/** The 48 rotations and reflections that map the cube to itself. */
const SYMMETRIES: readonly Matrix3[] = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
].flatMap((axes) =>
  CORNERS.map((signs) => axes.map((axis, row) => [0, 1, 2].map((k) => (k === axis ? signs[row] : 0)))),
);

/**
 * Finds for each toss the other one whose state at the first touch is nearest, up to the symmetries of the cube, turns
 * about the vertical, reflections in a vertical plane and places on the ground, and compares what becomes of both. Pairs are
 * sorted by the difference of their states.
 * @param foretold motions from frame `flight.frame` on, by toss.
 */
export function nearestTosses(tosses: readonly TossWithFlight[], foretold: readonly Toss[]): TossPair[] {
  const touches = tosses.flatMap((flown, k) => (flown.flight.contact === null ? [] : [{ ...touchOf(flown), k }]));
  const all = touches.flatMap((a, i) => touches.slice(i + 1).map((b) => ({ a, b, ...nearestSymmetry(a, b) })));
  all.sort((x, y) => x.difference - y.difference);
  const seen = new Set<number>();
  return all.flatMap(({ a, b, difference, frame }) => {
    if (seen.has(a.k) && seen.has(b.k)) return [];
    seen.add(a.k).add(b.k);
    return [
      {
        names: [a.flown.toss.name, b.flown.toss.name],
        difference,
        isSame: difference < SAME_STATE,
        parted: motionDifference([a.flown.toss, a.time], [b.flown.toss, b.time], frame),
        foretoldParted: motionDifference(
          [foretold[a.k], a.time - timeOf(a.flown)],
          [foretold[b.k], b.time - timeOf(b.flown)],
          frame,
        ),
      },
    ];
  });
}

/** Time of the fitted state, s after frame 0 of the recording. */
const timeOf = ({ toss, flight }: TossWithFlight): number => flight.frame / toss.frameRate;

/** The state of a free flight when the lowest corner of a sharp cube reaches the ground. */
function touchOf(flown: TossWithFlight): TouchState {
  const { toss, flight } = flown;
  const contact = ((flight.contact as number) - flight.frame) / toss.frameRate;
  const lowest = (t: number): number => Math.min(...cornersAt(flight, t).map(([, , z]) => z)) + centreAt(flight, t)[2];
  // A corner comes down for some frames before the contact is seen, and would be below the ground some frames later.
  let [before, after] = [Math.max(contact - 6 / toss.frameRate, 0), contact + 3 / toss.frameRate];
  for (let turn = 0; turn < 40; turn++) {
    const middle = (before + after) / 2;
    if (lowest(middle) > 0) before = middle;
    else after = middle;
  }
  const corners = cornersAt(flight, before);
  const velocity = add(flight.velocity, scale(GRAVITY, before));
  const velocities = corners.map((corner) => add(velocity, cross(flight.angularVelocity, corner)));
  return { flown, time: before + timeOf(flown), corners, velocities };
}

const centreAt = ({ position, velocity }: FreeFlight, t: number): Vector =>
  add(add(position, scale(velocity, t)), scale(GRAVITY, (t * t) / 2));

function cornersAt({ orientation, angularVelocity }: FreeFlight, t: number): Vector[] {
  const turn = rotationAbout(angularVelocity, t);
  return CORNERS.map((corner) => rotate(turn, rotate(orientation, scale(corner, WIDTH / 2))));
}

/** The frame in which the second state is nearest to the first, and their difference. */
function nearestSymmetry(a: TouchState, b: TouchState): { difference: number; frame: Frame } {
  let best = { difference: Number.POSITIVE_INFINITY, frame: { world: SYMMETRIES[0], body: SYMMETRIES[0] } };
  const own = [...a.corners, ...a.velocities.map((v) => scale(v, TAU))];
  for (const body of SYMMETRIES) {
    const mirror: Matrix3 = [
      [1, 0, 0],
      [0, determinant(body), 0],
      [0, 0, 1],
    ];
    // Corner c of the first is where the second has corner S c.
    const at = CORNERS.map((corner) => indexOf(transform(body, corner)));
    const others = [...at.map((k) => b.corners[k]), ...at.map((k) => scale(b.velocities[k], TAU))].map((v) =>
      transform(mirror, v),
    );
    let [along, across] = [0, 0];
    own.forEach((x, k) => {
      along += x[0] * others[k][0] + x[1] * others[k][1];
      across += x[1] * others[k][0] - x[0] * others[k][1];
    });
    const turn = rotationAboutAxis(Math.atan2(across, along));
    const squares = own.reduce((sum, x, k) => {
      const apart = add(x, scale(transform(turn, others[k]), -1));
      return sum + dot(apart, apart);
    }, 0);
    const difference = Math.sqrt(squares / CORNERS.length);
    if (difference < best.difference) best = { difference, frame: { world: multiplyMatrices(turn, mirror), body } };
  }
  return best;
}

const indexOf = (corner: Vector): number => CORNERS.findIndex((other) => dot(other, corner) > 2.5);

const rotationAboutAxis = (angle: number): Matrix3 => [
  [Math.cos(angle), -Math.sin(angle), 0],
  [Math.sin(angle), Math.cos(angle), 0],
  [0, 0, 1],
];

/** Compares two motions from their touches on, at the frames of the first, as far as both go. */
function motionDifference(
  [a, touchA]: readonly [Toss, number],
  [b, touchB]: readonly [Toss, number],
  { world, body }: Frame,
): MotionDifference {
  const [startA, startB] = [motionAt(a, touchA), motionAt(b, touchB)];
  if (!startA || !startB) throw new Error(`${a.name} or ${b.name} has no pose at its touch.`);
  let [distances, angles, count] = [0, 0, 0];
  for (let t = 0; ; t += 1 / a.frameRate) {
    const [poseA, poseB] = [motionAt(a, touchA + t), motionAt(b, touchB + t)];
    if (!poseA || !poseB) break;
    const wayA = add(poseA.position, [-startA.position[0], -startA.position[1], 0]);
    const wayB = transform(world, add(poseB.position, [-startB.position[0], -startB.position[1], 0]));
    distances += Math.hypot(...wayA.map((x, k) => x - wayB[k]));
    const other = multiplyMatrices(multiplyMatrices(world, poseB.axes), body);
    const trace = poseA.axes.reduce((sum, row, k) => sum + dot(row, other[k]), 0);
    angles += Math.acos(Math.min(Math.max((trace - 1) / 2, -1), 1));
    count++;
  }
  return { mean: distances / count, angle: ((angles / count) * 180) / Math.PI };
}

/** Position and axes of a recorded body at a time between frames; undefined beyond the last, or beside a missing pose. */
function motionAt({ poses, frameRate }: Toss, t: number): { position: Vector; axes: Matrix3 } | undefined {
  const f = Math.floor(t * frameRate);
  const [before, after] = [poses[f], poses[f + 1]];
  if (!before || !after) return;
  const part = t * frameRate - f;
  const position = add(scale(before.position, 1 - part), scale(after.position, part));
  const same = before.orientation.reduce((sum, x, k) => sum + x * after.orientation[k], 0) < 0 ? -1 : 1;
  const mixed = before.orientation.map((x, k) => (1 - part) * x + part * same * after.orientation[k]);
  const length = Math.hypot(...mixed);
  const q = mixed.map((x) => x / length);
  return {
    position,
    axes: transpose([rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])]),
  };
}
