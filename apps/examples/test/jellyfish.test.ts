// The jellyfish: its bell is round, gradients of its weights are right through a beat, and a short search has it rise.
import { cpuDevice } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { findHinges } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { afterAll, expect, it } from 'vitest';
import { bellMesh } from '../src/control/bell-mesh.ts';
import { jellyfishTask } from '../src/control/jellyfish-task.ts';

const device = cpuDevice();
afterAll(() => device.dispose());

it("the jellyfish's bell is part of an ellipsoid 2 m wide whose triangles face outwards", () => {
  const { positions, triangles } = bellMesh();
  const point = (v: number): number[] => Array.from(positions.subarray(3 * v, 3 * v + 3));
  for (let v = 0; v < positions.length / 3; v++) {
    const [x, y, z] = point(v);
    expect(x * x + (y / 0.9) ** 2 + z * z).toBeCloseTo(1, 12);
  }
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = Array.from(triangles.subarray(t, t + 3), point);
    const [u, w] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
    const normal = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]];
    expect(normal.reduce((sum, n, k) => sum + n * (a[k] + b[k] + c[k]), 0)).toBeGreaterThan(0);
  }
  // An open sheet without a hole has V - E + F = 1, and only its last ring of 16 edges has no hinge.
  const edges = findHinges(bellMesh()).length / 4 + 16;
  expect(positions.length / 3 - edges + triangles.length / 3).toBe(1);
});

it("gradients of the jellyfish's weights through one beat agree with central differences, in doubles and on cpu", async () => {
  const { model, arrays } = jellyfishTask({ seed: 2, size: 16 });
  const run = {
    frames: 4,
    frameRate: 3,
    substeps: 320,
    seed: 5,
    parameters: arrays.map(({ field }) => field),
    outputs: ['world.momentum'],
  };
  await checkGradients(model, run);
  await checkDevices(model, { ...run, devices: [device] });
});

it('the jellyfish stays 1 m from its goal without training, and comes within 0.5 m after 15 iterations', async () => {
  const { model, film, arrays, loss, goal } = jellyfishTask({ seed: 1, size: 16 });
  const search = (iterations: number) =>
    estimate(
      {
        model,
        ...film,
        arrays,
        losses: [loss],
        goal,
        options: { search: { method: 'adam', iterations, learningRate: 0.03 } },
      },
      { device },
    );
  const [before, after] = [await search(0), await search(15)];
  expect(Math.abs(1 - before.goal!.distance!)).toBeLessThan(0.02);
  expect(after.goal!.distance!).toBeLessThan(0.5);
});
