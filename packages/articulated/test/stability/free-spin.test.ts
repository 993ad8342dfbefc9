import { articulated, Link } from '@gradsim/articulated';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { expect, it } from 'vitest';

const stable = async (build: (scene: ReturnType<typeof createScene>) => void, substeps = 480) => {
  const scene = createScene([articulated()]);
  build(scene);
  const warnings: string[] = [];
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1,
    substeps,
    onWarning: (text) => warnings.push(text),
  });
  const { dt } = await simulation.stableStep();
  simulation.dispose();
  return { dt, warnings };
};
const diagonal = ([a, b, c]: readonly number[]) => [a, 0, 0, 0, b, 0, 0, 0, c];

it('the spin of a free link limits the substep as that of a rigid body does', async () => {
  const free = (w: readonly number[], moments = [1, 2, 3]) =>
    stable((scene) => {
      scene.add(
        Link,
        {
          joint: 'free',
          mass: 2,
          inertia: diagonal(moments),
          angularVelocity: [...w],
          centre: [0.3, -0.2, 0.1],
        } as never,
        'the top',
      );
    });
  // 2 E = 2 * 30^2 and m = 2: twenty times 1800 (3 - 2) (2 - 1) / (1 * 2 * 3).
  const { dt, warnings } = await free([0, 30, 0]);
  expect(Math.abs(dt * 6000 - 1)).toBeLessThan(1e-5);
  expect(warnings.join()).toMatch(/the top.*substeps/);
  expect((await free([0, 0, 30])).dt).toBeGreaterThan(1);
  expect((await free([0, 30, 0], [2, 2, 2])).warnings).toEqual([]);
});

it('counts what hangs on the link, turned and moved anyhow, as a part of it', async () => {
  // Two halves of a body, one of them on a fixed joint away from the middle.
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
  const { dt } = await stable((scene) => {
    const base = scene.add(Link, {
      joint: 'free',
      mass: 1,
      inertia: diagonal([0.5, 0.9, 1.4]),
      jointOrientation: quarter,
      angularVelocity: [0, 30, 0],
    } as never);
    // The centre of the child lies in the middle of the base again.
    scene.add(Link, {
      joint: 'fixed',
      parent: base,
      anchor: [0.2, 0, 0.1],
      centre: [-0.2, 0, -0.1],
      mass: 1,
      inertia: diagonal([0.5, 1.1, 1.6]),
    } as never);
  });
  expect(Math.abs(dt * 6000 - 1)).toBeLessThan(1e-5);
});
