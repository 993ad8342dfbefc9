import type { Component, F32, FieldOf, FieldRef, ValueType, Vec3 } from '@gradsim/core';
import { f32, field, index, u32, vec2, vec3 } from '@gradsim/core';
import type { PointsThatTouch } from '@gradsim/physics';
import { once } from '@gradsim/physics';
import { contactOf } from '../components.ts';
import { capital } from '../pairs.ts';
import { touchesOf } from '../touching.ts';

/** What contact of the surfaces between points goes by. */
export interface Search {
  readonly fields: SurfaceFields;
  readonly sizes: GridSizes;
  /** How many neighbours an element has room for. */
  readonly room: number;
  /** How far beyond touch neighbours are looked for, given dt, m. */
  readonly margin: (dt: F32) => F32;
}

/** What the grid of cubes goes by: of the points between surfaces, or of the shapes of bodies. */
export interface PointGrid {
  readonly fields: {
    readonly points: { readonly component: Pick<Component, 'domain'> };
    readonly position: FieldOf<Vec3>;
    /** 0 for what lies in no cube. */
    readonly touches: FieldOf<F32>;
    readonly world: {
      readonly cell: FieldRef<typeof f32, 'world'>;
      readonly perCell: FieldRef<typeof f32, 'world'>;
    };
    readonly runs: readonly {
      readonly bucket: FieldRef<typeof u32>;
      readonly sorted: FieldRef<typeof u32>;
    }[];
    readonly start: FieldRef<typeof u32>;
  };
  readonly sizes: Pick<GridSizes, 'points' | 'buckets'>;
}

/** How many points, triangles, cubes' buckets and parts of the search for the largest reach there are. */
export interface GridSizes {
  readonly points: number;
  readonly triangles: number;
  readonly buckets: number;
  readonly chunks: number;
}

/** Twice as many buckets as points, rounded up to a power of two, so that most hold one cube. */
export function gridSizes(points: number, triangles: number): GridSizes {
  return {
    points,
    triangles,
    buckets: 2 ** Math.ceil(Math.log2(2 * points)),
    chunks: Math.ceil(Math.sqrt(triangles)),
  };
}

/** References to fields over a domain, of these types. */
export const over = <T extends Readonly<Record<string, ValueType>>>(domain: string, types: T) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, field(domain, name, type)])) as {
    readonly [K in keyof T]: FieldRef<T[K]>;
  };

/** What kernels read of points and make over them, over triangles between them, and of the grid that they lie in. */
export type SurfaceFields = ReturnType<typeof surfaceFields>;
export const surfaceFields = once((points: PointsThatTouch) => {
  const { component, position, velocity, rest } = points;
  const { domain } = component;
  const of = capital(domain);
  const triangles = `trianglesOf${of}`;
  const { ke, kd, kf, mu, thickness } = contactOf(component);
  return {
    points,
    position,
    velocity,
    restPosition: rest!.position,
    touches: touchesOf(points),
    ke,
    kd,
    kf,
    mu,
    thickness,
    vertices: field(triangles, 'vertices', index(domain, 3)),
    corner: field(`cornersOf${of}`, 'corner', index(domain)),
    /** The connected piece of surface that a point belongs to, and the triangles that name it first. */
    ...over(domain, { piece: u32, firstTriangle: u32, triangleCount: u32 }),
    /** Of so many triangles and points, the largest reach and the thickest skin; in a world, a cube's edge and its inverse. */
    chunk: over(`chunksOf${of}`, { reach: f32, skin: f32 }),
    world: {
      cell: field('world', `cellOf${of}`, f32),
      perCell: field('world', `perCellOf${of}`, f32),
    },
    /** Points by bucket; runs are merged to and fro between two. And the first place of a bucket. */
    runs: ['', '2'].map((n) => ({
      bucket: field(domain, `contactBucket${n}`, u32),
      sorted: field(domain, `contactSorted${n}`, u32),
    })),
    start: field(`bucketsOf${of}`, 'start', u32),
    /** Points that are close to a point, and how many. */
    closePoint: field(`${domain}NearPoints`, 'closePoint', u32),
    ...over(domain, { closeCount: u32 }),
    /** Lists of neighbours; how many there are, what is wrong, and where a point was when they were looked for. */
    nearTriangle: field(`trianglesNear${of}`, 'nearTriangle', u32),
    nearPoint: field(`${domain}NearTriangles`, 'nearPoint', u32),
    ...over(domain, { nearCount: u32, crowded: vec2, searchedAt: vec3, strayed: vec3 }),
    triangle: over(triangles, { nearCount: u32, crowded: vec2 }),
  };
});
