import { addCloth, cloth } from '@gradsim/cloth';
import { ContactSphere, contact, contactOf, HalfSpace, surfaceContact } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { placeMesh, plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';

/** Frame rate, frames per second. */
export const FRAME_RATE = 60;
/** Minimum number of substeps per frame for stability, by `stableStep`: the sheet's contact with itself is stiff. */
export const substepsOf = ({ selfContact }: Pick<SceneOptions, 'selfContact'>): number => (selfContact ? 52 : 34);
const MATERIAL = { ke: 10, kd: 0.004, kf: 0.02, mu: 0.4 };

export interface SceneOptions {
  readonly selfContact: boolean;
  /** Number of cells along each side of the sheet. */
  readonly cells: number;
  /** Width and height of the picture, px. */
  readonly size: number;
}

/** Model of a sheet of 1 m^2 that falls onto a ball and the ground, with its rendering. */
export function sheetOnBall({ selfContact, cells, size }: SceneOptions): Model {
  const scene = createScene([
    ...[particles(), cloth(), contact()],
    ...(selfContact ? [surfaceContact({ maxSpeed: 6.2, refresh: 4 })] : []),
    ...[render({ width: size, height: size }), softRas({ near: 0.5, far: 5 })],
  ]);
  const sheet = placeMesh(plane({ size: [1, 1], segments: [cells, cells] }), { translation: [0, 0.75, 0] });
  const stiffness = { mu: 30, lambda: 30, damping: 0.01, bendStiffness: 1e-4, bendDamping: 1e-6 };
  const { particles: points } = addCloth(scene, sheet, { ...stiffness, density: 0.2, drag: 0.3 });
  for (const point of points) scene.attach(point, contactOf(Particle), { ...MATERIAL, thickness: 0.012 });
  scene.add(ContactSphere, { position: [0, 0.3, 0], radius: 0.3, ...MATERIAL });
  scene.add(HalfSpace, {});
  scene.add(OrbitCamera, { target: [0, 0.35, 0], distance: 2.2, elevation: 0.5, fieldOfView: 0.7 });
  scene.add(DirectionalLight, { direction: [1, 2, 1], color: [0.7, 0.7, 0.7] });
  return buildModel(scene);
}
