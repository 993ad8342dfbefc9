import type { FieldKey, Model } from '@gradsim/core';
import { type RigidScene, type SoftScene, sceneMass, sceneModel, softVolume } from '@gradsim/dataset';
import { Tet } from '@gradsim/fem';
import { Body } from '@gradsim/rigid';

/** What is filmed, or what is fitted to the film: a model whose density is unknown. */
export interface Side {
  readonly model: Model;
  readonly substeps: number;
  readonly density: FieldKey;
  /** m^3; with it densities of two models are those of one mass. */
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
