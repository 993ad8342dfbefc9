import type { Model } from '@gradsim/core';
import { deformingModel } from './deforming/scene.ts';
import { rigidModel } from './rigid/scene.ts';
import type { DatasetScene } from './sample.ts';

/**
 * Builds the model that a film of the dataset was made with: it renders the film's pictures before rounding to 8 bits.
 *
 * ```ts
 * const { scene } = await sample.record();
 * const film = await filmModel(sceneModel(scene), { ...FILM, substeps: scene.substeps }, { device });
 * ```
 */
export const sceneModel = (scene: DatasetScene): Model =>
  scene.kind === 'rigid' ? rigidModel(scene) : deformingModel(scene);
