import { Actuator, articulated, Gravity, Link } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { describe, expect, it, vi } from 'vitest';

type Values = Readonly<Record<string, number | boolean>>;

/** Scene of a branching tree nearly at rest, with its springs at rest and without gravity. */
function treeWith(values: Values, { implicitJoints = false, servo = 0 } = {}): Scene {
  const scene = createScene([articulated({ implicitJoints })]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const inertia = [2e-3, 0, 0, 0, 3e-3, 0, 0, 0, 2e-3];
  const body = { mass: 0.4, centre: [0.02, -0.1, 0.01], inertia, ...values };
  const limbs: Entity[] = [scene.add(Link, { ...body, joint: 'revolute', rate: 1e-9 }, 'hip')];
  const more = { ...body, parent: limbs[0], anchor: [0, -0.2, 0] };
  limbs.push(scene.add(Link, { ...more, joint: 'ball', angularVelocity: [1e-9, 0, 2e-9] }, 'neck'));
  limbs.push(scene.add(Link, { ...more, joint: 'revolute', axis: [1, 0, 0.5], mass: 0.02 }, 'knee'));
  scene.add(Link, { ...more, parent: limbs[2], joint: 'prismatic', axis: [0, 1, 0.2], mass: 0.01 }, 'foot');
  if (servo > 0) scene.add(Actuator, { link: limbs[2], gear: 2, stiffness: servo, damping: servo / 50 });
  return scene;
}

/** Growth factor of the joint rates over a run of 600 substeps. */
async function growthAt(scene: Scene, dt: number): Promise<number> {
  const [frames, substeps] = [61, 10];
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames,
    frameRate: 1 / (dt * substeps),
    substeps,
    onWarning: () => {},
    record: [Link.rate, Link.angularVelocity],
  });
  simulation.forward();
  // Values that are no longer finite have grown.
  const read = async (field: typeof Link.rate | typeof Link.angularVelocity): Promise<number> => {
    const all = await simulation.readFrames(field).catch(() => [Number.POSITIVE_INFINITY]);
    return Math.max(...Array.from(all, Math.abs));
  };
  const most = Math.max(await read(Link.rate), await read(Link.angularVelocity));
  simulation.dispose();
  return most / 1e-9;
}

const stepOf = async (scene: Scene) => {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1e6,
    substeps: 1,
    outputs: [Link.rate],
  });
  const step = await simulation.stableStep();
  simulation.dispose();
  return step;
};

describe('the largest stable substep of joints', () => {
  it('is the one above which rates grow, within 4 %: with springs, damping, dry friction and servos', async () => {
    const servo = { servo: 3 };
    for (const [values, more] of [
      [{ damping: 0.3 }, {}],
      [{ stiffness: 4, damping: 0.01 }, {}],
      [{ dryFriction: 1, frictionStiffness: 0.5, armature: 1e-3 }, {}],
      [{}, servo],
      [{ stiffness: 4, damping: 0.05 }, { implicitJoints: true }],
    ] as const) {
      const { dt, element } = await stepOf(treeWith(values, more));
      expect(element).toMatch(/knee|foot|neck|hip/);
      const name = `${JSON.stringify([values, more])}, ${dt} s`;
      expect(await growthAt(treeWith(values, more), dt * 0.97), name).toBeLessThan(20);
      expect(await growthAt(treeWith(values, more), dt * 1.04), name).toBeGreaterThan(1e3);
    }
  });

  it('for one joint is 2 m / c with damping c, or 2 sqrt(m / k) with stiffness k, and the warning names joint and damping', async () => {
    const scene = createScene([articulated()]);
    scene.add(Link, { joint: 'prismatic', mass: 2, damping: 100 }, 'slider');
    const onWarning = vi.fn();
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 10,
      substeps: 1,
      outputs: [Link.rate],
      onWarning,
    });
    expect(await simulation.stableStep()).toMatchObject({
      dt: 0.04,
      element: expect.stringContaining('slider'),
    });
    expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/slider.* sets \(.*damping 100/));
    simulation.set(Link.damping, [0]);
    simulation.set(Link.stiffness, [800]);
    expect((await simulation.stableStep()).dt).toBeCloseTo(0.1, 9);
    simulation.dispose();
  });

  it('is not limited by damping or dry friction of implicit joints', async () => {
    const values = { damping: 1e3, dryFriction: 1, frictionStiffness: 20 };
    const { dt, element } = await stepOf(treeWith(values, { implicitJoints: true }));
    expect([dt > 1e3, element]).toEqual([true, expect.any(String)]);
    expect((await stepOf(treeWith(values))).dt).toBeLessThan(1e-4);
  });
});
