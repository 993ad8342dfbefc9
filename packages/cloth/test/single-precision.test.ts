import { addCloth, cloth } from '@gradsim/cloth';
import type { Device, Model } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

/** Light and stiff sheets, whose buckling amplifies the last digits of their strain. */
const SHEETS = [
  { mu: 363, lambda: 3870, density: 0.066, damping: 0.064, substeps: 353 },
  { mu: 2785, lambda: 8843, density: 0.101, damping: 0.0047, bendStiffness: 0.0018, substeps: 503 },
  { mu: 359, lambda: 107, density: 0.049, damping: 0.031, substeps: 174 },
  { mu: 8341, lambda: 2888, density: 0.019, damping: 0, substeps: 1352 },
];

/** A sheet in the wind that is held at two corners; `away` displaces its points by up to that height, m. */
function hung({ substeps: _, ...material }: (typeof SHEETS)[number], away = 0): Model {
  const scene = createScene([particles(), cloth({ wind: [1, 0, 0.5] })]);
  const sheet = plane({ size: [0.5, 0.5], segments: [6, 6] });
  const positions = sheet.positions.map((x, k) => (k % 3 === 1 ? 1 + 0.002 * Math.sin(k) + away * Math.cos(7 * k) : x));
  addCloth(scene, { ...sheet, positions }, { ...material, drag: 0.2, lift: 0.1, fixed: [0, 6] });
  return buildModel(scene);
}

/** Gradients of the summed height of all points after half a second, one array of all parameters. */
async function slopes(model: Model, device: Device, substeps: number): Promise<number[]> {
  const simulation = await createSimulation(model, {
    device,
    frames: 16,
    frameRate: 30,
    substeps,
    parameters: ['triangles.mu', 'world.wind', 'particles.velocity'],
    outputs: ['particles.position'],
  });
  simulation.forward();
  simulation.backward({
    'particles.position': Float64Array.from({ length: 3 * 49 }, (_, k) => Number(k % 3 === 1)),
  });
  const [mu, wind, velocity] = await Promise.all(
    (['triangles.mu', 'world.wind', 'particles.velocity'] as const).map((key) => simulation.gradient(key)),
  );
  simulation.dispose();
  // Each about as large as the others.
  const [stiffness] = model.field('triangles.mu').values as ArrayLike<number> as number[];
  return [...Array.from(mu, (x) => x * stiffness), ...wind, ...velocity];
}

const apart = (a: readonly number[], b: readonly number[]): number =>
  Math.hypot(...a.map((x, k) => x - b[k])) / Math.hypot(...b);

describe('gradients of light, stiff cloth in single precision', () => {
  it.each(SHEETS)('agree with doubles to 0.02: mu $mu, lambda $lambda, density $density', async (sheet) => {
    const inDoubles = await slopes(hung(sheet), f64Device(), sheet.substeps);
    const error = apart(await slopes(hung(sheet), cpuDevice(), sheet.substeps), inDoubles);
    // Effect of a tenth of a micrometre, the rounding of a height of 1 m to single precision.
    const moved = apart(await slopes(hung(sheet, 1e-7), f64Device(), sheet.substeps), inDoubles);
    console.log(`${error.toExponential(1)} off; by 1e-7 m: ${moved.toExponential(1)}`);
    expect(error).toBeLessThan(0.02);
    expect(error).toBeLessThan(moved / 10);
  });
});
