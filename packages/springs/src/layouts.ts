import type { Entity, Scene } from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { Spring } from './spring.ts';

type Point = readonly [number, number, number];

/** Points, and the pairs of them that springs join. */
export interface SpringLayout {
  readonly positions: readonly Point[];
  readonly pairs: readonly (readonly [number, number])[];
}

/**
 * Particles on a line from one point to another, each joined to the next.
 * @param reach also joins particles up to so many places apart, which makes the chain stiff in bending. Default 1.
 * @throws when there are fewer than two particles, or `reach` is no whole number of at least 1.
 */
export function chain(options: { from: Point; to: Point; particles: number; reach?: number }): SpringLayout {
  const { from, to, particles, reach = 1 } = options;
  requireWhole('chain', 'particles', particles, 2);
  requireWhole('chain', 'reach', reach, 1);
  const positions = Array.from({ length: particles }, (_, k) => {
    const t = k / (particles - 1);
    return [0, 1, 2].map((axis) => from[axis] + t * (to[axis] - from[axis])) as unknown as Point;
  });
  const pairs: [number, number][] = [];
  for (let apart = 1; apart <= reach; apart++)
    for (let k = 0; k + apart < particles; k++) pairs.push([k, k + apart]);
  return { positions, pairs };
}

/**
 * A rectangular net in the plane of x and z, particle by particle along x, row by row along z. Neighbours and the
 * diagonals of cells are joined.
 * @throws for fewer than two columns or rows.
 */
export function net(options: {
  columns: number;
  rows: number;
  spacing: number;
  origin?: Point;
}): SpringLayout {
  const { columns, rows, spacing, origin } = options;
  requireWhole('net', 'columns', columns, 2);
  requireWhole('net', 'rows', rows, 2);
  return lattice({ counts: [columns, 1, rows], spacing, origin });
}

/**
 * A box of particles, `counts` along x, y, z, numbered along x, then y, then z. Each is joined to all others of a
 * cell of the lattice: edges and diagonals.
 * @throws for a count below 1, or a spacing that is not above 0.
 */
export function lattice(options: {
  counts: readonly [number, number, number];
  spacing: number;
  origin?: Point;
}): SpringLayout {
  const { counts, spacing, origin = [0, 0, 0] } = options;
  counts.forEach((count, axis) => {
    requireWhole('lattice', `counts[${axis}]`, count, 1);
  });
  if (!(spacing > 0)) throw new Error(`lattice: spacing is ${spacing}; it must be above 0.`);
  const [nx, ny, nz] = counts;
  const positions: Point[] = [];
  const pairs: [number, number][] = [];
  const at = (x: number, y: number, z: number): number => x + nx * (y + ny * z);
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        positions.push([origin[0] + x * spacing, origin[1] + y * spacing, origin[2] + z * spacing]);
        for (const [dx, dy, dz] of FORWARD) {
          const [u, v, w] = [x + dx, y + dy, z + dz];
          if (u < 0 || u >= nx || v < 0 || v >= ny || w < 0 || w >= nz) continue;
          pairs.push([at(x, y, z), at(u, v, w)]);
        }
      }
    }
  }
  return { positions, pairs };
}

/** Half of the 26 neighbours of a cell: one of each opposite two. */
const FORWARD = [-1, 0, 1]
  .flatMap((dz) => [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy, dz] as const)))
  .filter(([dx, dy, dz]) => dz > 0 || (dz === 0 && (dy > 0 || (dy === 0 && dx > 0))));

function requireWhole(who: string, name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least)
    throw new Error(`${who}: ${name} is ${value}; it must be a whole number of at least ${least}.`);
}

/** What {@link addSprings} gives the particles and springs of a layout: one value for all, or one for each. */
export interface SpringOptions {
  /** Of each particle, kg. */
  readonly mass: number | ArrayLike<number>;
  /** N/m. */
  readonly stiffness: number | ArrayLike<number>;
  /** N s/m. Default 0. */
  readonly damping?: number | ArrayLike<number>;
  /** m. Default: the distances of the layout. */
  readonly restLength?: number | ArrayLike<number>;
  /** Numbers of the particles that never move. */
  readonly fixed?: readonly number[];
}

/**
 * Adds the particles and springs of a layout.
 *
 * ```ts
 * const rope = addSprings(scene, chain({ from: [0, 1, 0], to: [1, 1, 0], particles: 11 }), {
 *   mass: 0.01, stiffness: 500, damping: 0.2, fixed: [0, 10],
 * });
 * ```
 * @returns the new entities, in the layout's order.
 * @throws when a number of `fixed` is none of the layout, or values are refused by the scene.
 */
export function addSprings(
  scene: Scene,
  { positions, pairs }: SpringLayout,
  options: SpringOptions,
): { particles: Entity[]; springs: Entity[] } {
  const { mass, stiffness, damping = 0, fixed = [] } = options;
  const isFixed = new Float64Array(positions.length);
  for (const k of fixed) {
    if (!(k in positions))
      throw new Error(`addSprings: fixed names particle ${k}; the layout has ${positions.length}.`);
    isFixed[k] = 1;
  }
  const lengths = pairs.map(([i, j]) => Math.hypot(...positions[i].map((x, axis) => x - positions[j][axis])));
  const particles = scene.addMany(Particle, positions.length, {
    position: positions.flat(),
    mass: each(mass, positions.length),
    fixed: isFixed,
  });
  const springs = scene.addMany(Spring, pairs.length, {
    ends: pairs.flatMap(([i, j]) => [particles[i], particles[j]]),
    stiffness: each(stiffness, pairs.length),
    damping: each(damping, pairs.length),
    restLength: each(options.restLength ?? lengths, pairs.length),
  });
  return { particles, springs };
}

const each = (value: number | ArrayLike<number>, count: number): ArrayLike<number> =>
  typeof value === 'number' ? new Float64Array(count).fill(value) : value;
