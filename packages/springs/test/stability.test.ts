import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';

/**
 * Model of a chain along x between two fixed ends: 40 particles of 0.1 kg, springs of 250 N/m, each particle slightly
 * displaced.
 */
function chain({ damping = 0 }) {
  const scene = createScene([particles(), springs()]);
  const ends = Array.from({ length: 42 }, (_, k) =>
    scene.add(
      Particle,
      // The highest mode moves neighbours in opposite directions.
      { position: [0.1 * k + (k % 2 ? 1e-4 : -1e-4), 0, 0], mass: 0.1, fixed: k === 0 || k === 41 ? 1 : 0 },
      `particle ${k}`,
    ),
  );
  for (let k = 1; k < ends.length; k++)
    scene.add(Spring, { ends: [ends[k - 1], ends[k]], stiffness: 250, damping, restLength: 0.1 });
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return buildModel(scene);
}

/** Returns the largest displacement from rest after 2000 substeps, relative to the initial one. */
async function growth(model: ReturnType<typeof chain>, dt: number): Promise<number> {
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / (2000 * dt),
    substeps: 2000,
    onWarning: () => {},
  });
  simulation.forward();
  const x = await simulation.read('particles.position');
  simulation.dispose();
  return Math.max(...Array.from({ length: 42 }, (_, k) => Math.abs(x[3 * k] - 0.1 * k))) / 1e-4;
}

async function stable(model: ReturnType<typeof chain>) {
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 2,
    frameRate: 60,
    substeps: 4,
  });
  return simulation.stableStep();
}

describe('the largest stable substep of a chain of springs', () => {
  // The modes of a chain of n masses between walls have w = 2 sqrt(k/m) cos(pi j / (2 (n + 1))), below 2 sqrt(k/m), and
  // semi-implicit Euler is stable for w dt < 2: dt < sqrt(m/k) = 0.02 s, the bound by rows, and for n = 40, 0.07 %
  // above.
  it('is sqrt(m/k), m mass of a particle, k stiffness of a spring; motion grows above it', async () => {
    const model = chain({});
    const { dt, element } = await stable(model);
    expect(dt).toBeCloseTo(Math.sqrt(0.1 / 250), 12);
    expect(element).toMatch(/^particle \d+$/);
    expect(await growth(model, 0.995 * dt)).toBeLessThan(20);
    expect(await growth(model, 1.005 * dt)).toBeGreaterThan(1e3);
  });

  // With damping c = kd/k w^2 the limit is w^2 dt^2 + 2 c dt = 4, w = 2 sqrt(k/m).
  it('is smaller with damping, and motion grows above it as well', async () => {
    const model = chain({ damping: 5 });
    const { dt } = await stable(model);
    const squareW = (4 * 250) / 0.1;
    const c = (4 * 5) / 0.1;
    expect(squareW * dt * dt + 2 * c * dt).toBeCloseTo(4, 9);
    expect(await growth(model, 0.99 * dt)).toBeLessThan(20);
    expect(await growth(model, 1.01 * dt)).toBeGreaterThan(1e3);
  });

  it('is reported in a warning with the mass of the particle that sets it and the values of its stiffest spring', async () => {
    const scene = createScene([particles(), springs()]);
    const [a, b, c] = [0, 1, 2].map((x) =>
      scene.add(Particle, { position: [x, 0, 0], mass: x === 1 ? 0.1 : 7 }, `p${x}`),
    );
    scene.add(Spring, { ends: [a, b], stiffness: 250, restLength: 1 }, 'the soft spring');
    scene.add(Spring, { ends: [b, c], stiffness: 4000, damping: 3, restLength: 1 }, 'the stiff spring');
    const model = buildModel(scene);
    const warnings: string[] = [];
    const onWarning = (warning: string): number => warnings.push(warning);
    const run = { device: f64Device(), frames: 2, frameRate: 60, substeps: 1, onWarning };
    const simulation = await createSimulation(model, run);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^1 substeps a frame at 60 frames a second make a substep of 16\.7 ms, above the largest stable one, about [\d.]+ ms, which p1 sets \(mass 0\.1 kg\), with the stiff spring \(stiffness 4000 N\/m, damping 3 N s\/m\): the motion may grow without bound\. Take \d+ or more substeps a frame/,
      ),
    ]);
    const { dt } = await simulation.stableStep();
    const [, enough] = /Take (\d+)/.exec(warnings[0])!;
    expect(Number(enough)).toBe(Math.ceil(1 / 60 / dt));
  });
});
