import type { Bool, F32, U32 } from '@gradsim/core';
import { floor, GradsimError, Index, NO_ELEMENT, select } from '@gradsim/core';
import type { GridAxes, GridAxis, NodePlace } from './axis.ts';
import { placesAlongAxis } from './axis.ts';
import type { Linear, Point } from './values.ts';
import { componentsOf, pointOf } from './values.ts';

/** A node near a point. */
export interface StencilNode<P extends Point = Point> {
  /** Index of the node. */
  readonly node: U32;
  readonly weight: F32;
  /** From the point to the node, m. */
  readonly offset: P;
}

/** Nodes near a point, whose weights sum to 1. */
export interface Stencil<P extends Point = Point> extends Iterable<StencilNode<P>> {
  /** Sum over the nodes: `stencil.sum(({ node, weight }) => velocity.at(node).mul(weight))`. */
  sum<V extends Linear>(of: (node: StencilNode<P>) => V): V;
  /**
   * Sum of weight times value, and for each axis of weight times value times the node's offset along it, m. Axis by axis:
   * half the operations of two sums, and few values at a time, which processors keep in registers.
   */
  moments<V extends Linear>(of: (at: U32) => V): Moments<V>;
  /**
   * Calls `add` for every node with weight times (value + the sum over axes of slope times offset): the transpose of
   * {@link moments}. `slopes` has one for each axis, per m.
   */
  spread<V extends Linear>(value: V, slopes: readonly V[], add: (at: U32, value: V) => void): void;
}

/** Result of {@link Stencil.moments}. */
export interface Moments<V extends Linear> {
  readonly sum: V;
  readonly byAxis: readonly V[];
}

/** Basis function along one axis: its first node, and the weights of the nodes from there on. */
interface Spline {
  /** Whole number of the first node at the coordinate `x`, counted in nodes. */
  readonly first: (x: F32) => F32;
  /** Weights at the distance `d` from the first node, in nodes. */
  readonly weights: (d: F32) => readonly F32[];
}

const oneHalf = (x: F32): F32 => x.mul(x).mul(0.5);
const oneSixth = (x: F32): F32 => x.mul(x).mul(x).div(6);

/**
 * B-splines of degree 1 to 3. Source of their use for particles and grids: M. Steffen et al., Analysis and Reduction of
 * Quadrature Errors in the Material Point Method, 2008.
 */
export const LINEAR: Spline = { first: floor, weights: (d) => [d.neg().add(1), d] };
export const QUADRATIC: Spline = {
  first: (x) => floor(x.sub(0.5)),
  // d from 1/2 to 3/2.
  weights: (d) => {
    const middle = d.sub(1);
    return [oneHalf(d.neg().add(1.5)), middle.mul(middle).neg().add(0.75), oneHalf(d.sub(0.5))];
  },
};
export const CUBIC: Spline = {
  first: (x) => floor(x).sub(1),
  // d from 1 to 2.
  weights: (d) => {
    const [past, left] = [d.sub(1), d.neg().add(2)];
    const inner = (x: F32): F32 =>
      x
        .mul(x)
        .mul(x.sub(2))
        .mul(0.5)
        .add(2 / 3);
    return [oneSixth(left), inner(past), inner(left), oneSixth(past)];
  },
};

/** Nodes along one axis, with weight and offset. */
interface AxisNode {
  readonly place: NodePlace;
  readonly weight: F32;
  readonly offset: F32;
}

function axisNodes(x: F32, axis: GridAxis, spacing: number, { first, weights }: Spline): AxisNode[] {
  const inNodes = x.sub(axis.origin).div(spacing);
  const start = first(inNodes);
  const from = inNodes.sub(start);
  const all = weights(from);
  const places = placesAlongAxis(start, all.length, axis);
  return all.map((weight, k) => ({ place: places[k], weight, offset: from.neg().add(k).mul(spacing) }));
}

const addValues = <V extends Linear>(a: V, b: V): V => (a as F32).add(b as F32) as V;
const scaleValue = <V extends Linear>(a: V, by: F32 | number): V => (a as F32).mul(by) as V;

/** Index of the node at a place along every axis, the last one fastest; `NO_ELEMENT` beyond an edge of zeros. */
export function indexOf(places: readonly NodePlace[], { domain, axes }: GridAxes): Index {
  const ahead = places.reduce((rows, place, axis) => rows * axes[axis].size + (place.ahead ?? 0), 0);
  const first = places.map((place) => place.index).reduce((rows, k, axis) => rows.mul(axes[axis].size).add(k));
  const at = first.add(ahead);
  const isThere = places
    .flatMap((place) => place.isThere ?? [])
    .reduce<Bool | undefined>((all, one) => all?.and(one) ?? one, undefined);
  // Of this domain, so that a field over another one refuses it.
  return new Index((isThere ? select(isThere, at, NO_ELEMENT) : at).node, domain);
}

/** Returns the nodes around a point, by products of a spline along each axis. */
export function stencilAt<P extends Point>(x: P, grid: GridAxes, spline: Spline): Stencil<P> {
  const { domain, axes, spacing } = grid;
  const given = componentsOf(x).length;
  if (given !== axes.length)
    throw new GradsimError(
      'dynamics/wrong-size',
      `grid "${domain}": it has ${axes.length} axes, and a point with ${given} components was given.`,
      { hint: 'Of a vec3 in a grid of two axes, give vec2(x.x, x.y).' },
    );
  const byAxis = componentsOf(x).map((c, k) => axisNodes(c, axes[k], spacing, spline));
  const product = byAxis.reduce<AxisNode[][]>(
    (rows, nodes) => rows.flatMap((row) => nodes.map((node) => [...row, node])),
    [[]],
  );
  const nodes = product.map((row) => ({
    node: indexOf(
      row.map(({ place }) => place),
      grid,
    ),
    weight: row.map(({ weight }) => weight).reduce((a, b) => a.mul(b)),
    offset: pointOf(row.map(({ offset }) => offset)) as P,
  }));
  // Nodes are counted from the one in the middle, so that those beside it are added and subtracted, not multiplied.
  const middle = byAxis.map((along) => Math.floor((along.length - 1) / 2));
  const toMiddle = byAxis.map((along, axis) => along[middle[axis]].offset);
  const momentsFrom = <V extends Linear>(places: readonly NodePlace[], of: (at: U32) => V): Moments<V> => {
    const axis = places.length;
    if (axis === byAxis.length) return { sum: of(indexOf(places, grid)), byAxis: [] };
    const parts = byAxis[axis].map(({ place, weight }): Moments<V> => {
      const { sum, byAxis } = momentsFrom([...places, place], of);
      return { sum: scaleValue(sum, weight), byAxis: byAxis.map((moment) => scaleValue(moment, weight)) };
    });
    const steps = parts.map(({ sum }, k) => scaleValue(sum, k - middle[axis])).reduce(addValues);
    return {
      sum: parts.map(({ sum }) => sum).reduce(addValues),
      byAxis: [steps, ...parts[0].byAxis.map((_, k) => parts.map(({ byAxis }) => byAxis[k]).reduce(addValues))],
    };
  };
  const spreadFrom = <V extends Linear>(
    places: readonly NodePlace[],
    value: V,
    steps: readonly V[],
    add: (at: U32, value: V) => void,
  ): void => {
    const axis = places.length;
    if (axis === byAxis.length) {
      add(indexOf(places, grid), value);
      return;
    }
    const [step, ...others] = steps;
    byAxis[axis].forEach(({ place, weight }, k) => {
      const own = scaleValue(addValues(value, scaleValue(step, k - middle[axis])), weight);
      spreadFrom(
        [...places, place],
        own,
        others.map((other) => scaleValue(other, weight)),
        add,
      );
    });
  };
  return {
    [Symbol.iterator]: () => nodes[Symbol.iterator](),
    moments: (of) => {
      const { sum, byAxis } = momentsFrom([], of);
      return {
        sum,
        byAxis: byAxis.map((steps, axis) => addValues(scaleValue(steps, spacing), scaleValue(sum, toMiddle[axis]))),
      };
    },
    spread: (value, slopes, add) => {
      const atMiddle = slopes.map((slope, axis) => scaleValue(slope, toMiddle[axis])).reduce(addValues, value);
      spreadFrom(
        [],
        atMiddle,
        slopes.map((slope) => scaleValue(slope, spacing)),
        add,
      );
    },
    sum: (of) => nodes.map(of).reduce(addValues),
  };
}
