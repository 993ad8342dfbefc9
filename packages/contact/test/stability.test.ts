import { ContactBox, contact, contactOf, HalfSpace, HalfSpaceMaterial } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

const mass = 0.5;
const own = { ke: 800, kd: 3, kf: 7, mu: 0.5 };

function scene(add: (scene: Scene) => void, surface: typeof own = own): Scene {
  const made = createScene([particles(), contact()]);
  const ball = made.add(Particle, { position: [0, 1, 0], mass });
  made.attach(ball, contactOf(Particle), surface);
  made.add(Particle, { position: [1, 1, 0], mass: 1e-3 }, 'light, and touches nothing');
  add(made);
  return made;
}

async function stableStep(made: Scene): Promise<number> {
  const simulation = await createSimulation(buildModel(made), {
    device: f64Device(),
    frames: 2,
    frameRate: 1e3,
    substeps: 10,
  });
  return (await simulation.stableStep()).dt;
}

/** Returns the dt with w^2 dt^2 + 2 c dt = 4, above which semi-implicit Euler with explicit damping is unstable. */
const limit = (stiffness: number, damping: number): number => {
  const [squareW, c] = [stiffness / mass, damping / mass];
  return 4 / (c + Math.sqrt(c * c + 4 * squareW));
};

describe('the largest stable substep of a particle with contact', () => {
  it("uses the particle's own material on a half-space without one, and kf where it is larger than kd", async () => {
    expect(await stableStep(scene((made) => made.add(HalfSpace, {})))).toBeCloseTo(limit(800, 1.5 * 7), 12);
  });

  // A particle that comes with v and is touched after nearly all of a substep is damped by 3/2 kd in the first of the
  // touch: it leaves with (3/2 kd dt / m - 1) v where ke is small.
  it('uses 3/2 kd, so that no particle rebounds faster than it arrived', async () => {
    const soft = { ke: 1e-3, kd: 100, kf: 0, mu: 0 };
    const made = scene((s) => s.add(HalfSpace, {}), soft);
    const stable = await stableStep(made);
    expect(stable).toBeCloseTo(limit(soft.ke, 1.5 * soft.kd), 12);
    made.add(Gravity, { acceleration: [0, 0, 0] });
    const thrownBack = async (dt: number): Promise<number> => {
      const simulation = await createSimulation(buildModel(made), {
        device: f64Device(),
        frames: 2,
        frameRate: 1 / (2 * dt),
        substeps: 2,
        onWarning: () => {},
      });
      simulation.set('particles.position', [0, 1e-4 * dt, 0, 1, 1, 0]);
      simulation.set('particles.velocity', [0, -1, 0, 0, 0, 0]);
      simulation.forward();
      return (await simulation.read('particles.velocity'))[1];
    };
    expect(await thrownBack(0.99 * stable)).toBeLessThan(1);
    expect(await thrownBack(1.01 * stable)).toBeGreaterThan(1);
  });

  it('uses the mean of particle and half-space material, of several the stiffest', async () => {
    const made = scene((s) => {
      for (const ke of [1e3, 1e4, 2e3]) {
        const ground = s.add(HalfSpace, {});
        s.attach(ground, HalfSpaceMaterial, { ke, kd: 30 });
      }
    });
    expect(await stableStep(made)).toBeCloseTo(limit((800 + 1e4) / 2, (1.5 * (3 + 30)) / 2), 12);
  });

  it('uses the mean of particle and shape material', async () => {
    const made = scene((s) => s.add(ContactBox, { size: [1, 1, 1], ke: 1200, kd: 1, kf: 1 }));
    expect(await stableStep(made)).toBeCloseTo(limit(1000, 1.5 * 4), 12);
  });

  it('is infinite if there is nothing to touch', async () => {
    expect(await stableStep(scene(() => {}))).toBe(Number.POSITIVE_INFINITY);
  });

  // Pressed onto the ground by its weight, m g / ke deep, it is a damped oscillator as long as it moves by less.
  it('is below the substep above which a resting particle, damped by kd alone, begins to oscillate', async () => {
    const rest = 1 - (mass * 9.81) / own.ke;
    const made = scene((s) => s.add(HalfSpace, { offset: 1 }));
    const stable = await stableStep(made);
    const away = async (dt: number): Promise<number> => {
      const simulation = await createSimulation(buildModel(made), {
        device: f64Device(),
        frames: 2,
        frameRate: 1 / (2000 * dt),
        substeps: 2000,
        onWarning: () => {},
      });
      simulation.set('particles.kf', [own.kd, 0]);
      simulation.set('particles.position', [0, rest - 1e-6, 0, 1, 1, 0]);
      simulation.forward();
      return Math.abs((await simulation.read('particles.position'))[1] - rest);
    };
    const normal = limit(own.ke, own.kd);
    expect(stable).toBeLessThan(normal);
    expect(await away(0.99 * normal)).toBeLessThan(1e-6);
    expect(await away(1.01 * normal)).toBeGreaterThan(1e-4);
  });
});
