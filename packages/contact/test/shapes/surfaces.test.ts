import { ContactBox, ContactCapsule, ContactMesh, ContactSphere, contact, contactOf } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box, icosphere, torus } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import type { Point } from './probe.ts';
import { probe, turn } from './probe.ts';

const SEED = seedOfRun('contact surfaces');

const clamp = (x: number, most: number): number => Math.min(Math.max(x, -most), most);
const minus = (a: Point, b: Point): number[] => a.map((x, k) => x - b[k]);

/** Returns the exact signed distance to a box: outside to its nearest point, inside to the nearest of its six faces. */
const toBox =
  (size: Point) =>
  (p: Point): number => {
    const faces = p.map((x, k) => Math.abs(x) - size[k] / 2);
    if (faces.every((f) => f <= 0)) return Math.max(...faces);
    const nearest = p.map((x, k) => clamp(x, size[k] / 2));
    return Math.hypot(...minus(p, nearest));
  };
const toCapsule =
  (length: number, radius: number) =>
  ([x, y, z]: Point): number =>
    Math.hypot(x, y - clamp(y, length / 2), z) - radius;
const toSphere =
  (radius: number) =>
  (p: Point): number =>
    Math.hypot(...p) - radius;
/** Returns the exact signed distance to a torus about the y axis. */
const toTorus =
  (radius: number, tube: number) =>
  ([x, y, z]: Point): number =>
    Math.hypot(Math.hypot(x, z) - radius, y) - tube;

const CENTRE = [0.3, -0.2, 0.5];
// A rotation of 1.2 rad about (1, 2, 2) / 3.
const ORIENTATION = [1, 2, 2].map((a) => (a / 3) * Math.sin(0.6)).concat(Math.cos(0.6));
const place = (local: Point): number[] => turn(ORIENTATION, local).map((x, k) => x + CENTRE[k]);

describe('signed distances and normals of static shapes', () => {
  const shapes: [string, (scene: Scene) => void, (p: Point) => number][] = [
    [
      'box',
      (s) => s.add(ContactBox, { position: CENTRE, orientation: ORIENTATION, size: [0.6, 1, 0.4], ke: 1 }),
      toBox([0.6, 1, 0.4]),
    ],
    [
      'capsule',
      (s) =>
        s.add(ContactCapsule, {
          position: CENTRE,
          orientation: ORIENTATION,
          length: 0.8,
          radius: 0.2,
          ke: 1,
        }),
      toCapsule(0.8, 0.2),
    ],
    [
      'capsule of length 0, a sphere',
      (s) => s.add(ContactCapsule, { position: CENTRE, orientation: ORIENTATION, length: 0, radius: 0.4, ke: 1 }),
      toSphere(0.4),
    ],
    ['sphere', (s) => s.add(ContactSphere, { position: CENTRE, radius: 0.4, ke: 1 }), toSphere(0.4)],
  ];
  for (const [name, add, exact] of shapes) {
    it(`${name}: distances exact to 1e-14 m, and normals to 5e-6, inside and outside`, async () => {
      const random = randomNumbers(SEED);
      const locals = Array.from({ length: 400 }, () => [0, 1, 2].map(() => 1.8 * random() - 0.9));
      const found = await probe(add, locals.map(place), 3);
      locals.forEach((local, k) => {
        // Rounding of a few dozen operations on numbers up to 3.
        expect(Math.abs(found[k].distance - exact(local)), `${local}`).toBeLessThan(1e-14);
        // The gradient by differences over h: off by h^2 / (6 r^2) at r from an edge, below 5e-6 down to 0.2 mm from
        // one, and by rounding, 1e-16 / h.
        const h = 1e-6;
        const gradient = [0, 1, 2].map((axis) => {
          const [ahead, behind] = [local, local].map((p, side) =>
            p.map((x, a) => (a === axis ? x + (side ? -h : h) : x)),
          );
          return (exact(ahead) - exact(behind)) / (2 * h);
        });
        // Where the nearest point changes within the differences, their gradient is no unit vector: the medial axis.
        if (Math.abs(Math.hypot(...gradient) - 1) > 1e-6) return;
        turn(ORIENTATION, gradient).forEach((g, axis) => expect(found[k].normal[axis]).toBeCloseTo(g, 5));
      });
    });
  }

  it('a box’s force is continuous round edges and corners outside, and everywhere at its surface', async () => {
    const size = [0.6, 1, 0.4];
    const steps = 2000;
    // Round an edge, round a corner, both at 0.05 from the box; and through the surface beside an edge.
    const paths = [
      (t: number) => [0.3 + 0.05 * Math.cos(t * 2), 0.5 + 0.05 * Math.sin(t * 2), 0.01],
      (t: number) => [0.3 + 0.05 * Math.cos(t), 0.5 + 0.05 * Math.sin(t) * 0.8, 0.2 + 0.05 * (1 - t)],
      (t: number) => [0.3 + 0.1 * (0.5 - t), 0.45, 0.01],
    ];
    for (const path of paths) {
      const points = Array.from({ length: steps + 1 }, (_, k) => path(k / steps));
      const found = await probe((s) => s.add(ContactBox, { size, ke: 1 }), points, 0.2);
      for (let k = 0; k < steps; k++) {
        const force = (at: number): number[] => found[at].normal.map((n) => n * (0.2 - found[at].distance));
        const jump = Math.hypot(...minus(force(k + 1), force(k)));
        const step = Math.hypot(...minus(points[k + 1], points[k]));
        // |d force| <= |d distance| + depth |d normal| <= step (1 + 0.2 / distance): the normal turns with 1 / distance
        // outside, and not at all on the last path.
        const bend = path === paths[2] ? 0 : 0.2 / Math.min(found[k].distance, found[k + 1].distance);
        expect(jump).toBeLessThanOrEqual(step * (1 + bend) * 1.01);
      }
    }
  });

  it('a box’s normal inside is that of the nearest face, and jumps where two are equally near', async () => {
    const [before, after] = await probe(
      (s) => s.add(ContactBox, { size: [1, 1, 1], ke: 1 }),
      [
        [0.4001, 0.4, 0],
        [0.3999, 0.4, 0],
      ],
      1,
    );
    expect(before.normal.map((n) => Math.round(n * 1e9) / 1e9 + 0)).toEqual([1, 0, 0]);
    expect(after.normal.map((n) => Math.round(n * 1e9) / 1e9 + 0)).toEqual([0, 1, 0]);
  });
});

describe('signed distances of meshes', () => {
  /** Returns the largest error of the distance at wanted points nearer to the surface than `within`, in cells. */
  async function worst(
    mesh: ReturnType<typeof box>,
    exact: (p: Point) => number,
    resolution: number,
    within: number,
    isWanted: (p: Point) => boolean = () => true,
  ): Promise<number> {
    const random = randomNumbers(SEED + resolution);
    const longest = 1;
    const points = Array.from({ length: 8000 }, () => [0, 1, 2].map(() => 1.4 * random() - 0.7)).filter(
      (p) => Math.abs(exact(p)) < within && isWanted(p),
    );
    const found = await probe(
      (s) => s.add(ContactMesh, { mesh, resolution, position: CENTRE, orientation: ORIENTATION, ke: 1 }),
      points.map(place),
      2 * within,
    );
    const errors = points.map((p, k) => Math.abs(found[k].distance - exact(p)));
    return (Math.max(...errors) * resolution) / longest;
  }

  it('have an error of at most 0.26 cells at the edges of a box, and 0.39 at its corners', async () => {
    const mesh = box({ size: [1, 1, 1] });
    // Inside, the distance is the largest of two or three coordinates, at a corner of a cell 0 or 1: interpolated where all
    // are t of a cell, 1 - (1 - t)^n, which is t + 1/4 at most for n = 2, and t + 2 / sqrt(27) for n = 3.
    for (const resolution of [16, 32]) {
      const isCorner = (p: Point): boolean => {
        const sides = p.map(Math.abs);
        return Math.max(...sides) - Math.min(...sides) < 2 / resolution;
      };
      const error = (isWanted: (p: Point) => boolean): Promise<number> =>
        worst(mesh, toBox([1, 1, 1]), resolution, 0.08, isWanted);
      expect(await error((p) => !isCorner(p))).toBeLessThan(0.26);
      expect(await error(isCorner)).toBeLessThan(0.39);
    }
  });

  it('have an error of at most 0.03 cells plus the depth of facets on a smooth ball', async () => {
    const mesh = icosphere({ radius: 0.5, subdivisions: 4 });
    // Facets: the sagitta of the longest edge, e^2 / (8 r).
    let longest = 0;
    for (let k = 0; k < mesh.triangles.length; k += 3) {
      const [a, b] = [mesh.triangles[k], mesh.triangles[k + 1]].map((v) => mesh.positions.subarray(3 * v, 3 * v + 3));
      longest = Math.max(longest, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
    }
    // The middle of a triangle lies e^2 / (6 r) below the ball.
    const facets = longest ** 2 / (6 * 0.5);
    for (const resolution of [8, 16])
      expect(await worst(mesh, toSphere(0.5), resolution, 0.08)).toBeLessThan(0.03 + facets * resolution);
  });

  it('have an error of at most 0.1 cells plus the depth of facets on a torus, in and outside it', async () => {
    const [radius, tube] = [0.35, 0.15];
    const mesh = torus({ radius, tube, segments: 64, sides: 32 });
    // Facets: (R + r) (1 - cos(pi / 64)) along and r (1 - cos(pi / 32)) across. The tube is 2.4 cells thick, and its
    // middle, where the distance has a kink, one cell from the points: a tenth of a cell, where a wrong sign is off by
    // more.
    const facets = 0.5 * (1 - Math.cos(Math.PI / 64)) + tube * (1 - Math.cos(Math.PI / 32));
    const off = await worst(mesh, toTorus(radius, tube), 16, 0.09);
    expect(off).toBeLessThan(0.1 + facets * 16);
  });

  it('are exact to 0.04 mm along a line through a face of a box, from cell to cell up to 0.1 m outside', async () => {
    const steps = 4000;
    const thickness = 0.1;
    const points = Array.from({ length: steps + 1 }, (_, k) => [0.02, 0.45 + (0.16 * k) / steps, 0.03]);
    const found = await probe(
      (s) => s.add(ContactMesh, { mesh: box({ size: [1, 1, 1] }), ke: 1 }),
      points.filter((p) => p[1] < 0.5995),
      thickness,
    );
    const step = 0.16 / steps;
    // On a face away from edges the spline is the distance itself.
    found.forEach(({ distance }, k) => expect(Math.abs(distance - (points[k][1] - 0.5))).toBeLessThan(step));
  });

  it('use a grid for each of several meshes', async () => {
    const points = [
      [0.56, 0.1, 0.05],
      [3, 0.45, 0.02],
      [-3, 0.1, 0.27],
    ];
    const found = await probe(
      (s) => {
        s.add(ContactMesh, { mesh: box({ size: [1, 1, 1] }), resolution: 16, ke: 1 });
        s.add(ContactMesh, {
          mesh: box({ size: [2, 0.8, 0.6] }),
          position: [3, 0, 0],
          resolution: 40,
          ke: 1,
        });
        s.add(ContactMesh, {
          mesh: box({ size: [0.4, 1.2, 0.5] }),
          position: [-3, 0, 0],
          resolution: 24,
          ke: 1,
        });
      },
      points,
      0.1,
    );
    // A face's distance, but for waves from edges, at least 4 cells away: see the tests of contact.
    [0.06, 0.05, 0.02].forEach((exact, k) =>
      expect(Math.abs(found[k].distance - exact)).toBeLessThan(0.06 * (3 - Math.sqrt(8)) ** 3),
    );
  });

  it('reach to twice the initial thickness plus a cell, where the force has fallen to 0', async () => {
    const scene = createScene([particles(), contact()]);
    const heights = Array.from({ length: 81 }, (_, k) => 0.5 + 0.001 * k);
    for (const y of heights) {
      const particle = scene.add(Particle, { position: [0.02, y, 0.03], mass: 1 });
      scene.attach(particle, contactOf(Particle), { ke: 1, thickness: 0.01 });
    }
    scene.add(ContactMesh, { mesh: box({ size: [1, 1, 1] }), ke: 1 });
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 1,
    });
    simulation.set(
      'particles.thickness',
      heights.map(() => 0.5),
    );
    simulation.forward();
    const v = await simulation.read('particles.velocity');
    // Twice the thickness, and a cell.
    const reach = 2 * 0.01 + 1 / 32;
    heights.forEach((y, k) => expect(v[3 * k + 1]).toBeCloseTo(Math.max(0, reach - (y - 0.5)), 9));
  });
});
