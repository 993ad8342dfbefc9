import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, cylinder, icosphere } from '@gradsim/mesh';
import type { Posterior } from '@gradsim/optim';
import { findingsOf } from '@gradsim/optim';
import { LookAtCamera } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { filmCamera, outlineShapeCheck, projectedOutline } from '../../src/index.ts';
import { middleOf, reachesOf } from '../../src/outlines/reach.ts';

const SIZE = { width: 480, height: 360 };
const CAMERA = { eye: [0.3, 0.8, 2.5], target: [0, 0.4, 0], fieldOfView: 0.7 };
const NOT_CENTRED = { distortion: [-0.2, 0.06], k3: -0.03, tangential: [0.02, -0.03] };

function scene(mesh: TriangleMesh, values: { position?: number[]; orientation?: number[] }, camera: object = CAMERA) {
  const made = createScene([rigid(), projectedOutline({ ...SIZE, camera: LookAtCamera })]);
  made.add(Body, { mesh, mass: 1, ...values });
  made.add(LookAtCamera, { ...CAMERA, ...camera });
  return made;
}

async function seen(made: ReturnType<typeof createScene>): Promise<{ outline: number[]; reaches: number[] }> {
  const simulation = await createSimulation(buildModel(made), {
    device: f64Device(),
    frames: 1,
    frameRate: 30,
    substeps: 1,
    record: ['world.outlineCentroidAndSize', 'outlineRays.reach'],
  });
  simulation.forward();
  const [outline, reaches] = [
    Array.from(await simulation.readFrames('world.outlineCentroidAndSize')),
    Array.from(await simulation.readFrames('outlineRays.reach')),
  ];
  simulation.dispose();
  return { outline, reaches };
}

/** Convex hull of points, in order around it (Andrew's chain). */
function hullOf(points: readonly [number, number][]): [number, number][] {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly [number, number][]): [number, number][] => {
    const out: [number, number][] = [];
    for (const p of list) {
      for (;;) {
        const [a, b] = out.slice(-2);
        if (!b || (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

it.each([
  ['a box', box({ size: [0.4, 0.2, 0.3] }), {}],
  ['a disc', cylinder({ radius: 0.2, height: 0.1, segments: 48 }), {}],
  ['a box through a lens that distorts', box({ size: [0.4, 0.2, 0.3] }), { distortion: [-0.2, 0.05] }],
  ['a box through a lens that is not centred', box({ size: [0.4, 0.2, 0.3] }), NOT_CENTRED],
])('the outline of %s has middle, size and reaches of the hull of its projected vertices', async (_, mesh, lens) => {
  // Rotated about a general axis: of unit length.
  const [position, orientation] = [
    [0.15, 0.5, 0.2],
    [0.18, 0.36, -0.27, Math.sqrt(1 - 0.18 ** 2 - 0.36 ** 2 - 0.27 ** 2)],
  ];
  const { outline, reaches } = await seen(scene(mesh, { position, orientation }, lens));
  const camera = await filmCamera(LookAtCamera, { ...CAMERA, ...lens }, SIZE);
  const [q, w] = [orientation.slice(0, 3), orientation[3]];
  const cross = (a: number[], b: number[]): number[] =>
    [0, 1, 2].map((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
  const points = Array.from({ length: mesh.positions.length / 3 }, (_, v): [number, number] => {
    const p = Array.from(mesh.positions.slice(3 * v, 3 * v + 3));
    const t = cross(q, p).map((c, k) => c + w * p[k]);
    return camera.project(cross(q, t).map((c, k) => 2 * c + p[k] + position[k]));
  });
  const hull = hullOf(points);
  const { x, y, size } = middleOf(hull);
  [x, y, size].forEach((value, k) => {
    expect(outline[k]).toBeCloseTo(value, 3);
  });
  reachesOf([hull], x, y).forEach((reach, k) => {
    expect(reaches[k]).toBeCloseTo(reach, 3);
  });
});

it('the outline of a fine sphere mesh equals that of a ball in closed form, to 0.08 px', async () => {
  const [radius, position] = [0.2, [0.5, 0.7, 0.4]];
  const fine = await seen(scene(icosphere({ radius, subdivisions: 4 }), { position }));
  const made = createScene([
    rigid(),
    projectedOutline({ ...SIZE, camera: LookAtCamera, centre: Body.position, radius }),
  ]);
  made.add(Body, { position, mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
  made.add(LookAtCamera, CAMERA);
  const ball = await seen(made);
  [...ball.outline, ...ball.reaches].forEach((value, k) => {
    expect(Math.abs([...fine.outline, ...fine.reaches][k] - value)).toBeLessThan(0.08);
  });
});

it('gradients of the outline of a mesh by its pose and the camera agree with tangents and central differences', async () => {
  const made = scene(box({ size: [0.4, 0.2, 0.3] }), {
    position: [0.15, 0.5, 0.2],
    orientation: [0.2, 0.4, -0.3, 0.84],
  });
  const report = await checkGradients(buildModel(made), {
    frames: 1,
    frameRate: 30,
    substeps: 1,
    parameters: ['bodies.position', 'bodies.orientation', 'cameras.eye', 'cameras.fieldOfView'],
    outputs: ['world.outlineCentroidAndSize', 'outlineRays.reach'],
  });
  expect(report).toBeDefined();
});

it('outlineShapeCheck reports a square and a pentagon, compared with a disc of equal area, but not a disc with noise and a shadow', () => {
  const random = randomNumbers(seedOfRun('outlines of regular shapes', 3));
  const noise = (): number => random() - 0.5;
  const frames = 20;
  const regular = (sides: number, turn: number, radius: number): [number, number][] =>
    Array.from({ length: sides }, (_, k) => {
      const angle = turn + (2 * Math.PI * k) / sides;
      return [200 + radius * Math.cos(angle), 100 + radius * Math.sin(angle)];
    });
  const [radius, round] = [18, 120];
  const model = new Float64Array(24 * frames).fill(radius);
  const film = (sides: number) =>
    Array.from({ length: frames }, (_, f) => {
      // Radius of equal area with the circle.
      const own = radius * Math.sqrt((2 * Math.PI) / sides / Math.sin((2 * Math.PI) / sides));
      const corners = regular(sides, 0.2 * f, own);
      const reaches = reachesOf([corners], 200, 100).map((r, k) => r + 0.6 * noise() + (k === 6 ? 3 : 0));
      return { ...middleOf(corners), reaches };
    });
  const posterior = { predicted: { 'outlineRays.reach': model } as Posterior['predicted'] } as Posterior;
  expect(findingsOf(posterior, [outlineShapeCheck(film(round))])).toEqual([]);
  for (const sides of [4, 5]) {
    const [finding] = findingsOf(posterior, [outlineShapeCheck(film(sides))]);
    expect(finding.isCritical).toBe(true);
    expect(finding.note).toContain('another shape');
  }
});

it('projectedOutline() refuses a body without a mesh, and a radius without a centre', () => {
  const made = createScene([rigid(), projectedOutline({ ...SIZE, camera: LookAtCamera })]);
  made.add(Body, { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
  made.add(LookAtCamera, CAMERA);
  expect(() => buildModel(made)).toThrowCode('render/no-surface');
  expect(() => projectedOutline({ ...SIZE, camera: LookAtCamera, radius: 0.1 })).toThrowCode('film/half-ball');
});
