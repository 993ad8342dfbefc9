import type { TetMesh } from '@gradsim/mesh';

/** Number of sectors around the gear's axis. */
const SECTORS = 32;
/** Number of layers across the gear's width. */
const LAYERS = 4;
/** Radii of the hole, the rim and the teeth, m. */
const RADII = [1.11, 1.45, 1.84] as const;
/** Half of the gear's width along its axis, m. */
const HALF_WIDTH = 1.14;

/**
 * Six tetrahedra that fill a cell, by the indices of its corners; bit k of an index is the corner's position along axis
 * k. All share the diagonal from corner 0 to 7.
 */
const OF_CELL = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const;

/**
 * The gear of the paper: a wheel about the z axis with a hole and 16 teeth, of 192 cells with 480 vertices and 1152
 * tetrahedra, 3.7 m in diameter.
 */
export function gearMesh(): TetMesh {
  const positions: number[] = [];
  for (let layer = 0; layer <= LAYERS; layer++)
    for (let ring = 0; ring < RADII.length; ring++)
      for (let sector = 0; sector < SECTORS; sector++) {
        // A tooth is narrower at its end.
        const lean = ring === 2 ? (sector % 2 === 0 ? 0.17 : -0.17) : 0;
        const angle = (2 * Math.PI * (sector + lean)) / SECTORS;
        const z = HALF_WIDTH * ((2 * layer) / LAYERS - 1);
        positions.push(RADII[ring] * Math.cos(angle), RADII[ring] * Math.sin(angle), z);
      }
  const vertex = (ring: number, sector: number, layer: number): number =>
    (layer * RADII.length + ring) * SECTORS + (sector % SECTORS);
  const tets: number[] = [];
  for (let layer = 0; layer < LAYERS; layer++)
    for (let sector = 0; sector < SECTORS; sector++)
      for (let ring = 0; ring < (sector % 2 === 0 ? 2 : 1); ring++) {
        const corner = (bits: number): number =>
          vertex(ring + (bits & 1), sector + ((bits >> 1) & 1), layer + (bits >> 2));
        for (const tet of OF_CELL) tets.push(...tet.map(corner));
      }
  return { positions: Float64Array.from(positions), tets: Uint32Array.from(tets) };
}
