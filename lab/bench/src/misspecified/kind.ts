import type { Model } from '@gradsim/core';
import type { FilmTimeline } from '@gradsim/film';
import type { EstimateOptions, ParameterSpec, TieSpec } from '@gradsim/optim';

/** Differences of a filmed scene from the model that it is estimated with; 0 means none. */
export interface Departures {
  /** Contrast of a chequered texture where the model has one colour. */
  readonly texture: number;
  /** Rotation of the light's direction about the vertical axis, rad. */
  readonly light: number;
  /** Relative change of red; blue changes by half as much in the opposite direction. */
  readonly color: number;
  /** Relative change of all lengths of the moving object. */
  readonly size: number;
  /** Relative change of the object's length along one axis at constant volume. */
  readonly shape: number;
  /** Relative change of the camera's angle of view. */
  readonly fieldOfView: number;
  /** Quadratic drag that the model lacks, as a multiple of a strong drag that each kind of film defines. */
  readonly drag: number;
  /** Friction that the model lacks, as a multiple of a strong friction that each kind of film defines. */
  readonly friction: number;
  /**
   * Fraction of the damping that is quadratic in the speed, at the typical speed; the model's damping is all linear.
   */
  readonly damping: number;
}

/** Departures of the model itself: all 0. */
export const NO_DEPARTURE: Departures = {
  texture: 0,
  light: 0,
  color: 0,
  size: 0,
  shape: 0,
  fieldOfView: 0,
  drag: 0,
  friction: 0,
  damping: 0,
};

/** An unknown, with the interval of its true value. */
export interface Unknown extends Omit<ParameterSpec, 'field' | 'initial' | 'truth'> {
  readonly field: NonNullable<ParameterSpec['field']>;
  /** Ends of the interval from which true values are drawn. */
  readonly trueRange: readonly [number, number];
  /** Half width of the interval from which initial values are drawn around the truth, relative to the truth. */
  readonly startDeviation: number;
}

/** Values of the unknowns by name: true or initial ones. */
export type Values = Readonly<Record<string, number>>;

/** One kind of film, with its model and unknowns. */
export interface Kind {
  readonly timeline: FilmTimeline;
  readonly unknowns: readonly Unknown[];
  readonly options: EstimateOptions;
  /**
   * Ties that make fields depend on `size`, the ratio of true to measured lengths of the moving object; 1 in the model.
   *
   * @param model model used in the estimation.
   */
  readonly sizes: (model: Model) => readonly TieSpec[];
  /** Builds the scene for values of the unknowns and departures; its pictures are `SIZE` x `SIZE` px. */
  readonly model: (values: Values, departures: Departures) => Model;
}
