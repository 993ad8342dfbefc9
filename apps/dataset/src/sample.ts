import type { DeformingScene } from './deforming/scene.ts';
import type { RigidScene } from './rigid/scene.ts';

/** Part of the dataset that a sample belongs to: 800 of a thousand train, 200 test. */
export type Split = 'train' | 'test';

/** Everything that was drawn for a film. */
export type DatasetScene = RigidScene | DeformingScene;

/** Kinds of datasets. */
export const KINDS = ['rigid', 'soft', 'cloth'] as const satisfies readonly DatasetScene['kind'][];

/** Everything that the dataset says of a film, the content of `scene.json`. */
export interface SampleRecord<S extends DatasetScene = DatasetScene> {
  readonly format: 1;
  /** Number of the sample, from 0. */
  readonly sample: number;
  readonly seed: number;
  readonly split: Split;
  readonly frames: number;
  readonly frameRate: number;
  readonly scene: S;
  /** Mass, kg, of density and volume. */
  readonly mass: number;
  /** Draws of this sample that could not be simulated honestly, by reason. */
  readonly redrawn: Readonly<Record<string, number>>;
  /**
   * Pose in each frame, in single precision: position of the centre of mass, m, and quaternion (x, y, z, w). None of what deforms, whose
   * particles are in a file of their own.
   */
  readonly poses?: readonly { readonly position: readonly number[]; readonly orientation: readonly number[] }[];
}

/** A line of `index.jsonl`. */
export interface IndexLine {
  readonly sample: number;
  /** Folder of the sample, from that of the dataset. */
  readonly folder: string;
  readonly split: Split;
  readonly kind: DatasetScene['kind'];
  readonly shape: string;
  /** Numbers that Tables 1 to 3 ask for, by name. */
  readonly values: Readonly<Record<string, number>>;
  readonly substeps: number;
  readonly redrawn: Readonly<Record<string, number>>;
}

/** Name of the index, a line of JSON a sample. */
export const INDEX = 'index.jsonl';

/** Folder of a sample, from that of the dataset. */
export const folderOf = (sample: number): string => `samples/${String(sample).padStart(6, '0')}`;

/** Names of the files in a sample's folder. */
export const FILES = { scene: 'scene.json', masks: 'masks.png', particles: 'particles.f32', frames: 'frames' } as const;

/** Name of a frame's file in `frames`. */
export const frameName = (frame: number): string => `${String(frame).padStart(2, '0')}.png`;
