import type { Model } from '@gradsim/core';
import type { FilmTimeline } from '@gradsim/film';
import type { EstimateOptions, ParameterSpec, TieSpec } from '@gradsim/optim';

/** Differences of a filmed scene from the model that it is estimated with; 0 means none. */
export interface Departures {
  /** Contrast of a chequered texture where the model has one colour. */
  readonly texture: number;
  /** Rotation of the light's direction about the vertical axis, rad. */
  readonly light: number;
  /** Relative change of red, and half as much of blue in the other direction. */
  readonly color: number;
  /** Relative change of all lengths of the moving object. */
  readonly size: number;
  /** Relative change of the length along one axis, at the same volume. */
  readonly shape: number;
  /** Relative change of the camera's angle of view. */
  readonly fieldOfView: number;
  /** Quadratic drag, in units that the kind chooses so that 1 is strong. */
  readonly drag: number;
  /** Friction that the model lacks, in units that the kind chooses so that 1 is strong. */
  readonly friction: number;
  /** Share of the damping that is quadratic in the speed, where the model has linear damping. */
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

/** An unknown, with the distribution of its true value. */
export interface Unknown extends Omit<ParameterSpec, 'field' | 'initial' | 'truth'> {
  readonly field: NonNullable<ParameterSpec['field']>;
  /** Ends of the interval that true values are drawn from. */
  readonly drawn: readonly [number, number];
  /** Maximum error of the start relative to the truth. */
  readonly off: number;
}

/** Values of the unknowns by name: the truth, or a start. */
export type Values = Readonly<Record<string, number>>;

/** One kind of film. */
export interface Kind {
  readonly timeline: FilmTimeline;
  readonly unknowns: readonly Unknown[];
  readonly options: EstimateOptions;
  /**
   * Fields that follow from `size`, the ratio of true to measured lengths of the moving object; 1 in the model.
   *
   * @param model as it is estimated with.
   */
  readonly sizes: (model: Model) => readonly TieSpec[];
  /** The scene with these values; pictures are of `SIZE` pixels across and down. */
  readonly model: (values: Values, departures: Departures) => Model;
}
