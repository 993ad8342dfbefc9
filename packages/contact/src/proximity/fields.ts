import type { FieldRef, ValueType } from '@gradsim/core';
import { f32, field, index, u32, vec2, vec3 } from '@gradsim/core';
import type { ForceInterval, PointsThatTouch } from '@gradsim/dynamics';
import { memoise } from '@gradsim/dynamics';
import type { GridSizes, SearchMargins } from '@gradsim/dynamics/internal';
import { bucketCount } from '@gradsim/dynamics/internal';
import { contactOf } from '../components.ts';
import { capitalise } from '../pairs.ts';
import { touchesOf } from '../touching.ts';

/** Parameters of contact between the surfaces of one component's points. */
export interface Search {
  readonly fields: SurfaceFields;
  readonly sizes: SurfaceSizes;
  /** Capacity of an element's neighbour list, in entries. */
  readonly room: number;
  readonly margins: SearchMargins;
  /** Time that contact forces stand for. */
  readonly interval: ForceInterval;
}

/** Numbers of points, triangles, hash buckets, and chunks in which the largest reach is computed in parallel. */
export interface SurfaceSizes extends GridSizes {
  readonly triangles: number;
  readonly chunks: number;
}

export const gridSizes = (points: number, triangles: number): SurfaceSizes => ({
  points,
  triangles,
  buckets: bucketCount(points),
  chunks: Math.ceil(Math.sqrt(triangles)),
});

/** Creates references to fields over a domain, one per name and value type. */
export const fieldsOver = <T extends Readonly<Record<string, ValueType>>>(domain: string, types: T) =>
  Object.fromEntries(Object.entries(types).map(([name, type]) => [name, field(domain, name, type)])) as {
    readonly [K in keyof T]: FieldRef<T[K]>;
  };

/** Fields over points, over triangles between them, and over the grid, for contact between surfaces. */
export type SurfaceFields = ReturnType<typeof surfaceFields>;
export const surfaceFields = memoise((points: PointsThatTouch) => {
  const { component, position, velocity, rest } = points;
  const { domain } = component;
  const of = capitalise(domain);
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
    /**
     * Connected piece of surface that a point belongs to, and the range of triangles of which it is the first corner.
     */
    ...fieldsOver(domain, { piece: u32, firstTriangle: u32, triangleCount: u32 }),
    /**
     * `chunk`: largest reach of a triangle and largest thickness of a point in a chunk, m. `world`: edge length of a
     * grid cell, m, and its inverse.
     */
    chunk: fieldsOver(`chunksOf${of}`, { reach: f32, skin: f32 }),
    world: {
      cell: field('world', `cellOf${of}`, f32),
      perCell: field('world', `perCellOf${of}`, f32),
    },
    /**
     * Points sorted by bucket: `runs` are two buffers between which the passes of a merge sort alternate; `start` is
     * the position of each bucket's first point in the sorted list.
     */
    runs: ['', '2'].map((n) => ({
      bucket: field(domain, `contactBucket${n}`, u32),
      sorted: field(domain, `contactSorted${n}`, u32),
    })),
    start: field(`bucketsOf${of}`, 'start', u32),
    /** Lists of the points within a cell's edge length of each point, and their lengths. */
    closePoint: field(`${domain}NearPoints`, 'closePoint', u32),
    ...fieldsOver(domain, { closeCount: u32 }),
    /** Neighbour lists; their lengths, error records, and the points' positions at the last search. */
    nearTriangle: field(`trianglesNear${of}`, 'nearTriangle', u32),
    nearPoint: field(`${domain}NearTriangles`, 'nearPoint', u32),
    ...fieldsOver(domain, { nearCount: u32, crowded: vec2, searchedAt: vec3, strayed: vec3 }),
    triangle: fieldsOver(triangles, { nearCount: u32, crowded: vec2 }),
  };
});
