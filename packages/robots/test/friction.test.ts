import { Link } from '@gradsim/articulated';
import { buildModel, createSimulation, f64Device } from '@gradsim/core';
import type { RobotOptions } from '@gradsim/robots';
import { addRobot, readMjcf, readUrdf } from '@gradsim/robots';
import { describe, expect, it } from 'vitest';
import { ARM_MJCF, ARM_URDF } from './support/arms.ts';
import { upright } from './support/motion.ts';

/** The two-link arm as URDF, with dry friction in both joints. */
const RUBBED = ARM_URDF.replace('damping="0.02"', 'damping="0.02" friction="0.1"');

/** Elbow angle after 1 s at 32 substeps a frame, rad, and its derivatives by adjoints and by central differences. */
async function elbowOf(options: RobotOptions) {
  const scene = upright();
  const robot = await readUrdf(RUBBED, options);
  addRobot(scene, robot, { joints: { shoulder: { coordinate: 1 }, elbow: { coordinate: 0.2, rate: 3 } } });
  const starts = [
    { field: Link.dryFriction, start: robot.links.map(({ values }) => values.dryFriction ?? 0) },
    { field: Link.damping, start: robot.links.map(({ values }) => values.damping ?? 0) },
    { field: Link.coordinate, start: [0, 1, 0.2] },
  ];
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 31,
    frameRate: 30,
    substeps: 32,
    onWarning: () => {},
    parameters: starts.map(({ field }) => field),
    outputs: [Link.coordinate],
  });
  const run = async (): Promise<number> => {
    simulation.forward();
    return (await simulation.read(Link.coordinate))[2];
  };
  const angle = await run();
  simulation.backward({ [Link.coordinate.key]: [0, 0, 1] });
  const adjoints = [];
  for (const { field } of starts) adjoints.push((await simulation.gradient(field))[1]);
  const derivatives = [];
  for (const [k, { field, start }] of starts.entries()) {
    const at = async (shoulder: number): Promise<number> => {
      simulation.set(field, start.with(1, shoulder));
      return await run();
    };
    const h = 1e-6;
    const difference = ((await at(start[1] + h)) - (await at(start[1] - h))) / (2 * h);
    simulation.set(field, start);
    derivatives.push({ name: field.key, adjoint: adjoints[k], difference });
  }
  simulation.dispose();
  return { angle, derivatives };
}

describe('dry friction of a robot', () => {
  it('of a URDF arm has derivatives that agree with central differences, with and without frictionStiffness, where that of explicit joints exceeds 1e6', async () => {
    const explicit = await elbowOf({ frictionStiffness: 20, implicitJoints: false });
    // Differences say -1.7.
    expect(Math.abs(explicit.derivatives[0].adjoint)).toBeGreaterThan(1e6);
    const angles: number[] = [];
    for (const options of [{}, { frictionStiffness: 20 }]) {
      const { angle, derivatives } = await elbowOf(options);
      angles.push(angle);
      for (const { name, adjoint, difference } of derivatives) {
        expect(Math.abs(adjoint), name).toBeGreaterThan(1e-3);
        expect(Math.abs(adjoint), name).toBeLessThan(100);
        expect(Math.abs(adjoint - difference) / Math.abs(difference), name).toBeLessThan(1e-5);
      }
    }
    expect(Math.abs(angles[0] - angles[1])).toBeLessThan(0.02);
    expect(Math.abs(angles[0] - explicit.angle)).toBeLessThan(0.05);
  });

  it('is read from URDF and MJCF for implicit joints, without frictionStiffness, and not listed as ignored', async () => {
    for (const robot of [await readUrdf(RUBBED), await readMjcf(ARM_MJCF)]) {
      expect(robot.passedOver.filter((sentence) => sentence.includes('friction'))).toEqual([]);
      const shoulder = robot.links.find(({ jointName }) => jointName === 'shoulder');
      expect(shoulder?.values).toMatchObject({ dryFriction: 0.05, implicitJoint: true });
      expect(shoulder?.values).not.toHaveProperty('frictionStiffness');
    }
  });

  it('with `implicitJoints: false` and no frictionStiffness is listed as ignored; other values of the option are refused', async () => {
    const robot = await readUrdf(RUBBED, { implicitJoints: false });
    expect(robot.links.map(({ values }) => values.implicitJoint ?? false)).toEqual([false, false, false]);
    expect(robot.passedOver.filter((sentence) => sentence.includes('not implicit'))).toHaveLength(2);
    await expect(readUrdf(RUBBED, { implicitJoints: 1 as never })).rejects.toThrowCode({
      code: 'robots/unknown-choice',
      field: 'implicitJoints',
      values: [1],
    });
  });
});
