import type { Device } from '@gradsim/core';
import type { RigidScene } from '@gradsim/dataset';
import { rigidSide, type Side, softSide } from './side.ts';
import { hasTwin, twinsOf } from './twins.ts';

/** An object that is filmed, and the model that is fitted to its film. */
export interface Mismatch {
  readonly filmed: Side;
  readonly fitted: Side;
  /** True if only the share of each pixel that the object covers is compared: colours of rigid and soft bodies differ. */
  readonly isMask: boolean;
}

/** A row of Table 4. */
interface WrongModel {
  /** The paper's mean relative error. */
  readonly published: number;
  /** Returns whether an object of a shape is one of the row's. */
  readonly takes: (object: Pick<RigidScene, 'shape'>) => boolean;
  readonly mismatch: (object: RigidScene, sample: number, device: Device) => Promise<Mismatch>;
}

/** A row of which the model has another contact material. */
const withMaterial = (changed: Partial<RigidScene['material']>, published: number): WrongModel => ({
  published,
  takes: () => true,
  mismatch: async (object) => ({
    filmed: rigidSide(object),
    fitted: rigidSide({ ...object, material: { ...object.material, ...changed } }),
    isMask: false,
  }),
});

/**
 * Rows of Table 4. What a model lacks is a choice: a model without friction has neither `kf` nor `mu`, and one without elasticity
 * has no `kd`, so that a bounce loses nothing; without `ke` as well everything would fall through the ground.
 */
export const WRONG_MODELS = {
  'perfect model': withMaterial({}, 0.1071),
  'unmodelled friction': withMaterial({ kf: 0, mu: 0 }, 0.1866),
  'unmodelled elasticity': withMaterial({ kd: 0 }, 0.2281),
  'rigid as deformable': {
    published: 0.3462,
    takes: hasTwin,
    mismatch: async (object, sample, device) => {
      const { rigid, soft } = await twinsOf(object, sample, device);
      return { filmed: rigidSide(rigid), fitted: softSide(soft), isMask: true };
    },
  },
  'deformable as rigid': {
    published: 0.4974,
    takes: hasTwin,
    mismatch: async (object, sample, device) => {
      const { rigid, soft } = await twinsOf(object, sample, device);
      return { filmed: softSide(soft), fitted: rigidSide(rigid), isMask: true };
    },
  },
} as const satisfies Readonly<Record<string, WrongModel>>;

/** Name of a row. */
export type WrongModelName = keyof typeof WRONG_MODELS;
export const WRONG_MODEL_NAMES = Object.keys(WRONG_MODELS) as readonly WrongModelName[];
