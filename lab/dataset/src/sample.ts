import type { DeformingScene } from './deforming/scene.ts';
import type { RigidScene } from './rigid/scene.ts';

/** Set that a sample belongs to: `train` for 800 of each thousand, `test` for 200. */
export type Split = 'train' | 'test';

/** All drawn values of a film. */
export type DatasetScene = RigidScene | DeformingScene;

/** Kinds of datasets, by the kind of object. */
export const KINDS = ['rigid', 'soft', 'cloth'] as const satisfies readonly DatasetScene['kind'][];

/**
 * Content of a sample's `scene.json`: everything that the dataset records about the film besides its pictures and
 * particles.
 */
export interface SampleRecord<S extends DatasetScene = DatasetScene> {
  readonly format: 1;
  /** Number of the sample, from 0. */
  readonly sample: number;
  readonly seed: number;
  readonly split: Split;
  readonly frames: number;
  readonly frameRate: number;
  readonly scene: S;
  /** Mass, kg, from density and volume. */
  readonly mass: number;
  /** Number of rejected draws of this sample, by reason. */
  readonly redrawn: Readonly<Record<string, number>>;
  /**
   * Pose in each frame, single precision: position of the centre of mass, m, and quaternion (x, y, z, w). Undefined for
   * deforming objects, whose particles are in a separate file.
   */
  readonly poses?: readonly { readonly position: readonly number[]; readonly orientation: readonly number[] }[];
}

/** A line of `index.jsonl`. */
export interface IndexLine {
  readonly sample: number;
  /** Folder of the sample, relative to the dataset's folder. */
  readonly folder: string;
  readonly split: Split;
  readonly kind: DatasetScene['kind'];
  readonly shape: string;
  /** Values that Tables 1 to 3 of the paper use, by name. */
  readonly values: Readonly<Record<string, number>>;
  readonly substeps: number;
  readonly redrawn: Readonly<Record<string, number>>;
}

/** File name of the index, which has a line of JSON per sample. */
export const INDEX = 'index.jsonl';

/** Folder of a sample, relative to the dataset's folder. */
export const folderOf = (sample: number): string => `samples/${String(sample).padStart(6, '0')}`;

/** Names of the files in a sample's folder. */
export const FILES = { scene: 'scene.json', masks: 'masks.png', particles: 'particles.f32', frames: 'frames' } as const;

/** File name of a frame within the folder `frames`. */
export const frameName = (frame: number): string => `${String(frame).padStart(2, '0')}.png`;
