import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { implicitSteps } from '@gradsim/implicit';
import { tetBox } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { expect, it } from 'vitest';

// Explicit substeps take the arm's strain at their start, implicit ones at their end: both are the same motion in the limit
// of short substeps, to the first order.
it('a block with Maxwell arms that hangs and swings moves as with explicit substeps, the difference halved with the substep', async () => {
  const endOf = async (isImplicit: boolean, substeps: number): Promise<Float64Array> => {
    const scene = createScene([particles(), fem(), ...(isImplicit ? [implicitSteps()] : [])]);
    addSoftBody(scene, tetBox({ cells: [1, 1, 1], size: [0.1, 0.1, 0.1] }), {
      mu: 2e3,
      lambda: 4e3,
      density: 1000,
      fixed: [0, 1, 2, 3],
      arms: [{ ratio: 0.5, relaxationTime: 0.02 }],
    });
    const settings = { device: f64Device(), frames: 3, frameRate: 20, substeps };
    const simulation = await createSimulation(buildModel(scene), settings);
    simulation.forward();
    const position = Float64Array.from(await simulation.read('particles.position'));
    simulation.dispose();
    return position;
  };
  const difference = (a: Float64Array, b: Float64Array): number => Math.hypot(...a.map((x, k) => x - b[k]));
  const exact = await endOf(false, 800);
  const [coarse, fine] = [await endOf(true, 40), await endOf(true, 80)];
  const ratio = difference(coarse, exact) / difference(fine, exact);
  expect(ratio).toBeGreaterThan(1.7);
  expect(ratio).toBeLessThan(2.3);
});
