import { ContactBox, ContactCapsule, ContactMesh, ContactSphere } from '@gradsim/contact';
import type { Entity, Scene } from '@gradsim/core';
import { box } from '@gradsim/mesh';

/** Optional pose of a shape: its body, position and orientation. */
export interface Place {
  readonly body?: Entity;
  readonly position?: readonly number[];
  readonly orientation?: readonly number[];
}
export interface Material {
  readonly ke: number;
  readonly kd?: number;
  readonly kf?: number;
  readonly mu?: number;
}

/**
 * Functions that add one shape of each kind, by the name of its domain. All are about 0.2 m wide, with their top 0.1 m
 * above their centre.
 */
export const SHAPES: Readonly<Record<string, (scene: Scene, place: Place, material: Material) => Entity>> = {
  spheres: (scene, { body, position }, material) =>
    scene.add(ContactSphere, { body, position, radius: 0.1, ...material }),
  boxes: (scene, place, material) => scene.add(ContactBox, { ...place, size: [0.2, 0.2, 0.2], ...material }),
  capsules: (scene, place, material) => scene.add(ContactCapsule, { ...place, length: 0.1, radius: 0.05, ...material }),
  meshes: (scene, place, material) =>
    scene.add(ContactMesh, { ...place, mesh: box({ size: [0.2, 0.2, 0.2] }), resolution: 12, ...material }),
};
