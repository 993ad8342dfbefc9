import { Link } from '@gradsim/articulated';
import { buildModel, createSimulation, f64Device } from '@gradsim/core';
import { addRobot, readMjcf, readUrdf } from '@gradsim/robots';
import { describe, expect, it } from 'vitest';
import { furthest, positions, upright } from './support/motion.ts';

/**
 * Mean period of a joint's swing from an initial angle of 1 rad, s: the time between upward zero crossings of its
 * coordinate, which are interpolated linearly between frames.
 */
async function periodOf(robot: Awaited<ReturnType<typeof readUrdf>>, joint: string): Promise<number> {
  const scene = upright();
  addRobot(scene, robot, { joints: { [joint]: { coordinate: 1 } } });
  const [frameRate, frames] = [200, 900];
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames,
    frameRate,
    substeps: 20,
    record: [Link.coordinate],
  });
  simulation.forward();
  const all = await simulation.readFrames(Link.coordinate);
  const count = robot.links.length;
  const which = robot.links.findIndex(({ jointName }) => jointName === joint);
  const angles = Array.from({ length: frames }, (_, k) => all[k * count + which]);
  const passages = angles.flatMap((b, k) => {
    const a = angles[k - 1];
    return k > 0 && a < 0 && b >= 0 ? [(k - 1 + a / (a - b)) / frameRate] : [];
  });
  return (passages[passages.length - 1] - passages[0]) / (passages.length - 1);
}

/** Complete elliptic integral of the first kind K(m), with the parameter m = k^2, by the arithmetic-geometric mean. */
function ellipticK(m: number): number {
  let [a, b] = [1, Math.sqrt(1 - m)];
  for (let k = 0; k < 20; k++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

describe('a physical pendulum', () => {
  // T = 4 sqrt(I / (m g d)) K(sin^2(theta0 / 2)), I about the joint; semi-implicit Euler at 0.25 ms, of which the
  // period is of second order.
  const [mass, d, inertia] = [2, 0.3, 0.05];
  const period = 4 * Math.sqrt((inertia + mass * d * d) / (mass * 9.81 * d)) * ellipticK(Math.sin(0.5) ** 2);

  it('read from URDF has the period of the elliptic integral', async () => {
    const robot = await readUrdf(`<robot name="pendulum"><link name="ceiling"/><link name="rod"><inertial>
      <origin xyz="0 0 ${-d}"/><mass value="${mass}"/><inertia ixx="${inertia}" iyy="${inertia}" izz="0"/>
      </inertial></link><joint name="pin" type="continuous"><parent link="ceiling"/><child link="rod"/></joint></robot>`);
    expect(Math.abs((await periodOf(robot, 'pin')) / period - 1)).toBeLessThan(1e-5);
  });

  it("read from MJCF has that period too, with its joint away from the body's origin", async () => {
    const robot = await readMjcf(`<mujoco><worldbody><body pos="1 2 3"><joint name="pin" pos="0.1 0 0.3" axis="1 0 0"/>
      <inertial pos="0.1 0 0" mass="${mass}" diaginertia="${inertia} ${inertia} 0"/></body></worldbody></mujoco>`);
    expect(Math.abs((await periodOf(robot, 'pin')) / period - 1)).toBeLessThan(1e-5);
  });
});

const bodyOf = async (inside: string, compiler = '') =>
  (await readMjcf(`<mujoco>${compiler}<worldbody><body><freejoint/>${inside}</body></worldbody></mujoco>`)).links[0]
    .values;

describe('shapes in MJCF files have the masses and moments of inertia of solids', () => {
  it.each([
    [
      'a box',
      'type="box" size="0.5 1 1.5" density="2"',
      12,
      [12 * (4 + 9), 12 * (1 + 9), 12 * (1 + 4)].map((x) => x / 12),
    ],
    ['a ball', 'size="2" mass="5"', 5, [8, 8, 8]],
    ['an ellipsoid', 'type="ellipsoid" size="1 2 3" mass="5"', 5, [13, 10, 5]],
    ['a cylinder', 'type="cylinder" size="2 3" mass="6"', 6, [24, 24, 12]],
    // Of no length but for its ends, a capsule is a ball.
    ['a capsule of hardly any length (as a ball)', 'type="capsule" size="2 1e-9" mass="5"', 5, [8, 8, 8]],
  ])('%s', async (_, geom, mass, moments) => {
    const values = await bodyOf(`<geom ${geom}/>`);
    expect(values.mass).toBeCloseTo(mass, 9);
    expect(
      furthest(
        [0, 4, 8].map((k) => values.inertia[k]),
        moments,
      ),
    ).toBeLessThan(1e-7);
  });

  it('a capsule: moments of inertia within 2 % of those of its mesh', async () => {
    const { massProperties } = await import('@gradsim/mesh');
    const values = await bodyOf('<geom type="capsule" size="0.2 0.5" mass="3"/>');
    const { inertia } = massProperties(values.mesh as NonNullable<typeof values.mesh>, { mass: 3 });
    for (const k of [0, 4, 8]) expect(Math.abs(values.inertia[k] / inertia[k] - 1)).toBeLessThan(0.02);
  });

  it('two shapes of one link: by the parallel axis theorem', async () => {
    const values = await bodyOf('<geom size="1" mass="1" pos="0 0 3"/><geom size="1" mass="3" pos="0 0 -1"/>');
    expect(furthest(values.centre, [0, 0, 0])).toBeLessThan(1e-12);
    expect(furthest(values.inertia, [13.6, 0, 0, 0, 13.6, 0, 0, 0, 1.6])).toBeLessThan(1e-12);
  });
});

describe('each notation of orientations in MJCF equals its quaternion:', () => {
  const [c, s] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)];
  it.each([
    ['quat, not of length 1', '', `quat="${2 * c} ${2 * s} 0 0"`, [s, 0, 0, c]],
    ['axisangle', '', 'axisangle="3 0 0 60"', [s, 0, 0, c]],
    ['axisangle in radians', '<compiler angle="radian"/>', `axisangle="1 0 0 ${Math.PI / 3}"`, [s, 0, 0, c]],
    ['euler about turned axes', '', 'euler="90 90 0"', [0.5, 0.5, 0.5, 0.5]],
    ['euler about fixed axes', '<compiler eulerseq="XYZ"/>', 'euler="90 90 0"', [0.5, 0.5, -0.5, 0.5]],
    ['euler in another order', '<compiler eulerseq="zyx"/>', 'euler="0 0 60"', [s, 0, 0, c]],
    ['xyaxes', '', 'xyaxes="0 2 0 0 1 5"', [0.5, 0.5, 0.5, 0.5]],
    ['zaxis', '', 'zaxis="0 -7 0"', [Math.SQRT1_2, 0, 0, Math.SQRT1_2]],
  ])('%s', async (_, compiler, given, expected) => {
    const robot = await readMjcf(
      `<mujoco>${compiler}<worldbody><body ${given}><geom size="1"/></body></worldbody></mujoco>`,
    );
    expect(furthest(robot.links[0].values.restOrientation, expected)).toBeLessThan(1e-12);
  });
});

describe('several joints in one MJCF body', () => {
  it('move it like a chain of massless bodies with one joint each', async () => {
    const inner = '<inertial pos="0.3 0 0.1" mass="2" diaginertia="0.02 0.03 0.04"/>';
    const joints = [
      '<joint name="a" type="slide" axis="1 0 0"/>',
      '<joint name="b" axis="0 1 0" pos="0.1 0.2 0"/>',
      '<joint name="c" axis="0 0 1" pos="0 -0.1 0.3" ref="10" range="0 20" stiffness="1"/>',
    ];
    const together = `<body pos="1 0 2" euler="0 30 0">${joints.join('')}${inner}</body>`;
    const small = '<inertial pos="0 0 0" mass="0" diaginertia="0 0 0"/>';
    const apart = `<body pos="1 0 2" euler="0 30 0">${joints[0]}${small}<body>${joints[1]}${small}<body>${joints[2]}${inner}</body></body></body>`;
    const runs = [];
    for (const body of [together, apart]) {
      const robot = await readMjcf(`<mujoco><worldbody>${body}</worldbody></mujoco>`, { limitStiffness: 10 });
      const { lower, upper, restCoordinate } = robot.links[2].values;
      const degree = Math.PI / 180;
      expect(
        furthest([lower ?? 0, upper ?? 0, restCoordinate ?? 0], [-10 * degree, 10 * degree, -10 * degree]),
      ).toBeLessThan(1e-12);
      const scene = upright();
      addRobot(scene, robot, { joints: { a: { rate: 1 }, b: { rate: -2 }, c: { rate: 3 } } });
      runs.push(await positions(scene));
    }
    expect(furthest(runs[0], runs[1])).toBeLessThan(1e-12);
  });
});
