import { addCloth, cloth } from '@gradsim/cloth';
import { contact, contactOf, surfaceContact } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { placeMesh, plane } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';

/** Edge length of a cell of the sheets, m. */
const EDGE = 0.02;
/** Maximum motion of a particle between two neighbour searches, m. */
const TRAVEL = 0.005;
/** Rate of substeps, 1/s. */
export const RATE = 4000;

/**
 * Two sheets of cloth lying on each other, 4 x cells^2 triangles in total.
 *
 * @param refresh number of substeps between two neighbour searches; null leaves contact out.
 */
export function sheets(cells: number, refresh: number | null): Model {
  const search = refresh && surfaceContact({ maxSpeed: (TRAVEL * RATE) / refresh, refresh });
  const scene = createScene([particles(), cloth(), contact(), ...(search ? [search] : [])]);
  for (const k of [0, 1]) {
    const sheet = plane({ size: [EDGE * cells, EDGE * cells], segments: [cells, cells] });
    const mesh = placeMesh(sheet, { translation: [0.35 * EDGE * k, 0.6 * EDGE * k, 0.15 * EDGE * k] });
    const fabric = { mu: 100, lambda: 100, density: 0.2, bendStiffness: 1e-4, velocity: [0, -0.1 * k, 0] };
    const material = { ke: 5, kd: 1e-3, kf: 0.01, mu: 0.3, thickness: 0.35 * EDGE };
    for (const particle of addCloth(scene, mesh, fabric).particles)
      scene.attach(particle, contactOf(Particle), material);
  }
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return buildModel(scene);
}
