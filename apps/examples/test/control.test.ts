// The walker, the gear and the thrown sheet: their meshes are those of the paper, what drives them reaches what is seen,
// and a short search comes nearer to the goal. All iterations are for `npm run -s bench -- control`.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { checkSolid, parseObj, parseTet, signedVolume, surfaceTriangles } from '@gradsim/mesh';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { gearMesh } from '../src/control/gear-mesh.ts';
import { errorOf, goalOf, reachProblem } from '../src/control/reach.ts';
import { CONTROL_TASKS } from '../src/control/stages.ts';
import { throwTask } from '../src/control/throw-task.ts';
import { walkerMesh } from '../src/control/walker-mesh.ts';
import { walkerTask } from '../src/control/walker-task.ts';
import walker from '../src/walker.ts';

const published = (name: string): string =>
  fileURLToPath(new URL(`../../../../shared/data/gradsim/meshes/${name}`, import.meta.url));
const hasData = existsSync(published('walker.obj'));
if (!hasData) console.log('The published meshes are not there: what is held against them is skipped.');
const device = cpuDevice();

describe('meshes of the control tasks', () => {
  it('the walker has 104 triangles of equal area, half a square cell each', () => {
    const { positions, triangles } = walkerMesh();
    expect([positions.length / 3, triangles.length / 3]).toEqual([74, 104]);
    for (let t = 0; t < 104; t++) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * t + k]);
      const [ux, uy] = [positions[b] - positions[a], positions[b + 1] - positions[a + 1]];
      const [vx, vy] = [positions[c] - positions[a], positions[c + 1] - positions[a + 1]];
      expect((ux * vy - uy * vx) / 2).toBeCloseTo((2 / 9) ** 2 / 2, 12);
    }
  });

  it('the gear has 1152 tetrahedra that fill the volume of its surface', () => {
    const { positions, tets } = gearMesh();
    expect([positions.length / 3, tets.length / 4]).toEqual([480, 1152]);
    const surface = { positions, triangles: surfaceTriangles(tets) };
    checkSolid(surface);
    let volume = 0;
    for (let t = 0; t < tets.length; t += 4) {
      const [o, ...corners] = [0, 1, 2, 3].map((k) => 3 * tets[t + k]);
      const [a, b, c] = corners.map((at) => [0, 1, 2].map((axis) => positions[at + axis] - positions[o + axis]));
      const own =
        (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
      expect(own).toBeGreaterThan(0);
      volume += own;
    }
    expect(signedVolume(surface)).toBeCloseTo(volume, 9);
  });

  it.skipIf(!hasData)('walker and gear have the extents of the published meshes', async () => {
    const text = (name: string): string => readFileSync(published(name), 'utf8');
    const walker = await parseObj(text('walker.obj'));
    const gear = await parseTet(text('gear.tet'));
    const size = (positions: ArrayLike<number>): number[] =>
      [0, 1, 2].map((axis) => {
        const along = Array.from({ length: positions.length / 3 }, (_, k) => positions[3 * k + axis]);
        return Math.max(...along) - Math.min(...along);
      });
    expect(walkerMesh().positions.length).toBe(walker.positions.length);
    expect(gearMesh().tets.length).toBe(gear.tets.length);
    size(walkerMesh().positions).forEach((s, axis) => expect(s).toBeCloseTo(size(walker.positions)[axis], 4));
    size(gearMesh().positions).forEach((s, axis) =>
      expect(Math.abs(s - size(gear.positions)[axis])).toBeLessThan(0.05),
    );
  });
});

describe('gradients of the control tasks', () => {
  it('by weights of the walker over 0.5 s agree with central differences in doubles, and on cpu with doubles', async () => {
    const { model, arrays } = walkerTask({ seed: 1, size: 16 });
    const run = {
      frames: 2,
      frameRate: 2,
      substeps: 960,
      seed: 4,
      parameters: arrays.map(({ field }) => field),
      outputs: ['world.meanPosition'],
    };
    await checkGradients(model, run);
    await checkDevices(model, { ...run, devices: [device] });
  });

  it('by the initial velocity of all particles of a thrown sheet agree with central differences over the whole flight', async () => {
    const { model, timeline } = throwTask({ seed: 1, size: 16 });
    const options = { device: f64Device(), ...timeline, record: ['world.meanPosition'] };
    const simulation = await createSimulation(model, { ...options, parameters: ['particles.velocity'] });
    const count = model.domain('particles').size;
    // How far the sheet's middle goes along (1, 2, -1) by a throw of (1, 0.3, -0.2) m/s.
    const [along, thrown, direction] = [
      [1, 2, -1],
      [1, 0.3, -0.2],
      [0.4, -0.7, 0.5],
    ];
    const reached = (step: number): number => {
      const velocity = thrown.map((v, axis) => v + step * direction[axis]);
      simulation.set(
        'particles.velocity',
        Float64Array.from({ length: 3 * count }, (_, k) => velocity[k % 3]),
      );
      simulation.forward();
      const at = simulation.readFramesSync('world.meanPosition').slice(-3);
      return at.reduce((sum, x, axis) => sum + x * along[axis], 0);
    };
    reached(0);
    simulation.backward({ 'world.meanPosition': [0, 0, 0, ...along] });
    const gradient = simulation.gradientSync('particles.velocity');
    const slope = gradient.reduce((sum, g, k) => sum + g * direction[k % 3], 0);
    const errors = [1e-3, 1e-4, 1e-5, 1e-6].map((h) => Math.abs((reached(h) - reached(-h)) / (2 * h) / slope - 1));
    simulation.dispose();
    expect(Math.min(...errors)).toBeLessThan(1e-6);
  });
});

describe('reaching the goal', () => {
  const searches = [
    ['walker', 3, 0.02],
    ['cloth-throw', 25, 0.1],
  ] as const;
  it.each(searches)(
    '%s with one image as goal cuts its error tenfold in %i iterations',
    async (name, iterations, share) => {
      const { make, size } = CONTROL_TASKS[name];
      const task = make({ seed: 1, size });
      const goal = await goalOf(task, device);
      const found = await estimate(reachProblem(task, goal, 'image', iterations), { device });
      const simulation = await createSimulation(task.model, {
        device,
        ...task.timeline,
        record: ['world.meanPosition'],
        onWarning: () => {},
      });
      simulation.forward();
      const start = errorOf(await simulation.readFrames('world.meanPosition'), goal);
      simulation.dispose();
      expect(errorOf(found.predicted['world.meanPosition'], goal)).toBeLessThan(share * start!);
    },
  );

  it('the gear with one image as goal halves its loss in the first step', async () => {
    const task = CONTROL_TASKS.gear.make({ seed: 1, size: 64 });
    const goal = await goalOf(task, device);
    const { history } = await estimate(reachProblem(task, goal, 'image', 1), { device });
    expect(history[1].loss).toBeLessThan(0.5 * history[0].loss);
  });

  it('the walker with a higher penalty on effort spends less, and still ends within 10 % of its initial distance', async () => {
    const found = async (penalty: number) => {
      const task = CONTROL_TASKS.walker.make({ seed: 5, size: 64, penalty });
      const goal = await goalOf(task, device);
      return estimate(reachProblem(task, goal, 'image', 6), { device });
    };
    const [cheap, dear] = [await found(1e-6), await found(0.1)];
    const costs = ({ parts }: typeof cheap, weight: number): number =>
      (parts['world.gaitEffort'] + parts['world.areaChange']) / weight;
    expect(costs(dear, 0.1)).toBeLessThan(costs(cheap, 1e-6));
    expect(dear.goal!.distance!).toBeLessThan(0.1 * dear.goal!.start!);
  });

  it.each([
    [{ goal: 'film' }, { code: 'optim/setting-value', values: ['"film"', 'image, state'] }],
    [{ seed: '1.5' }, { code: 'optim/setting-value', values: ['"1.5"'] }],
    [{ sed: '1' }, { code: 'optim/unknown-setting', values: ['sed'] }],
    [{ penalty: '-1' }, { code: 'optim/setting-value', values: ['"-1"'] }],
  ])('invalid settings are refused: %o', async (settings, expected) => {
    const given = settings as Record<string, string>;
    await expect(walker.stages({ settings: given, device, log: () => {} })).rejects.toThrowCode(expected);
  });
});
