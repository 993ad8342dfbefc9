import type { Device } from '@gradsim/core';
import { FILM, type RigidScene } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import type { EstimateOptions, Observation } from '@gradsim/optim';
import { photographed } from './photographed.ts';
import { rigidSide, type Side, softSide } from './side.ts';
import { hasTwin, twinsOf } from './twins.ts';

/** An object that is filmed, and the model that is fitted to its film. */
export interface Mismatch {
  /** Correct model. */
  readonly filmed: Side;
  readonly fitted: Side;
  readonly observation: Observation;
  /** Options of the fit. Default: those of `estimate`. */
  readonly options?: EstimateOptions;
}

/** Weights of red, green, blue and alpha in the loss when only masks are compared. */
const MASK = [0, 0, 0, 1];

/** Observation of the film of a model. @param weights of red, green, blue and alpha. */
async function observed({ model, substeps }: Side, device: Device, weights?: number[]): Promise<Observation> {
  const { observation } = await filmModel(model, { ...FILM, substeps }, { device });
  return { ...observation, ...(weights ? { weights } : {}) };
}

/**
 * Options of a fit of tetrahedra, whose films take some fifty times as long as those of rigid bodies. Before each horizon
 * 32 points are ranked, and growing horizons would be a dozen, since a wrong model predicts few later frames. The loss
 * does not fall to zero, so Gauss-Newton converges linearly: the tolerance is a few per cent of a standard error. The
 * table has standard errors and no intervals, whose profiles take half of the time.
 */
const SOFT_FIT: EstimateOptions = {
  search: { horizons: [0.15, 1], tolerance: 1e-5 },
  uncertainty: { intervals: 'curvature' },
};

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
  mismatch: async (object, _, device) => {
    const filmed = rigidSide(object);
    const fitted = rigidSide({ ...object, material: { ...object.material, ...changed } });
    return { filmed, fitted, observation: await observed(filmed, device) };
  },
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
      const filmed = rigidSide(rigid);
      return {
        filmed,
        fitted: softSide(soft),
        observation: await observed(filmed, device, MASK),
        options: SOFT_FIT,
      };
    },
  },
  'deformable as rigid': {
    published: 0.4974,
    takes: hasTwin,
    mismatch: async (object, sample, device) => {
      const { rigid, soft } = await twinsOf(object, sample, device);
      const filmed = softSide(soft);
      return { filmed, fitted: rigidSide(rigid), observation: await observed(filmed, device, MASK) };
    },
  },
  photorealistic: {
    published: 0.179,
    takes: () => true,
    mismatch: async (object, _, device) => {
      const { side, observation } = await photographed(object, { device, chromium: process.env.GRADSIM_CHROMIUM });
      return { filmed: side, fitted: side, observation };
    },
  },
} as const satisfies Readonly<Record<string, WrongModel>>;

/** Name of a row. */
export type WrongModelName = keyof typeof WRONG_MODELS;
export const WRONG_MODEL_NAMES = Object.keys(WRONG_MODELS) as readonly WrongModelName[];
