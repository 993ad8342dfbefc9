import type { FieldKey, Model } from '@gradsim/core';
import { type RigidScene, type SoftScene, sceneMass, sceneModel, softVolume } from '@gradsim/dataset';
import { Tet } from '@gradsim/fem';
import { Body } from '@gradsim/rigid';

/** One side of a mismatch, the filmed or the fitted one: a model whose density is unknown. */
export interface Side {
  readonly model: Model;
  readonly substeps: number;
  readonly density: FieldKey;
  /** Volume of the object, m^3; it converts between the densities of two models with the same mass. */
  readonly volume: number;
}

export const rigidSide = (scene: RigidScene): Side => ({
  model: sceneModel(scene),
  substeps: scene.substeps,
  density: Body.density,
  volume: sceneMass(scene).mass / scene.density,
});

export const softSide = (scene: SoftScene): Side => ({
  model: sceneModel(scene),
  substeps: scene.substeps,
  density: Tet.density,
  volume: softVolume(scene),
});
