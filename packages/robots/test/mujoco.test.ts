import { readFileSync } from 'node:fs';
import { articulated, Gravity, Link } from '@gradsim/articulated';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { Robot } from '@gradsim/robots';
import { addActuators, addRobot, readMjcf, readUrdf } from '@gradsim/robots';
import { describe, expect, it } from 'vitest';

/** State of a joint in MuJoCo at the start, its acceleration there, and its final state; see `made` of the file. */
interface Joint {
  readonly name: string;
  readonly type: 'free' | 'ball' | 'slide' | 'hinge';
  readonly reference: readonly number[];
  readonly q: readonly number[];
  readonly v: readonly number[];
  readonly acceleration: readonly number[];
  readonly endQ: readonly number[];
  readonly endV: readonly number[];
}
interface Case {
  readonly name: string;
  readonly format: 'mjcf' | 'urdf';
  readonly text: string;
  readonly gravity: readonly number[];
  readonly controls: Readonly<Record<string, number>>;
  readonly joints: readonly Joint[];
}
const { steps, dt, files, cases } = JSON.parse(
  readFileSync(new URL('./fixtures/mujoco.json', import.meta.url), 'utf8'),
) as {
  readonly steps: number;
  readonly dt: number;
  readonly files: Readonly<Record<string, string>>;
  readonly cases: readonly Case[];
};

const readRobot = ({ format, text }: Case): Promise<Robot> =>
  (format === 'mjcf' ? readMjcf : readUrdf)(text, {
    readFile: (path) => new TextEncoder().encode(files[path]),
    // MuJoCo ran with its explicit Euler method.
    implicitJoints: false,
  });

/** Converts a quaternion from (w, x, y, z), as in MuJoCo, to (x, y, z, w). */
const ownOrder = ([w, x, y, z]: readonly number[]): number[] => [x, y, z, w];

function stateOf({ type, q, v, reference }: Joint) {
  if (type === 'ball') return { jointOrientation: ownOrder(q), angularVelocity: v };
  if (type === 'free') return { velocity: v.slice(0, 3), angularVelocity: v.slice(3) };
  return { coordinate: q[0] - reference[0], rate: v[0] };
}

/** Coordinates `q` and rates `v` of each joint, in MuJoCo's conventions, after so many substeps. */
async function ended(robot: Robot, of: Case, substeps: number): Promise<{ q: number[][]; v: number[][] }> {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [...of.gravity] });
  const states = Object.fromEntries(of.joints.map((joint) => [joint.name, stateOf(joint)]));
  const links = addRobot(scene, robot, { joints: states });
  addActuators(scene, robot, links, of.controls);
  const kinds = new Set(of.joints.map(({ type }) => type));
  const fields = [
    ...(kinds.has('slide') || kinds.has('hinge') ? [Link.coordinate, Link.rate] : []),
    ...(kinds.has('ball') || kinds.has('free') ? [Link.jointOrientation, Link.angularVelocity] : []),
    ...(kinds.has('free') ? [Link.translation, Link.velocity] : []),
  ];
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / (dt * substeps),
    substeps,
    outputs: fields,
  });
  simulation.forward();
  const read = new Map(
    await Promise.all(
      fields.map(async (field): Promise<[string, ArrayLike<number>]> => [field.key, await simulation.read(field)]),
    ),
  );
  simulation.dispose();
  const value = (field: { key: string }, size: number, k: number): number[] =>
    Array.from(read.get(field.key) ?? []).slice(size * k, size * k + size);
  const q: number[][] = [];
  const v: number[][] = [];
  for (const { name, type, reference } of of.joints) {
    const k = robot.links.findIndex(({ jointName }) => jointName === name);
    if (type === 'ball') {
      q.push(value(Link.jointOrientation, 4, k));
      v.push(value(Link.angularVelocity, 3, k));
    } else if (type === 'free') {
      q.push(value(Link.translation, 3, k));
      v.push([...value(Link.velocity, 3, k), ...value(Link.angularVelocity, 3, k)]);
    } else {
      q.push([value(Link.coordinate, 1, k)[0] + reference[0]]);
      v.push(value(Link.rate, 1, k));
    }
  }
  return { q, v };
}

function furthest(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  return Math.max(...a.flatMap((row, j) => row.map((x, k) => Math.abs(x - b[j][k]) / (1 + Math.abs(b[j][k])))));
}

describe('accelerations, final positions and final rates of robots equal those of MuJoCo:', () => {
  it.each(cases.map((each) => [`${each.format}, ${each.name}`, each] as const))('%s', async (_, of) => {
    const robot = await readRobot(of);
    // MuJoCo keeps the vertices of meshes in single precision.
    const tolerance = of.text.includes('<mesh') ? 1e-6 : 1e-9;
    const first = await ended(robot, of, 1);
    const accelerations = first.v.map((row, j) => row.map((x, k) => (x - of.joints[j].v[k]) / dt));
    expect(
      furthest(
        accelerations,
        of.joints.map(({ acceleration }) => acceleration),
      ),
    ).toBeLessThan(tolerance);

    const { q, v } = await ended(robot, of, steps);
    // Of a free joint, how far it has come; its turning is in its rates.
    const ends = of.joints.map(({ type, endQ, reference }) =>
      type === 'ball' ? ownOrder(endQ) : type === 'free' ? [0, 1, 2].map((k) => endQ[k] - reference[k]) : endQ,
    );
    const sameSign = q.map((row, j) =>
      of.joints[j].type === 'ball' && row.reduce((sum, x, k) => sum + x * ends[j][k], 0) < 0 ? row.map((x) => -x) : row,
    );
    expect(furthest(sameSign, ends)).toBeLessThan(10 * tolerance);
    expect(
      furthest(
        v,
        of.joints.map(({ endV }) => endV),
      ),
    ).toBeLessThan(10 * tolerance);
  });
});
