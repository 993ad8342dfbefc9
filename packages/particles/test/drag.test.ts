import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import { Gravity, Particle, ParticleDrag, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { dragParticle } from '../src/drag.ts';

const thrown = (air: { quadraticDrag?: number; linearDrag?: number }, gravity: number[]) => {
  const scene = createScene([particles()]);
  scene.add(Gravity, { acceleration: gravity });
  const ball = scene.add(Particle, { position: [0, 0, 0], velocity: [3, 4, 0], mass: 0.2 });
  scene.attach(ball, ParticleDrag, air);
  return buildModel(scene);
};
const speedAfter = async (
  seconds: number,
  air: { quadraticDrag?: number; linearDrag?: number },
  gravity = [0, 0, 0],
) => {
  const simulation = await createSimulation(thrown(air, gravity), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps: 20_000,
  });
  simulation.forward();
  const velocity = await simulation.read(Particle.velocity);
  simulation.dispose();
  return Math.hypot(...velocity);
};

describe('drag of particles, quadratic c or linear d,', () => {
  it('slows a particle as v0 / (1 + c v0 t) or v0 exp(-d t)', async () => {
    // First order in a substep of 50 microseconds.
    expect(await speedAfter(1, { quadraticDrag: 0.3 })).toBeCloseTo(5 / (1 + 0.3 * 5), 3);
    expect(await speedAfter(1, { linearDrag: 0.7 })).toBeCloseTo(5 * Math.exp(-0.7), 3);
  });

  it('leads in free fall to the speed v at which c v^2 = g or d v = g', async () => {
    expect(await speedAfter(20, { quadraticDrag: 0.5 }, [0, -9.81, 0])).toBeCloseTo(Math.sqrt(9.81 / 0.5), 4);
    expect(await speedAfter(20, { linearDrag: 2 }, [0, -9.81, 0])).toBeCloseTo(9.81 / 2, 4);
  });

  it('has derivatives that agree with differences, at rest too', async () => {
    await checkKernel(dragParticle);
    await checkGradients(thrown({ quadraticDrag: 0.3, linearDrag: 0.2 }, [0, -9.81, 0]), {
      frames: 4,
      frameRate: 10,
      substeps: 20,
      outputs: [Particle.position, Particle.velocity],
      parameters: [ParticleDrag.quadraticDrag, ParticleDrag.linearDrag, Particle.velocity],
    });
  });

  it('is refused if c is negative', () => {
    expect(() => thrown({ quadraticDrag: -1 }, [0, 0, 0])).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'particleDrag.quadraticDrag',
      values: [-1],
    });
  });
});
