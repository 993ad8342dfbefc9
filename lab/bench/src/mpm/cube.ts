import { HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { addPoints, ElasticPoint, LiquidPoint, mpm, pointsInBox, SandPoint } from '@gradsim/mpm';

export const MATERIALS = {
  elastic: { of: ElasticPoint, columns: { density: 1000, youngsModulus: 1e5, poissonRatio: 0.3 } },
  liquid: { of: LiquidPoint, columns: { density: 1000, bulkModulus: 1e5, viscosity: 1 } },
  sand: { of: SandPoint, columns: { density: 1000, youngsModulus: 1e5, poissonRatio: 0.3, frictionAngle: 0.6 } },
};
export type Material = keyof typeof MATERIALS;

/** Duration of a substep on a grid of so many nodes along a side of 1 m, s. */
export const stepOf = (nodes: number): number => (1e-4 * 48) / nodes;

/** A cube of material points, so many along a side and two along a cell, that falls on a floor. */
export function fallingCube(side: number, nodes: number, material: Material): Model {
  const { of, columns } = MATERIALS[material];
  const spacing = 1 / nodes;
  const [low, high] = [0.5 - (side * spacing) / 4, 0.5 + (side * spacing) / 4];
  const scene = createScene([mpm({ size: [nodes, nodes, nodes], spacing })]);
  // A floor whose nodes are the lowest three.
  scene.add(HalfSpace, { offset: 2.5 * spacing });
  addPoints(scene, of, {
    ...pointsInBox({
      from: [low, 4 * spacing, low],
      to: [high, (4 + side / 2) * spacing, high],
      spacing: spacing / 2,
    }),
    ...columns,
    velocity: [0, -1, 0],
  });
  return buildModel(scene);
}
