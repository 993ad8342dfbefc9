import type { Device } from '@gradsim/core';
import type { RigidScene } from '@gradsim/dataset';
import { rigidSide, type Side, softSide } from './side.ts';
import { hasTwin, twinsOf } from './twins.ts';

/** An object that is filmed, and the model that is fitted to its film. */
export interface Mismatch {
  readonly filmed: Side;
  readonly fitted: Side;
  /**
   * True to compare only the masks, that is, the fraction of each pixel that the object covers: rigid and soft bodies
   * differ in colours.
   */
  readonly isMask: boolean;
}

/** A row of Table 4. */
interface WrongModel {
  /** Mean relative error published in the paper. */
  readonly published: number;
  /** Returns whether objects of a shape belong to the row. */
  readonly takes: (object: Pick<RigidScene, 'shape'>) => boolean;
  readonly mismatch: (object: RigidScene, sample: number, device: Device) => Promise<Mismatch>;
}

/** Row whose fitted model has another contact material than the filmed object. */
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
 * Rows of Table 4. The paper does not define what each model lacks; here a model without friction has zero `kf` and
 * `mu`, and one without elasticity has zero `kd`, so that bounces lose no energy. With zero `ke` too, everything would
 * fall through the ground.
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
