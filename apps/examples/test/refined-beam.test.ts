import { cpuDevice, createSimulation } from '@gradsim/core';
import type { SoftInstance } from '@gradsim/examples';
import { observe, RENDERERS, SOFT_KINDS } from '@gradsim/examples';
import { describe, expect, it } from 'vitest';

const device = cpuDevice();
/** Width, and also height, of the pictures, px. */
const SIZE = 24;

describe('the beam on a mesh with edges half as long', () => {
  const coarse = SOFT_KINDS.beam.draw(1, { size: SIZE, renderer: RENDERERS.softras });
  const fine: SoftInstance = { ...coarse, ...coarse.refined!(2) };

  it('has eight times the elements, the same mass, and the same end clamped', async () => {
    expect(fine.model.domain('tets').size).toBe(8 * coarse.model.domain('tets').size);
    const [before, after] = await Promise.all(
      [coarse, fine].map(async ({ model, timeline }) => {
        const simulation = await createSimulation(model, { device, ...timeline, frames: 4 });
        simulation.forward();
        const mass = await simulation.read('particles.totalMass');
        const velocity = await simulation.read('particles.velocity');
        simulation.dispose();
        const still = Array.from(mass, (_, k) => velocity.subarray(3 * k, 3 * k + 3).every((v) => v === 0));
        return { mass: mass.reduce((a, b) => a + b), still: still.filter(Boolean).length };
      }),
    );
    // Sums of hundreds of single-precision numbers.
    expect(after.mass / before.mass).toBeCloseTo(1, 5);
    // Ends of 2 x 2 and of 4 x 4 cells.
    expect([before.still, after.still]).toEqual([9, 25]);
  });

  it('looks the same at rest, and differs after five frames', async () => {
    const frames = 6;
    const [film, finer] = await Promise.all(
      [coarse, fine].map(
        async (each) => (await observe({ ...each, timeline: { ...each.timeline, frames } }, 'film', device)).target,
      ),
    );
    const each = film.length / frames;
    const apart = (n: number): number =>
      Math.max(...Array.from({ length: each }, (_, k) => Math.abs(film[n * each + k] - finer[n * each + k])));
    console.log(`largest difference of a pixel: ${apart(0)} at rest, ${apart(5)} after five frames`);
    // The same triangles of the same colours, in single precision.
    expect(apart(0)).toBeLessThan(1e-5);
    expect(apart(5)).toBeGreaterThan(0.01);
  });
});
