import type { F32, Reader, U32 } from '@gradsim/core';
import { describeValue, GradsimError } from '@gradsim/core';
import type { GridAxes } from './axis.ts';
import { shiftedPlace } from './axis.ts';
import { indexOf } from './stencil.ts';
import type { Linear, Point } from './values.ts';
import { componentsOf, pointOf } from './values.ts';

/**
 * A node of a grid, with differences of fields at it. A field is read under the name that the kernel gives it, `u` of
 * `reads: { u: f32 }`.
 */
export interface GridNode<P extends Point = Point> {
  /** m. */
  readonly position: P;
  /** Value of the node that is `by` nodes further along each axis: `node.shift(u, [0, -1])` is the one to the left. */
  shift<V extends Linear>(field: Reader<V>, by: readonly number[]): V;
  /** Sum of second differences along all axes, in the field's unit per m^2. */
  laplacian<V extends Linear>(field: Reader<V>): V;
  /** Central differences along each axis, in the field's unit per m. */
  gradient(field: Reader<F32>): P;
  /** Sum of the central differences of each component along its axis, in the field's unit per m. */
  divergence(field: Reader<P>): F32;
}

/** Returns node `index` of a grid. */
export function nodeAt<P extends Point>(index: U32, grid: GridAxes): GridNode<P> {
  const { domain, axes, spacing } = grid;
  const places: U32[] = [];
  let rest = index;
  for (let axis = axes.length - 1; axis > 0; axis--) {
    const { size } = axes[axis];
    const rows = rest.div(size);
    places.unshift(rest.sub(rows.mul(size)));
    rest = rows;
  }
  places.unshift(rest);
  const shift = <V extends Linear>(field: Reader<V>, by: readonly number[]): V => {
    if (!Array.isArray(by) || by.length !== axes.length || !by.every(Number.isInteger))
      throw new GradsimError('dynamics/wrong-size', `grid "${domain}": shift by ${describeValue(by)}.`, {
        hint: `It takes a whole number of nodes for each of ${axes.length} axes.`,
      });
    return field.at(
      indexOf(
        places.map((k, axis) => shiftedPlace(k, by[axis], axes[axis])),
        grid,
      ),
    );
  };
  /** Values before and after the node along an axis. */
  const beside = <V extends Linear>(field: Reader<V>, axis: number): [V, V] =>
    [-1, 1].map((step) =>
      shift(
        field,
        axes.map((_, k) => (k === axis ? step : 0)),
      ),
    ) as [V, V];
  const slope = (field: Reader<Point>, axis: number, component: number): F32 => {
    const [before, after] = beside(field, axis).map((value) => componentsOf(value)[component]);
    return after.sub(before).div(2 * spacing);
  };
  return {
    position: pointOf(places.map((k, axis) => k.toF32().mul(spacing).add(axes[axis].origin))) as P,
    shift,
    laplacian: <V extends Linear>(field: Reader<V>) => {
      const around = axes.flatMap((_, axis) => beside(field, axis)) as F32[];
      const own = (field.at(index) as F32).mul(2 * axes.length);
      return around
        .reduce((sum, value) => sum.add(value))
        .sub(own)
        .mul(1 / (spacing * spacing)) as V;
    },
    gradient: (field) => pointOf(axes.map((_, axis) => slope(field, axis, 0))) as P,
    divergence: (field) => axes.map((_, axis) => slope(field, axis, axis)).reduce((sum, term) => sum.add(term)),
  };
}
