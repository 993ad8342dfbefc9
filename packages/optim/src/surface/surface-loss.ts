import type { FieldKey } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { keyOf } from '../problem/field-key.ts';
import type { FunctionLoss } from '../problem/loss.ts';
import type { RegulariserOptions } from '../problem/regularisers.ts';
import type { SurfaceEdge } from './topology.ts';
import { edgesOf, vertexCountOf } from './topology.ts';

/**
 * Loss of a surface as a function of its vertex positions, flat [vertex][x, y, z]: adds the gradient to its second
 * argument and returns the value.
 */
export type OfPoints = (points: Float64Array, gradient: Float64Array) => number;

/**
 * Makes a loss of a surface whose vertex positions are a field that unknowns set.
 * @throws for invalid triangles; when it is first evaluated, if the field has fewer vertices or is not of 3D vectors.
 */
export function surfaceLoss(
  kind: string,
  field: FieldKey,
  triangles: ArrayLike<number>,
  { weight = 1, name }: RegulariserOptions,
  lossOf: (edges: readonly SurfaceEdge[]) => OfPoints,
): FunctionLoss<never, 'field'> {
  const key = keyOf(field);
  const ownName = name ?? `${kind}, of ${key}`;
  const edges = edgesOf(triangles, kind);
  const needed = vertexCountOf(edges);
  const value = lossOf(edges);
  return {
    name: ownName,
    weight,
    unknowns: { field },
    evaluate({ field: points }, { shapes }) {
      const [moments, vertices, components] = shapes.field;
      if (moments !== 1 || components !== 3)
        throw new GradsimError(
          'optim/wrong-size',
          `The loss ${ownName} is of points, three numbers each; ${key} has ${components}${moments > 1 ? ' over time' : ''}.`,
          { field: key },
        );
      if (vertices < needed)
        throw new GradsimError(
          'optim/no-such-vertex',
          `The loss ${ownName} has triangles with vertex ${needed - 1}; ${key} has ${vertices} vertices.`,
          { field: key },
        );
      const gradient = new Float64Array(points.length);
      return { value: value(points, gradient), gradient: { field: gradient } };
    },
  };
}
