import type { FieldKey, Model } from '@gradsim/core';
import { type RigidScene, type SoftScene, sceneMass, sceneModel, softVolume } from '@gradsim/dataset';
import { Tet } from '@gradsim/fem';
import { Body } from '@gradsim/rigid';

/** One side of a mismatch, the filmed or the fitted one: a model whose mass is unknown. */
export interface Side {
  readonly model: Model;
  readonly substeps: number;
  /** Field of the unknown: a density or a mass. */
  readonly field: FieldKey;
  /** Mass of the object, kg, per unit of the field: the volume, m^3, for a density. */
  readonly massPerValue: number;
  /** True mass of the object, kg. */
  readonly mass: number;
}

export const rigidSide = (scene: RigidScene): Side => ({
  model: sceneModel(scene),
  substeps: scene.substeps,
  field: Body.density,
  massPerValue: sceneMass(scene).mass / scene.density,
  mass: sceneMass(scene).mass,
});

export const softSide = (scene: SoftScene): Side => ({
  model: sceneModel(scene),
  substeps: scene.substeps,
  field: Tet.density,
  massPerValue: softVolume(scene),
  mass: scene.density * softVolume(scene),
});
