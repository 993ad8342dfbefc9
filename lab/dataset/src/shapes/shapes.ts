import { box, capsule, cone, cylinder, icosphere, type TriangleMesh, torus } from '@gradsim/mesh';
import { airplane } from './airplane.ts';
import { banana } from './banana.ts';
import type { Shape } from './cage.ts';
import { carrot } from './carrot.ts';
import { duck } from './duck.ts';
import { fish } from './fish.ts';
import { mug } from './mug.ts';
import { pear } from './pear.ts';
import { stapler } from './stapler.ts';

const shapeOfOnePart = (mesh: TriangleMesh): Shape => ({
  mesh,
  parts: new Uint8Array(mesh.triangles.length / 3),
  partNames: [mesh.name!],
});

/** The fourteen solids of the dataset, about 1 m long, with at most 250 vertices each. The first five are convex. */
export const SHAPES = {
  box: shapeOfOnePart(box({ size: [1, 0.7, 0.8] })),
  sphere: shapeOfOnePart(icosphere({ radius: 0.5, subdivisions: 2 })),
  cone: shapeOfOnePart(cone({ radius: 0.5, height: 1, segments: 24 })),
  cylinder: shapeOfOnePart(cylinder({ radius: 0.4, height: 0.9, segments: 24 })),
  capsule: shapeOfOnePart(capsule({ radius: 0.3, height: 0.5, segments: 16, rings: 4 })),
  torus: shapeOfOnePart(torus({ radius: 0.4, tube: 0.15, segments: 20, sides: 10 })),
  banana: banana(),
  pear: pear(),
  carrot: carrot(),
  fish: fish(),
  duck: duck(),
  mug: mug(),
  stapler: stapler(),
  airplane: airplane(),
} as const satisfies Readonly<Record<string, Shape>>;

/** Name of a solid of the dataset. */
export type ShapeName = keyof typeof SHAPES;

/** Names of the solids, in order. */
export const SHAPE_NAMES = Object.keys(SHAPES) as ShapeName[];

/** Returns a shape's mesh, scaled along each axis. */
export function scaledMesh(shape: ShapeName, scale: readonly number[]): TriangleMesh {
  const { mesh } = SHAPES[shape];
  return { ...mesh, positions: mesh.positions.map((x, k) => x * scale[k % 3]) };
}

/** Typical colours of parts of real objects: red, green and blue from 0 to 1. Parts not listed have none. */
export const PART_COLORS: Readonly<Record<string, readonly [number, number, number]>> = {
  peel: [0.95, 0.78, 0.12],
  tip: [0.3, 0.2, 0.08],
  stem: [0.42, 0.36, 0.12],
  skin: [0.68, 0.76, 0.2],
  blossom: [0.3, 0.22, 0.1],
  root: [0.95, 0.45, 0.08],
  leaves: [0.2, 0.55, 0.15],
  body: [0.95, 0.8, 0.15],
  head: [0.98, 0.84, 0.2],
  eyes: [0.05, 0.05, 0.06],
  bill: [0.95, 0.45, 0.1],
  fins: [0.9, 0.4, 0.15],
  outside: [0.8, 0.2, 0.2],
  inside: [0.92, 0.9, 0.85],
  handle: [0.75, 0.18, 0.18],
  base: [0.2, 0.2, 0.22],
  hinge: [0.5, 0.5, 0.53],
  magazine: [0.7, 0.7, 0.74],
  arm: [0.7, 0.12, 0.12],
  fuselage: [0.88, 0.9, 0.93],
  window: [0.12, 0.15, 0.2],
  wings: [0.6, 0.65, 0.72],
  tail: [0.15, 0.3, 0.7],
};
