import type { F32, FieldRef, Model, U32, ValueType, Vec2, Vec3 } from '@gradsim/core';
import {
  describeValue,
  field,
  GradsimError,
  kernel,
  refuseUnknownChoice,
  refuseUnknownOptions,
  select,
  vec4,
} from '@gradsim/core';
import type { EdgeRule, GridAxes, GridAxis } from './axis.ts';
import type { GridNode } from './node.ts';
import { nodeAt } from './node.ts';
import type { Stencil } from './stencil.ts';
import { CUBIC, LINEAR, QUADRATIC, stencilAt } from './stencil.ts';
import type { Point } from './values.ts';
import { componentsOf } from './values.ts';

/** Numbers of nodes along one, two or three axes. */
export type GridSize = readonly [number] | readonly [number, number] | readonly [number, number, number];

/** Points and vectors of a grid with this size. */
export type PointOf<S extends GridSize> = S extends readonly [number]
  ? F32
  : S extends readonly [number, number]
    ? Vec2
    : Vec3;

/** Options of {@link grid}. */
export interface GridOptions<S extends GridSize = GridSize> {
  /** Number of nodes along each axis. */
  readonly size: S;
  /** Distance between nodes, m. */
  readonly spacing: number;
  /** Rule for what is beyond the outermost nodes; one for all axes, or one for each. */
  readonly edge: EdgeRule | readonly EdgeRule[];
  /** Position of the first node, m. Default 0 along each axis. */
  readonly origin?: readonly number[];
  /**
   * Positions that stay within the grid, at least one spacing from its outermost nodes, where the nodes of every stencil
   * are within; a run in which one does not ends in an error that names it. Of a vec3 in a grid of two axes, x and y
   * count. Default: the edges' rule holds for all points.
   */
  readonly contains?: Positions | readonly Positions[];
}
type Positions = FieldRef<ValueType<F32> | ValueType<Vec2> | ValueType<Vec3>>;
const OPTIONS = { size: true, spacing: true, edge: true, origin: true, contains: true };
const EDGE_RULES = ['wrap', 'clamp', 'zero', 'none'] as const;
/** Most nodes of a grid: 256 x 256 x 256. */
const MAX_NODES = 2 ** 24;

/** A grid of nodes: a domain, the last axis fastest, and what kernels do with it. */
export interface Grid<D extends string = string, P extends Point = Point> {
  readonly domain: D;
  readonly size: GridSize;
  readonly spacing: number;
  /** Node of an index: the own one, in a kernel over the grid, `cells.at(element)`. */
  at(node: U32): GridNode<P>;
  /** The 2, 4 or 8 nodes around a point, with linear weights. */
  linear(x: P): Stencil<P>;
  /** The 3, 9 or 27 nodes around a point, with weights of the quadratic B-spline, whose slope is continuous. */
  spline2(x: P): Stencil<P>;
  /** The 4, 16 or 64 nodes around a point, with weights of the cubic B-spline, whose curvature is continuous. */
  spline3(x: P): Stencil<P>;
}

/**
 * Adds a grid to a model, as a domain. Call it in a plugin's `build`. Diffusion, and points that add their mass:
 *
 * ```ts
 * const cells = grid(model, 'cells', { size: [64, 64], spacing: 0.1, edge: 'clamp', contains: Drop.position });
 * const diffuse = kernel('diffuse', { domain: cells, reads: { heat: f32 }, writes: { heat: f32 } },
 *   ({ heat }, { element, dt }) => ({ heat: heat.add(cells.at(element).laplacian(heat).mul(dt)) }));
 * const splat = kernel('splat', { domain: Drop, reads: { position: Drop.position }, adds: { mass: fieldOn('cells', f32) } },
 *   ({ position, mass }) => {
 *     for (const { node, weight } of cells.spline2(position)) mass.add(node, weight);
 *   });
 * ```
 * @throws when an option is out of its range.
 */
export function grid<const D extends string, const S extends GridSize>(
  model: Model,
  name: D,
  options: GridOptions<S>,
): Grid<D, PointOf<S>> {
  const { size, spacing, contains } = options;
  const axes = axesOf(name, options);
  model.addDomain(
    name,
    size.reduce((count, n) => count * n, 1),
    { componentsTogether: true, describe: (node) => `node (${coordinatesOf(node, size).join(', ')}) of ${name}` },
  );
  for (const positions of listOf(contains)) addLeavingAlarm(model, name, axes, spacing, positions);
  const all: GridAxes = { domain: name, axes, spacing };
  return {
    domain: name,
    size,
    spacing,
    at: (node) => nodeAt<PointOf<S>>(node, all),
    linear: (x) => stencilAt<PointOf<S>>(x, all, LINEAR),
    spline2: (x) => stencilAt<PointOf<S>>(x, all, QUADRATIC),
    spline3: (x) => stencilAt<PointOf<S>>(x, all, CUBIC),
  };
}

const listOf = (positions: GridOptions['contains'] = []): readonly Positions[] => [positions].flat();

/** Number of a node along each axis. */
function coordinatesOf(node: number, size: readonly number[]): number[] {
  let rest = node;
  return [...size]
    .reverse()
    .map((n) => {
      const k = rest % n;
      rest = Math.floor(rest / n);
      return k;
    })
    .reverse();
}

/** Checks the options, and returns the axes. */
function axesOf(name: string, options: GridOptions): GridAxis[] {
  refuseUnknownOptions<GridOptions>('grid', options, OPTIONS);
  const { size, spacing, edge, origin, contains } = options;
  const refuse = (option: string, value: unknown, hint: string): never => {
    throw new GradsimError('dynamics/option-out-of-range', `grid "${name}": ${option} is ${describeValue(value)}.`, {
      field: option,
      hint,
    });
  };
  if (!Array.isArray(size) || size.length < 1 || size.length > 3 || size.some((n) => !Number.isInteger(n) || n < 1))
    refuse('size', size, 'It takes whole numbers of at least 1, one for each of one to three axes.');
  if (size.reduce((count, n) => count * n, 1) > MAX_NODES) refuse('size', size, `It may have ${MAX_NODES} nodes.`);
  if (!(typeof spacing === 'number' && spacing > 0 && Number.isFinite(spacing)))
    refuse('spacing', spacing, 'It must be a number above 0.');
  const edges = typeof edge === 'string' ? size.map(() => edge) : edge;
  const origins = origin ?? size.map(() => 0);
  for (const [option, list] of Object.entries({ edge: edges, origin: origins }))
    if (!Array.isArray(list) || list.length !== size.length)
      refuse(option, list, `It takes one for each of ${size.length} axes.`);
  for (const one of edges) refuseUnknownChoice(`grid "${name}": edge`, one, EDGE_RULES);
  if (edges.includes('none') && listOf(contains).length === 0)
    refuse('edge', edge, 'With none, `contains` names the positions that have stencils.');
  if (!origins.every(Number.isFinite)) refuse('origin', origins, 'It takes finite numbers.');
  for (const { key, type } of listOf(contains))
    if (type.components < size.length)
      throw new GradsimError(
        'dynamics/wrong-size',
        `grid "${name}": it has ${size.length} axes, and the positions that it contains ${type.components}.`,
        { field: key },
      );
  return size.map((n, k) => ({ size: n, edge: edges[k], origin: origins[k] }));
}

/** Adds the alarm for points that leave the grid: substep + 1, and where the point was, m. */
function addLeavingAlarm(
  model: Model,
  name: string,
  axes: readonly GridAxis[],
  spacing: number,
  position: Positions,
): void {
  const { domain } = position;
  const bounds = axes.map(({ size, origin }) => [origin + spacing, origin + (size - 2) * spacing]);
  const text = bounds.map(([low, high], k) => `${'xyz'[k]} from ${low} to ${high} m`);
  const within = text.filter((_, k) => axes[k].edge !== 'wrap').join(', ');
  if (within === '') return;
  const left = field(domain, `left${name[0].toUpperCase()}${name.slice(1)}`, vec4);
  model.addAlarm(
    left,
    (place, point) =>
      `${point} has left the grid "${name}": it is at (${place
        .slice(0, axes.length)
        .map((x) => x.toPrecision(4))
        .join(
          ', ',
        )}) m, and ${within} are within. Make the grid larger, or keep it in by a wall; where it flew off, the motion is unstable: raise \`substeps\``,
  );
  model.addPass(
    'force',
    kernel(
      `watch_${name}`,
      { domain, reads: { x: position, left }, writes: { left } },
      ({ x, left: before }, { substep }) => {
        const place = componentsOf(x as Point);
        const isWithin = bounds
          .flatMap(([low, high], k) => (axes[k].edge === 'wrap' ? [] : [place[k].ge(low).and(place[k].le(high))]))
          .reduce((all, one) => all.and(one));
        const [px, py = px.mul(0), pz = px.mul(0)] = place;
        const seen = before as ReturnType<typeof vec4>;
        const isFirst = isWithin.not().and(seen.x.eq(0));
        return { left: select(isFirst, vec4(substep.toF32().add(1), px, py, pz), seen) };
      },
    ),
  );
}
