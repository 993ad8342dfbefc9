import type { BuildContext, Component, Entity, ValueType } from '@gradsim/core';
import { f32, u32, vec3 } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { checkSolid } from '@gradsim/mesh';
import { bodiesIn } from '../touching.ts';
import type { DistanceGrid } from './distance-grid.ts';
import { distanceGrid } from './distance-grid.ts';
import { bodyNumber } from './shape.ts';

/** Cells along the longest side of a mesh. */
const RESOLUTION = 32;

/**
 * Samples the meshes' distances, and adds their grids to the model, the points of all one after another.
 * @throws when a mesh is missing or encloses no solid, or its resolution makes no sense.
 */
export function addGrids(context: BuildContext, component: Component): void {
  const { model, entities } = context;
  const thickness = Array.from(model.field('particles.thickness').values!);
  const greatest = thickness.reduce((most, t) => Math.max(most, t), 0);
  const grids = entities(component).map((entity) =>
    distanceGrid(meshOf(context, component, entity), resolutionOf(context, component, entity), greatest),
  );
  const starts = [0];
  for (const { coefficients } of grids) starts.push(starts.at(-1)! + coefficients.length);
  const points = new Float64Array(starts.at(-1)!);
  grids.forEach(({ coefficients }, k) => {
    points.set(coefficients, starts[k]);
  });
  const add = (
    name: string,
    type: ValueType,
    of: (grid: DistanceGrid, k: number) => readonly number[],
  ): void => {
    model.addField(component.name, name, type, { values: grids.flatMap(of), shared: true });
  };
  add('gridCentre', vec3, ({ centre }) => centre);
  add('spacing', f32, ({ spacing }) => [spacing]);
  add('reach', f32, ({ reach }) => [reach]);
  add('middle', vec3, ({ counts }) => counts.map((count) => (count - 1) / 2));
  add('first', u32, (_, k) => [starts[k]]);
  add('row', u32, ({ counts }) => [counts[0]]);
  add('layer', u32, ({ counts }) => [counts[0] * counts[1]]);
  model.addDomain('meshPoints', points.length);
  model.addField('meshPoints', 'coefficient', f32, { values: points, shared: true, unit: 'm' });
}

function resolutionOf({ scene }: BuildContext, component: Component, entity: Entity): number {
  const resolution = (scene.object(entity, component, 'resolution') as number | undefined) ?? RESOLUTION;
  if (Number.isInteger(resolution) && resolution >= 4 && resolution <= 128) return resolution;
  throw new Error(
    `${scene.describe(entity)}: meshes.resolution is ${resolution}; it must be a whole number of cells from 4 to 128.`,
  );
}

/** The mesh of a shape, checked. @throws when there is none, or it does not enclose a solid. */
function meshOf(context: BuildContext, component: Component, entity: Entity): TriangleMesh {
  const { scene } = context;
  const who = scene.describe(entity);
  const given = scene.object(entity, component, 'mesh') as TriangleMesh | undefined;
  const number = bodyNumber(context, entity, component);
  const mesh = given ?? (number === undefined ? undefined : meshOfBody(context, number));
  if (!mesh)
    throw new Error(
      `${who}: meshes.mesh is missing, and ${number === undefined ? 'there is no meshes.body' : 'its body has no mesh'} to take it from.`,
    );
  try {
    checkSolid(mesh);
  } catch (error) {
    throw new Error(`${who}: meshes.mesh: ${(error as Error).message}`, { cause: error });
  }
  return mesh;
}

/** A body's mesh in body axes from the centre of mass, as the plugin of the bodies keeps it. */
function meshOfBody(context: BuildContext, body: number): TriangleMesh | undefined {
  const { body: owners, local, triangles } = bodiesIn(context)!.vertices;
  const vertices = Array.from(owners, (_, vertex) => vertex).filter((vertex) => owners[vertex] === body);
  if (vertices.length === 0) return undefined;
  const [first, end] = [vertices[0], vertices[0] + vertices.length];
  return {
    positions: Float64Array.from({ length: 3 * vertices.length }, (_, k) => local[3 * first + k]),
    triangles: Uint32Array.from(
      Array.from(triangles).filter((vertex) => vertex >= first && vertex < end),
      (vertex) => vertex - first,
    ),
  };
}
