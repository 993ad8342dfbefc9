import { addCloth, cloth } from '@gradsim/cloth';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { Gravity, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

type Options = Omit<Parameters<typeof addCloth>[2], 'density'>;
const mesh = plane({ size: [0.6, 0.6], segments: [6, 6] });

function sheet(options: Options) {
  const scene = createScene([particles(), cloth()]);
  addCloth(scene, mesh, { density: 0.3, ...options });
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return buildModel(scene);
}

/** Ratio of the largest particle speed after 3000 substeps to that at the start; Infinity if the run failed. */
async function growth(model: ReturnType<typeof sheet>, dt: number): Promise<number> {
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / (3000 * dt),
    substeps: 3000,
    onWarning: () => {},
  });
  // Noise of all wavelengths, small compared with the cells.
  simulation.set(
    'particles.velocity',
    Float64Array.from(mesh.positions, (_, k) => 1e-6 * Math.sin(k * k * 12.9898)),
  );
  simulation.forward();
  try {
    return Math.max(...(await simulation.read('particles.velocity')).map(Math.abs)) / 1e-6;
  } catch {
    return Number.POSITIVE_INFINITY;
  } finally {
    simulation.dispose();
  }
}

describe('the largest stable substep of a cloth', () => {
  // Sums of the norms of blocks exceed the eigenvalues that they bound; on these meshes by less than 2.5 in the step.
  for (const [name, options] of Object.entries<Options>({
    membrane: { mu: 500, lambda: 800 },
    'membrane with damping': { mu: 500, lambda: 800, damping: 0.5 },
    bending: { mu: 1, lambda: 1, bendStiffness: 2 },
    'bending with damping': { mu: 1, lambda: 1, bendStiffness: 0.5, bendDamping: 0.02 },
  })) {
    it(`keeps its motion bounded (${name}), and 2.5 times it does not`, async () => {
      const model = sheet(options);
      const simulation = await createSimulation(model, {
        device: f64Device(),
        frames: 2,
        frameRate: 1,
        substeps: 1e5,
      });
      const { dt } = await simulation.stableStep();
      simulation.dispose();
      expect(await growth(model, 0.99 * dt)).toBeLessThan(10);
      expect(await growth(model, 2.5 * dt)).toBeGreaterThan(1e3);
    });
  }
});
