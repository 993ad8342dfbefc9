import type { RigidScene } from '@gradsim/dataset';

/** A row of Table 4: the scene that a model is made of which is fitted to a film. */
export interface WrongModel {
  /** What the model has instead of the scene that was filmed. */
  readonly modelled: (filmed: RigidScene) => RigidScene;
  /** The paper's mean relative error. */
  readonly published: number;
}

/** The scene with another contact material. */
const withMaterial =
  (changed: Partial<RigidScene['material']>): WrongModel['modelled'] =>
  (filmed) => ({ ...filmed, material: { ...filmed.material, ...changed } });

/**
 * Rows of Table 4. The paper does not say what its models lack: here a model without friction has neither `kf` nor `mu`, and one without elasticity
 * has no `kd`, so that a bounce loses nothing; without `ke` as well everything would fall through the ground.
 */
export const WRONG_MODELS = {
  'perfect model': { modelled: (filmed) => filmed, published: 0.1071 },
  'unmodelled friction': { modelled: withMaterial({ kf: 0, mu: 0 }), published: 0.1866 },
  'unmodelled elasticity': { modelled: withMaterial({ kd: 0 }), published: 0.2281 },
} as const satisfies Readonly<Record<string, WrongModel>>;

/** Name of a row. */
export type WrongModelName = keyof typeof WRONG_MODELS;
export const WRONG_MODEL_NAMES = Object.keys(WRONG_MODELS) as readonly WrongModelName[];
