import { articulated, fasten, Gravity, Link, Tie, ties } from '@gradsim/articulated';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { addParticles, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('ties');
const sphere = { mass: 2, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1] };

async function settled(scene: Scene, field: string) {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 0.2,
    substeps: 20_000,
  });
  simulation.forward();
  return simulation.read(field);
}

describe('ties (springs between links, bodies and particles)', () => {
  it('of each kind stretch under a weight by m g / k, k the stiffness, at rest', async () => {
    const stretch = (2 * 9.81) / 1000;
    for (const [kind, length] of [
      ['anchor', 0],
      ['rod', 0.5],
      ['rope', 0.5],
    ] as const) {
      const scene = createScene([rigid(), ties()]);
      const body = scene.add(Body, { ...sphere, position: [0, -length - 0.1, 0] });
      const held = { body, point: [0, 0.1, 0], otherPoint: [0, 0, 0] };
      scene.add(Tie, { kind, ...held, length, stiffness: 1000, damping: 60 });
      const position = await settled(scene, 'bodies.position');
      expect(position[1]).toBeCloseTo(-length - 0.1 - stretch, 9);
    }
  });

  it('state the largest stable substep: speeds stay bounded just below it, and diverge at 2.2 times it', async () => {
    const rod = [0.001, 0, 0, 0, 1 / 12, 0, 0, 0, 1 / 12];
    const scenes: Record<string, () => Scene> = {
      'an anchor at the end of a rod': () => {
        const scene = createScene([rigid(), ties()]);
        const body = scene.add(Body, { mass: 1, inertia: rod });
        scene.add(Tie, {
          kind: 'anchor',
          body,
          point: [0.5, 0, 0],
          otherPoint: [0.5, 0.01, 0],
          stiffness: 1e4,
        });
        return scene;
      },
      'a spring damper between two bodies': () => {
        const scene = createScene([rigid(), ties()]);
        const [body, other] = [-0.5, 0.5].map((x) => scene.add(Body, { ...sphere, position: [x, 0, 0] }));
        scene.add(Tie, { kind: 'rod', body, other, length: 1.01, stiffness: 1e4, damping: 100 });
        return scene;
      },
      'two anchors of a body, and a particle on a rope': () => {
        const scene = createScene([rigid(), particles(), ties()]);
        const body = scene.add(Body, { ...sphere });
        for (const x of [-0.2, 0.2])
          scene.add(Tie, {
            kind: 'anchor',
            body,
            point: [x, 0, 0],
            otherPoint: [x, 0.01, 0],
            stiffness: 1e4,
          });
        const particle = scene.add(Particle, { position: [0, -0.51, 0], mass: 0.01 });
        scene.add(Tie, { kind: 'rope', body: particle, other: body, length: 0.5, stiffness: 100 });
        return scene;
      },
    };
    for (const [what, make] of Object.entries(scenes)) {
      const weightless = (): Scene => {
        const scene = make();
        scene.add(Gravity, { acceleration: [0, 0, 0] });
        return scene;
      };
      const speedAfter = async (dt: number): Promise<number> => {
        const steps = 2000;
        const simulation = await createSimulation(buildModel(weightless()), {
          device: f64Device(),
          frames: 2,
          frameRate: 1 / (dt * steps),
          substeps: steps,
          onWarning: () => {},
        });
        simulation.forward();
        return Math.hypot(...(await simulation.read('bodies.velocity')));
      };
      const simulation = await createSimulation(buildModel(weightless()), {
        device: f64Device(),
        frames: 2,
        frameRate: 1000,
        substeps: 1,
      });
      simulation.forward();
      const limit = await simulation.stableStep();
      expect(await speedAfter(0.98 * limit.dt), what).toBeLessThan(100);
      const fast = await speedAfter(2.2 * limit.dt).catch(() => Number.POSITIVE_INFINITY);
      expect(fast > 100 || Number.isNaN(fast), `${what}: ${fast}`).toBe(true);
    }
  });

  it('of a body to itself are refused', () => {
    const scene = createScene([rigid(), ties()]);
    const body = scene.add(Body, sphere, 'the lamp');
    scene.add(Tie, { kind: 'rod', body, other: body, otherPoint: [0, 1, 0], length: 1, stiffness: 1 });
    expect(() => buildModel(scene)).toThrowCode({
      code: 'articulated/tie-to-itself',
      field: 'ties.body',
      values: ['ties.other', 'the lamp'],
    });
  });

  it('that are slack ropes have no effect: a body falls freely', async () => {
    const scene = createScene([rigid(), ties()]);
    const body = scene.add(Body, { ...sphere });
    scene.add(Tie, {
      kind: 'rope',
      body,
      otherPoint: [0, 0.1, 0],
      length: 500,
      stiffness: 1000,
      damping: 60,
    });
    const dt = 5 / 20_000;
    expect((await settled(scene, 'bodies.position'))[1]).toBeCloseTo((-9.81 * dt * dt * 20_000 * 20_001) / 2, 8);
  });

  /** Scene of an arm with a body on a rope, and a particle that is tied to both. */
  const hanging = (): Scene => {
    const scene = createScene([articulated(), rigid(), particles(), ties()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const arm = scene.add(Link, {
      joint: 'free',
      ...sphere,
      angularVelocity: [0, 0.4, 1],
      velocity: [0.3, 0, 0.1],
    });
    const lamp = scene.add(Body, { ...sphere, position: [1, -0.6, 0], velocity: [0.5, -1, 0] });
    const grain = scene.add(Particle, { position: [0.4, -0.3, 0.2], velocity: [0, 0, 1], mass: 0.3 });
    scene.add(Tie, {
      kind: 'rope',
      body: lamp,
      other: arm,
      point: [0, 0.2, 0],
      otherPoint: [0.5, 0, 0],
      length: 0.62,
      stiffness: 300,
      damping: 3,
    });
    scene.add(Tie, {
      kind: 'anchor',
      body: grain,
      other: arm,
      otherPoint: [0.4, -0.3, 0],
      stiffness: 50,
      damping: 1,
    });
    scene.add(Tie, { kind: 'rod', body: grain, other: lamp, length: 0.7, stiffness: 80, damping: 1 });
    return scene;
  };

  it('between links, bodies and particles conserve momentum', async () => {
    const simulation = await createSimulation(buildModel(hanging()), {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 500,
    });
    simulation.forward();
    const [link, body, grain] = await Promise.all(
      [Link.velocity, Body.velocity, Particle.velocity].map((field) => simulation.read(field)),
    );
    const start = [2 * 0.3 + 2 * 0.5, 2 * -1, 2 * 0.1 + 0.3];
    start.forEach((momentum, k) => {
      expect(2 * link[k] + 2 * body[k] + 0.3 * grain[k]).toBeCloseTo(momentum, 11);
    });
    expect(Math.abs(link[1])).toBeGreaterThan(0.01);
  });

  it('have derivatives that agree with central differences', async () => {
    await checkGradients(buildModel(hanging()), {
      frames: 4,
      frameRate: 5,
      substeps: 60,
      seed: SEED,
      parameters: [Tie.stiffness, Tie.damping, Tie.length, Tie.point, Link.mass, Body.velocity, Particle.mass],
      outputs: [Link.translation, Link.velocity, Body.position, Particle.position],
    });
  });

  it('of unknown entities, and ropes without a length, are refused', () => {
    const scene = createScene([rigid(), ties()]);
    const body = scene.add(Body, sphere);
    scene.add(Tie, { kind: 'rope', body, stiffness: 1 }, 'the rope');
    expect(() => buildModel(scene)).toThrowCode({
      code: 'articulated/no-length',
      field: 'ties.length',
      element: 'the rope',
      values: [0],
    });
    const other = createScene([rigid(), ties()]);
    other.add(Body, sphere);
    other.add(Tie, { kind: 'anchor', body: 77, stiffness: 1 }, 'the peg');
    expect(() => buildModel(other)).toThrowCode({
      code: 'articulated/unknown-end',
      field: 'ties.body',
      element: 'the peg',
      values: [77],
    });
  });
});

it('errors name a tie by what it connects', () => {
  const scene = createScene([particles(), articulated(), ties()]);
  const hand = scene.add(Link, { joint: 'free', mass: 1, inertia: sphere.inertia }, 'the hand');
  const rope = addParticles(scene, [0, 0, 0, 1, 0, 0], { mass: 1, name: 'rope' });
  const [, second] = fasten(scene, { link: hand, points: rope, positions: [0, 0, 0, 1, 0, 0], stiffness: 1 });
  expect(scene.describe(second)).toBe('anchor of particle 1 of particles "rope" on the hand');
});
