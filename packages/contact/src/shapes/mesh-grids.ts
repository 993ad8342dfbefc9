import type { BuildContext, Component, ComputedRefs, Entity, FieldRef, ValueType } from '@gradsim/core';
import { computed, f32, field, GradsimError, u32, vec3 } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { checkSolid } from '@gradsim/mesh';
import { ownerOf } from '../touching.ts';
import type { DistanceGrid } from './distance-grid.ts';
import { distanceGrid } from './distance-grid.ts';

/** Fields of the distance grid of each contact mesh. None is a parameter: a mesh is fixed when the model is built. */
export const GRID_FIELDS = {
  gridCentre: computed(vec3, { unit: 'm' }),
  spacing: computed(f32, { unit: 'm' }),
  /** Position of the grid's centre relative to its first point, in cells. */
  middle: computed(vec3),
  /** Index of the grid's first point in `coefficient`, and the index strides along y and z. */
  first: computed(u32),
  row: computed(u32),
  layer: computed(u32),
  /** Distance outside the mesh up to which the grid is defined, m. */
  reach: computed(f32, { unit: 'm' }),
};
/** Spline coefficients at the points of all grids, one grid after another, m. */
export const coefficient = field('meshPoints', 'coefficient', f32, { unit: 'm' });

/** Default number of grid cells along the longest side of a mesh. */
const DEFAULT_RESOLUTION = 32;

/**
 * Samples the signed distance of each contact mesh on a grid, and adds the grids to the model.
 * @param reach distance from a mesh at which contact begins, m.
 * @throws when a mesh is missing or is not closed, or its resolution is out of range.
 */
export function addGrids(
  context: BuildContext,
  component: Component & ComputedRefs<typeof GRID_FIELDS, string>,
  reach: number,
): void {
  const { model, entities } = context;
  const grids = entities(component).map((entity) =>
    distanceGrid(solidMeshOf(context, component, entity), resolutionOf(context, component, entity), reach),
  );
  const starts = [0];
  for (const { coefficients } of grids) starts.push(starts.at(-1)! + coefficients.length);
  const values = new Float64Array(starts.at(-1)!);
  grids.forEach(({ coefficients }, k) => {
    values.set(coefficients, starts[k]);
  });
  const add = (name: keyof typeof GRID_FIELDS, of: (grid: DistanceGrid, k: number) => readonly number[]): void => {
    model.addField<FieldRef<ValueType>>(component[name], { values: grids.flatMap(of), shared: true });
  };
  add('gridCentre', ({ centre }) => centre);
  add('spacing', ({ spacing }) => [spacing]);
  add('reach', ({ reach }) => [reach]);
  add('middle', ({ counts }) => counts.map((count) => (count - 1) / 2));
  add('first', (_, k) => [starts[k]]);
  add('row', ({ counts }) => [counts[0]]);
  add('layer', ({ counts }) => [counts[0] * counts[1]]);
  model.addDomain(coefficient.domain, values.length);
  model.addField(coefficient, { values, shared: true });
}

function resolutionOf({ scene }: BuildContext, component: Component, entity: Entity): number {
  const resolution = (scene.object(entity, component, 'resolution') as number | undefined) ?? DEFAULT_RESOLUTION;
  if (Number.isInteger(resolution) && resolution >= 4 && resolution <= 128) return resolution;
  throw new GradsimError('contact/value-out-of-range', `meshes.resolution is ${resolution}.`, {
    field: 'meshes.resolution',
    element: scene.describe(entity),
    hint: 'It must be a whole number of cells from 4 to 128.',
  });
}

/** Returns the mesh of a shape. @throws when there is none, or it does not enclose a solid. */
export function solidMeshOf(context: BuildContext, component: Component, entity: Entity): TriangleMesh {
  const { scene, entities } = context;
  const who = scene.describe(entity);
  const given = scene.object(entity, component, 'mesh') as TriangleMesh | undefined;
  const owner = ownerOf(context, entity, component);
  const mesh = given ?? owner?.bodies.meshOf?.(context, entities(owner.bodies.component)[owner.number]);
  if (!mesh)
    throw new GradsimError(
      'contact/no-mesh',
      `meshes.mesh is missing, and ${owner ? 'its body has no mesh' : 'there is no meshes.body'} to take it from.`,
      { field: 'meshes.mesh', element: who },
    );
  try {
    checkSolid(mesh);
  } catch (error) {
    throw new GradsimError('contact/mesh-unusable', `meshes.mesh: ${(error as Error).message}`, {
      element: who,
      cause: error,
    });
  }
  return mesh;
}
