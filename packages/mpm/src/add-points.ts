import type { Entity, Scene } from '@gradsim/core';
import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { PointComponent } from './material.ts';

/** Positions of points, x, y, z of each, m, and the volume of one, m^3. */
export interface Points {
  readonly positions: Float64Array;
  readonly volume: number;
}

/** Options of {@link pointsInBox}. */
export interface BoxOptions {
  /** Lowest and highest corner, m. With the same z in both, or none, a layer of points for two dimensions. */
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Distance between points, m: half of the grid's spacing, or a little less, suits. */
  readonly spacing: number;
  /** Returns whether to keep the point at a place: for other shapes than boxes. Default all. */
  readonly keeps?: (x: number, y: number, z: number) => boolean;
}

/**
 * Points of a box, in a regular lattice.
 *
 * ```ts
 * const ball = pointsInBox({
 *   from: [-0.1, 0, -0.1], to: [0.1, 0.2, 0.1], spacing: 0.01,
 *   keeps: (x, y, z) => Math.hypot(x, y - 0.1, z) < 0.1,
 * });
 * ```
 * @throws when the box holds no point.
 */
export function pointsInBox(options: BoxOptions): Points {
  refuseUnknownOptions<BoxOptions>('pointsInBox', options, { from: true, to: true, spacing: true, keeps: true });
  const { from, to, spacing, keeps = () => true } = options;
  if (!(typeof spacing === 'number' && spacing > 0 && Number.isFinite(spacing)))
    throw new GradsimError('mpm/option-out-of-range', `pointsInBox: spacing is ${describeValue(spacing)}.`, {
      field: 'spacing',
      hint: 'It must be a number above 0.',
    });
  const lines = [0, 1, 2].map((axis) => {
    const [low, high] = axis === 2 ? [from[2] ?? 0, to[2] ?? 0] : [from?.[axis], to?.[axis]];
    if (axis === 2 && low === high) return [low];
    const count = Math.round((high - low) / spacing);
    if (!(count >= 1))
      throw new GradsimError(
        'mpm/option-out-of-range',
        `pointsInBox: along ${'xyz'[axis]} the box goes from ${describeValue(low)} to ${describeValue(high)} m, which holds no point with a spacing of ${spacing} m.`,
        { field: 'to' },
      );
    return Array.from({ length: count }, (_, k) => low + ((k + 0.5) * (high - low)) / count);
  });
  const positions: number[] = [];
  for (const x of lines[0])
    for (const y of lines[1]) for (const z of lines[2]) if (keeps(x, y, z)) positions.push(x, y, z);
  const volume = lines
    .map((line, axis) => (axis === 2 && from[2] === to[2] ? 1 : (to[axis] - from[axis]) / line.length))
    .reduce((product, length) => product * length);
  return { positions: Float64Array.from(positions), volume };
}

/** Options of {@link addPoints}: positions, and values of columns: one for all points, or one for each. */
export type PointOptions = {
  readonly positions: ArrayLike<number>;
  /** Name of the group of points in messages, such as `point 7 of sand points "heap"`. */
  readonly name?: string;
} & { readonly [column: string]: number | ArrayLike<number> | string | undefined };

/**
 * Adds points of a material.
 *
 * ```ts
 * addPoints(scene, ElasticPoint, {
 *   ...pointsInBox({ from: [0, 0, 0], to: [0.1, 0.1, 0.1], spacing: 0.005 }),
 *   density: 1000, youngsModulus: 2e4, velocity: [0, -1, 0],
 * });
 * ```
 * @throws when the number of values fits neither one point nor all, or the scene refuses a value.
 */
export function addPoints(scene: Scene, component: PointComponent, options: PointOptions): Entity[] {
  const { positions, name, ...columns } = options;
  const given: unknown = positions;
  if (!(Array.isArray(given) || ArrayBuffer.isView(given)) || positions.length % 3 !== 0)
    throw new GradsimError('mpm/option-out-of-range', `addPoints: positions is ${describeValue(positions)}.`, {
      field: 'positions',
      hint: 'It takes x, y, z of each point in one list, such as that of pointsInBox.',
    });
  const count = positions.length / 3;
  const values = Object.fromEntries(
    Object.entries(columns).flatMap(([column, given]): [string, ArrayLike<number>][] => {
      if (given === undefined) return [];
      const one = typeof given === 'number' ? [given] : (given as ArrayLike<number>);
      const width = widthOf(component, column);
      return [[column, one.length === width ? repeated(one, count) : one]];
    }),
  );
  const group = scene.nameGroup(`${component.noun ?? component.domain}s`, name);
  return scene.addMany(component, count, { position: positions, ...values } as never, (k) => `point ${k} of ${group}`);
}

/** Numbers of a column for one point; 1 for a column that the scene will refuse. */
function widthOf(of: PointComponent, column: string): number {
  const field = (of as unknown as Record<string, { type?: { components?: number } } | undefined>)[column];
  return field?.type?.components ?? 1;
}

const repeated = (one: ArrayLike<number>, count: number): Float64Array =>
  Float64Array.from({ length: count * one.length }, (_, k) => one[k % one.length]);
