import type { Model } from '@gradsim/core';
import type { FilmTimeline } from '@gradsim/film';
import type { EstimateOptions, ParameterSpec, TieSpec } from '@gradsim/optim';

/** Differences of a filmed scene from the model that it is estimated with; 0 is none. */
export interface Departures {
  /** Contrast of a chequered texture where the model has one colour. */
  readonly texture: number;
  /** Turn of the light's direction about the vertical axis, rad. */
  readonly light: number;
  /** Relative change of red, and half as much of blue in the other direction. */
  readonly color: number;
  /** Relative change of all lengths of what moves. */
  readonly size: number;
  /** Relative change of the length along one axis, at the same volume. */
  readonly shape: number;
  /** Relative change of the camera's angle. */
  readonly fieldOfView: number;
  /** Quadratic drag, in units that the kind chooses so that 1 is strong. */
  readonly drag: number;
  /** Friction that the model lacks, in units that the kind chooses so that 1 is strong. */
  readonly friction: number;
  /** Share of the damping that grows with the square of the speed, where the model has it linear. */
  readonly damping: number;
}

/** The model itself. */
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

/** An unknown, with what its true value is drawn from. */
export interface Unknown extends Omit<ParameterSpec, 'field' | 'initial' | 'truth'> {
  readonly field: NonNullable<ParameterSpec['field']>;
  /** Ends of the interval that true values are drawn from. */
  readonly drawn: readonly [number, number];
  /** Estimates start so far off the truth at most, relative to it. */
  readonly off: number;
}

/** True values, or those of a start, by the names of the unknowns. */
export type Values = Readonly<Record<string, number>>;

/** One kind of film. */
export interface Kind {
  readonly timeline: FilmTimeline;
  readonly unknowns: readonly Unknown[];
  readonly options: EstimateOptions;
  /**
   * Places that follow from `size`, the factor by which all lengths of what moves are off what was measured: 1 in the model.
   * @param model as it is estimated with.
   */
  readonly sizes: (model: Model) => readonly TieSpec[];
  /** The scene with these values; pictures are of `SIZE` pixels across and down. */
  readonly model: (values: Values, departures: Departures) => Model;
}
