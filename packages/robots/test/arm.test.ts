import { Link } from '@gradsim/articulated';
import type { Robot } from '@gradsim/robots';
import { addRobot, readMjcf, readUrdf } from '@gradsim/robots';
import { describe, expect, it } from 'vitest';
import { ARM_MJCF, ARM_URDF } from './support/arms.ts';
import { furthest, positions, upright } from './support/motion.ts';

const OPTIONS = { limitStiffness: 50, limitDamping: 0.1, frictionStiffness: 5 };
const EXPLICIT = { ...OPTIONS, implicitJoints: false };

const lineOf = (word: string, text: string): number => text.split('\n').findIndex((line) => line.includes(word)) + 1;

const moved = async (robot: Robot): Promise<number[]> => {
  const scene = upright();
  addRobot(scene, robot, { joints: { elbow: { rate: 6 } } });
  return positions(scene);
};

describe('a two-link arm', () => {
  it('moves equally if read from URDF, read from MJCF, or written by hand', async () => {
    const scene = upright();
    const upper = scene.add(Link, {
      joint: 'revolute',
      anchor: [0, 0, 1],
      axis: [0, 1, 0],
      mass: 1.5,
      centre: [0, 0, -0.2],
      inertia: [0.02, 0, 0, 0, 0.02, 0, 0, 0, 0.003],
      damping: 0.1,
      dryFriction: 0.05,
      frictionStiffness: 5,
    });
    scene.add(Link, {
      parent: upper,
      joint: 'revolute',
      anchor: [0, 0, -0.4],
      axis: [0, 1, 1],
      rate: 6,
      // Turned by 0.5 about y; its inertia by a right angle about z, which swaps x and y and turns the sign of xy.
      restOrientation: [0, Math.sin(0.25), 0, Math.cos(0.25)],
      mass: 0.8,
      centre: [0.1, 0, 0],
      inertia: [0.001, -0.0005, 0, -0.0005, 0.004, 0, 0, 0, 0.0045],
      damping: 0.02,
      lower: -0.2,
      upper: 0.3,
      limitStiffness: 50,
      limitDamping: 0.1,
    });
    const byHand = await positions(scene);
    // The readers have the base as well, which does not move.
    const ofArm = (all: number[]) => all.filter((_, k) => k % 9 >= 3);
    const urdf = await moved(await readUrdf(ARM_URDF, EXPLICIT));
    const mjcf = await moved(await readMjcf(ARM_MJCF, EXPLICIT));
    expect(
      furthest(
        byHand,
        byHand.map((_, k) => byHand[k % 6]),
      ),
    ).toBeGreaterThan(0.05);
    expect(furthest(ofArm(urdf), byHand)).toBeLessThan(1e-12);
    expect(furthest(ofArm(mjcf), byHand)).toBeLessThan(1e-12);
  });

  it('has the same link and joint names, shapes and actuator from URDF and MJCF', async () => {
    const [urdf, mjcf] = [await readUrdf(ARM_URDF, OPTIONS), await readMjcf(ARM_MJCF, OPTIONS)];
    expect(urdf.links.map(({ name, jointName }) => [name, jointName]).slice(1)).toEqual(
      mjcf.links.map(({ name, jointName }) => [name, jointName]).slice(1),
    );
    for (const [k, { values }] of urdf.links.entries()) {
      const [own, other] = [values.mesh?.positions ?? [], mjcf.links[k].values.mesh?.positions ?? []];
      expect(own.length).toBe([0, 24, 486][k]);
      expect(furthest([0, ...own], [0, ...other])).toBeLessThan(1e-15);
    }
    expect(urdf.actuators).toEqual([{ name: 'elbow', kind: 'motor', link: 2, gear: 1, forceRange: [-4, 4] }]);
    expect(mjcf.actuators).toEqual(urdf.actuators);
    expect(mjcf.gravity).toEqual([0, 0, -9.81]);
  });

  it('lists ignored parts: of URDF the maximum velocity, of MJCF limits and explicit dry friction without coefficients', async () => {
    expect((await readUrdf(ARM_URDF, { ...OPTIONS, file: 'arm.urdf' })).passedOver).toEqual([
      `arm.urdf, line ${lineOf('velocity', ARM_URDF)}: <limit>: its velocity, 10, is a limit for plans of motions; it does not act.`,
    ]);
    expect((await readMjcf(ARM_MJCF, OPTIONS)).passedOver).toEqual([]);
    expect((await readMjcf(ARM_MJCF, { file: 'arm.xml', implicitJoints: false })).passedOver).toEqual([
      `arm.xml, line ${lineOf('shoulder', ARM_MJCF)}: <joint name="shoulder">: its dry friction does not act, since its joint is not implicit and there is no frictionStiffness.`,
      `arm.xml, line ${lineOf('range', ARM_MJCF)}: <joint name="elbow">: its limits do not act, since there is no limitStiffness.`,
    ]);
  });

  it('stands at the given position, rotated from z up to y up by the given orientation', async () => {
    const half = Math.SQRT1_2;
    const scene = upright();
    addRobot(scene, await readUrdf(ARM_URDF, OPTIONS), {
      position: [3, 2, 1],
      orientation: [-half, 0, 0, half],
    });
    const start = (await positions(scene)).slice(0, 9);
    // (x, y, z) of the file is (x, z, -y) from there.
    expect(furthest(start, [3, 2, 1, 3, 3, 1, 3, 2.6, 1])).toBeLessThan(1e-12);
  });
});

it('errors name links of a robot as its file does, and distinguish two robots of the same name', async () => {
  const scene = upright();
  const robot = await readUrdf(ARM_URDF, OPTIONS);
  const [first, second] = [addRobot(scene, robot), addRobot(scene, robot)];
  const lower = robot.links.findIndex(({ name }) => name === 'lower');
  expect([first, second].map((links) => scene.describe(links[lower]))).toEqual([
    'link "lower" of robot "arm"',
    'link "lower" of robot "arm" (2)',
  ]);
  const heavy = { joints: { elbow: { damping: -1 } } };
  expect(() => addRobot(scene, robot, heavy)).toThrowCode({
    code: 'core/value-out-of-range',
    field: 'links.damping',
    element: 'link "lower" of robot "arm" (3)',
  });
});
