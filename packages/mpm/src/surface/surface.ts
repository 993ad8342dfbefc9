import type { Kernel, Plugin, Vec3 } from '@gradsim/core';
import {
  definePlugin,
  describeValue,
  f32,
  field,
  fieldOn,
  GradsimError,
  index,
  kernel,
  min,
  refuseUnknownOptions,
  Surfaces,
  select,
  u32,
  vec3,
} from '@gradsim/core';
import type { Grid } from '@gradsim/dynamics';
import { grid } from '@gradsim/dynamics';
import { cover } from '../cover.ts';
import { MATERIALS } from '../materials/all.ts';
import { CASES, MOST_CORNERS } from './cases.ts';

const NODES = 'surfaceNodes';
const CELLS = 'surfaceCells';
const CASE_CORNERS = 'surfaceCases';
const VERTICES = 'surfaceVertices';

/** Share of the volume around a node that material points fill. */
const filledShare = field(NODES, 'share', f32);
/** Case of a cell: bit c is set where more than half of corner c is filled. */
const cornerCase = field(CELLS, 'inside', u32);
/** Nodes at both ends of the edge on which a corner of a case's triangles lies, counted from the cell's first node. */
const [from, to] = [field(CASE_CORNERS, 'from', u32), field(CASE_CORNERS, 'to', u32)];

/** Vertices of the surface of material points: those of triangles that a cell does not have lie at one point. */
export const SurfaceVertex = { position: field(VERTICES, 'position', vec3, { unit: 'm' }) } as const;

/** Options of {@link pointSurface}: nodes that enclose all points by two spacings. */
export interface PointSurfaceOptions {
  /** Numbers of nodes along x, y and z. */
  readonly size: readonly [number, number, number];
  /** Distance between nodes, m: at least twice the distance between points. */
  readonly spacing: number;
  /** Position of the first node, m. Default [0, 0, 0]. */
  readonly origin?: readonly [number, number, number];
  /** Red, green, blue in [0, 1]. Default: the renderer's grey. */
  readonly color?: readonly [number, number, number];
}

/**
 * Plugin that offers renderers the surface of all material points in three dimensions: triangles by marching cubes where
 * they fill half of the space. Its vertices have a derivative. A ball of radius R is drawn spacing^2 / (4 R) too small.
 * Every cell has five triangles, which are a single point where the surface is elsewhere and cost a renderer little.
 *
 * ```ts
 * const nodes = { size: [28, 24, 20], spacing: 0.02, origin: [-0.28, -0.08, -0.2] } as const;
 * const scene = createScene([mpm(nodes), pointSurface({ ...nodes, color: [0.8, 0.2, 0.2] }), renderer]);
 * ```
 * Source: W. E. Lorensen, H. E. Cline, Marching Cubes, 1987.
 * @throws for unknown options, and those out of their range.
 */
export function pointSurface(options: PointSurfaceOptions): Plugin {
  refuseUnknownOptions<PointSurfaceOptions>('pointSurface', options, {
    size: true,
    spacing: true,
    origin: true,
    color: true,
  });
  const { size, spacing, origin, color } = options;
  if (!Array.isArray(size) || size.length !== 3)
    throw new GradsimError('mpm/option-out-of-range', `pointSurface: size is ${describeValue(size)}.`, {
      field: 'size',
      hint: 'It takes the numbers of nodes along x, y and z.',
    });
  return definePlugin({
    name: '@gradsim/mpm/surface',
    contract: 1,
    requires: ['@gradsim/mpm'],
    offers: [Surfaces],
    build: ({ model, entities }) => {
      const present = MATERIALS.filter(({ component }) => entities(component).length > 0);
      const contains = present.map(({ component }) => component.position);
      const nodes = grid(model, NODES, { size, spacing, origin, edge: 'zero', contains });
      const cells = cellsOf(size);
      const corners = Array.from({ length: 8 }, (_, corner) => nodeOf(size, corner));
      model.addDomain(CELLS, cells.length);
      model.addIndex(
        CELLS,
        'corners',
        NODES,
        8,
        Uint32Array.from(cells.flatMap((cell) => corners.map((c) => cell + c))),
      );
      const ends = CASES.flatMap((edges) => Array.from({ length: MOST_CORNERS }, (_, k) => edges[k] ?? NO_EDGE));
      model.addDomain(CASE_CORNERS, ends.length);
      model.addField(from, { values: ends.map((edge) => nodeOf(size, edge.from)) });
      model.addField(to, { values: ends.map((edge) => nodeOf(size, edge.to)) });
      const vertices = cells.length * MOST_CORNERS;
      const own = Uint32Array.from({ length: vertices }, (_, k) => Math.floor(k / MOST_CORNERS));
      model.addDomain(VERTICES, vertices);
      model.addIndex(VERTICES, 'cell', CELLS, 1, own);
      model.addIndex(
        VERTICES,
        'first',
        NODES,
        1,
        own.map((cell) => cells[cell]),
      );
      model.addField(SurfaceVertex.position);
      for (const material of present) model.addPass('pose', cover(material, nodes, filledShare));
      model.addPass('pose', findCases);
      model.addPass('pose', placeVertices(nodes));
      model.offer(Surfaces, {
        position: SurfaceVertex.position,
        triangles: Uint32Array.from({ length: vertices }, (_, k) => k),
        ...(color ? { triangleColors: Float64Array.from({ length: vertices }, (_, k) => color[k % 3]) } : {}),
        name: 'material points',
      });
    },
  });
}

const NO_EDGE = { from: 0, to: 0 };

/** Number of the node at a corner of the first cell. */
const nodeOf = ([, ny, nz]: readonly number[], corner: number): number =>
  ((corner & 1) * ny + ((corner >> 1) & 1)) * nz + ((corner >> 2) & 1);

/** First node of every cell. */
function cellsOf([nx, ny, nz]: readonly number[]): number[] {
  const cells: number[] = [];
  for (let i = 0; i < nx - 1; i++)
    for (let j = 0; j < ny - 1; j++) for (let k = 0; k < nz - 1; k++) cells.push((i * ny + j) * nz + k);
  return cells;
}

const findCases = kernel(
  'findSurfaceCases',
  { domain: CELLS, reads: { corners: index(NODES, 8), share: fieldOn(filledShare) }, writes: { inside: cornerCase } },
  ({ corners, share }) => ({
    inside: corners
      .map((corner, k) => select(share.at(corner).gt(0.5), u32(1 << k), u32(0)))
      .reduce((all, bit) => all.add(bit)),
  }),
);

/** Places the vertices where the share is 1/2, by linear interpolation along the edge. */
const placeVertices = (nodes: Grid<typeof NODES, Vec3>): Kernel =>
  kernel(
    'placeSurfaceVertices',
    {
      domain: VERTICES,
      reads: {
        cell: index(CELLS),
        first: index(NODES),
        inside: fieldOn(cornerCase),
        from: fieldOn(from),
        to: fieldOn(to),
        share: fieldOn(filledShare),
      },
      writes: { position: SurfaceVertex.position },
    },
    ({ cell, first, inside, from, to, share }, { element }) => {
      const slot = element.sub(cell.mul(MOST_CORNERS));
      const at = min(inside.at(cell).mul(MOST_CORNERS).add(slot), u32(CASES.length * MOST_CORNERS - 1));
      const last = u32(nodes.size.reduce((count, n) => count * n) - 1);
      const [a, b] = [from, to].map((ends) => min(first.add(ends.at(at)), last));
      const [start, end] = [share.at(a), share.at(b)];
      const isCrossed = start.ne(end);
      const t = start.sub(0.5).div(select(isCrossed, start.sub(end), 1));
      const place = nodes.at(a).position;
      return {
        position: place.add(
          nodes
            .at(b)
            .position.sub(place)
            .mul(select(isCrossed, t, 0)),
        ),
      };
    },
  );
