import type { F32, Reader, U32, Value } from '@gradsim/core';
import { Model } from '@gradsim/core';
import type { EdgeRule, Grid, GridSize } from '@gradsim/dynamics';
import { grid } from '@gradsim/dynamics';
import type { Random } from '../random.ts';
import type { GridSpec, GridUse, Type } from './program.ts';

const EDGES: readonly EdgeRule[] = ['wrap', 'clamp', 'zero'];
/** Numbers of nodes along each axis, by the number of axes: at least `least`, at most `most`. */
const SIZES = [
  { least: 2, most: 6 },
  { least: 1, most: 4 },
  { least: 1, most: 3 },
];

export const nodesOf = ({ size }: GridSpec): number => size.reduce((count, n) => count * n, 1);

/** Draws a grid of one to three axes around the origin, such that many points are in it and some are beyond an edge. */
export function drawGrid(random: Random, domain: string): GridSpec {
  const axes = random.whole(1, 3);
  const { least, most } = SIZES[axes - 1];
  const of = <T>(draw: () => T): T[] => Array.from({ length: axes }, draw);
  return {
    domain,
    size: of(() => random.whole(least, most)) as unknown as GridSize,
    spacing: random.whole(6, 16) / 16,
    edge: of(() => random.pick(EDGES)),
    origin: of(() => random.whole(-20, 4) / 16),
  };
}

/** Type of points and vectors of a grid. */
export const pointTypeOf = ({ size }: GridSpec): 'f32' | 'vec2' | 'vec3' =>
  (['f32', 'vec2', 'vec3'] as const)[size.length - 1];

/** Adds a grid to a model. */
export const addGrid = (model: Model, { domain, ...options }: GridSpec): Grid => grid(model, domain, options);

const built = new WeakMap<GridSpec, Grid>();

/** Returns the handle by which kernels use a grid; it depends on no model. */
export function handleOf(spec: GridSpec): Grid {
  const handle = built.get(spec) ?? addGrid(new Model(), spec);
  built.set(spec, handle);
  return handle;
}

/** Types of values that differences and sums on a grid take. */
export const isOnGrids = (type: Type): boolean =>
  (['f32', 'vec2', 'vec3', 'vec4', 'mat22', 'mat33'] as readonly Type[]).includes(type);

const stencilOf = ({ grid: spec, degree }: GridUse, point: Value) => {
  const handle = handleOf(spec);
  const x = point as F32;
  return degree === 1 ? handle.linear(x) : degree === 2 ? handle.spline2(x) : handle.spline3(x);
};

const squareOf = (offset: Value): F32 => {
  const parts =
    'components' in offset
      ? (offset as unknown as { readonly components: readonly F32[] }).components
      : [offset as F32];
  return parts.map((c) => c.mul(c)).reduce((a, b) => a.add(b));
};

/** Sum of a field over the nodes near a point, by their weights. */
export const sumNear = (use: GridUse, point: Value, field: Reader<F32>): F32 =>
  stencilOf(use, point).sum(({ node, weight, offset }) =>
    field.at(node).mul(use.isMoment ? weight.mul(squareOf(offset)) : weight),
  );

/** Adds a value to the nodes near a point, by their weights. */
export function addNear(use: GridUse, point: Value, add: (at: U32, weight: F32) => void): void {
  for (const { node, weight, offset } of stencilOf(use, point))
    add(node, use.isMoment ? weight.mul(squareOf(offset)) : weight);
}

/** Operations at a node: differences of a field, its value at another node, or the node's position. */
export const AT_NODES = ['laplacian', 'gradient', 'divergence', 'shift', 'nodePosition'] as const;

/** Value of one of {@link AT_NODES} at the node `index`. */
export function atNode(
  op: (typeof AT_NODES)[number],
  { grid: spec, by }: GridUse,
  index: U32,
  field: Reader<F32>,
): Value {
  const node = handleOf(spec).at(index);
  if (op === 'nodePosition') return node.position;
  return op === 'shift' ? node.shift(field, by!) : (node[op] as (of: unknown) => Value)(field);
}
