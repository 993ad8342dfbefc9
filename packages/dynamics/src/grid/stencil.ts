import type { Bool, F32, U32 } from '@gradsim/core';
import { floor, NO_ELEMENT, select } from '@gradsim/core';
import type { Axis, Place } from './axis.ts';
import { placesFrom } from './axis.ts';
import type { Linear, Point } from './values.ts';
import { componentsOf, pointOf } from './values.ts';

/** A node near a point. */
export interface StencilNode<P extends Point = Point> {
  /** Index of the node. */
  readonly at: U32;
  readonly weight: F32;
  /** From the point to the node, m. */
  readonly offset: P;
}

/** Nodes near a point, whose weights sum to 1. */
export interface Stencil<P extends Point = Point> extends Iterable<StencilNode<P>> {
  /** Sum over the nodes: `stencil.sum(({ at, weight }) => velocity.at(at).mul(weight))`. */
  sum<V extends Linear>(of: (node: StencilNode<P>) => V): V;
}

/** Basis function along one axis: its first node, and the weights of the nodes from there on. */
interface Spline {
  /** Whole number of the first node at the coordinate `x`, counted in nodes. */
  readonly first: (x: F32) => F32;
  /** Weights at the distance `d` from the first node, in nodes. */
  readonly weights: (d: F32) => readonly F32[];
}

const half = (x: F32): F32 => x.mul(x).mul(0.5);
const sixth = (x: F32): F32 => x.mul(x).mul(x).div(6);

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
    return [half(d.neg().add(1.5)), middle.mul(middle).neg().add(0.75), half(d.sub(0.5))];
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
    return [sixth(left), inner(past), inner(left), sixth(past)];
  },
};

/** Nodes along one axis, with weight and offset. */
interface Along {
  readonly place: Place;
  readonly weight: F32;
  readonly offset: F32;
}

function along(x: F32, axis: Axis, spacing: number, { first, weights }: Spline): Along[] {
  const inNodes = x.sub(axis.origin).div(spacing);
  const start = first(inNodes);
  const from = inNodes.sub(start);
  const all = weights(from);
  const places = placesFrom(start, all.length, axis);
  return all.map((weight, k) => ({ place: places[k], weight, offset: from.neg().add(k).mul(spacing) }));
}

/** Index of the node at a place along every axis, the last one fastest; `NO_ELEMENT` beyond an edge of zeros. */
export function indexOf(places: readonly Place[], axes: readonly Axis[]): U32 {
  const at = places.map((place) => place.at).reduce((rows, k, axis) => rows.mul(axes[axis].size).add(k));
  const isThere = places
    .flatMap((place) => place.isThere ?? [])
    .reduce<Bool | undefined>((all, one) => all?.and(one) ?? one, undefined);
  return isThere ? select(isThere, at, NO_ELEMENT) : at;
}

/** Returns the nodes around a point, by products of a spline along each axis. */
export function stencilAt<P extends Point>(x: P, axes: readonly Axis[], spacing: number, spline: Spline): Stencil<P> {
  const byAxis = componentsOf(x).map((c, k) => along(c, axes[k], spacing, spline));
  const product = byAxis.reduce<Along[][]>(
    (rows, nodes) => rows.flatMap((row) => nodes.map((node) => [...row, node])),
    [[]],
  );
  const nodes = product.map((row) => ({
    at: indexOf(
      row.map(({ place }) => place),
      axes,
    ),
    weight: row.map(({ weight }) => weight).reduce((a, b) => a.mul(b)),
    offset: pointOf(row.map(({ offset }) => offset)) as P,
  }));
  return {
    [Symbol.iterator]: () => nodes[Symbol.iterator](),
    sum: <V extends Linear>(of: (node: StencilNode<P>) => V) =>
      nodes.map(of).reduce((sum, term) => (sum as F32).add(term as F32) as V),
  };
}
