import type { FieldKey, FrameClock } from '@gradsim/core';
import type { FrameChoice } from './observation.ts';

/**
 * A loss that passes of the model compute: the sum of a recorded field's values over elements, components and chosen
 * frames. A field of the domain `world` has one value per frame.
 *
 * ```ts
 * const loss: FieldLoss = { field: 'world.missed', frames: 'last' };
 * ```
 */
export interface FieldLoss {
  readonly field: FieldKey;
  /** Frames over which the field is summed. Default `all`. */
  readonly frames?: FrameChoice;
  /** Factor of the sum. Default 1. */
  readonly weight?: number;
  /** Name of the loss in results and messages. Default: the field's key. */
  readonly name?: string;
}

/** Result of a loss function: the loss, and its gradient with respect to each argument. */
export interface LossValue<Name extends string = string> {
  /** The loss: a finite number, or positive infinity at a point that no step may reach. */
  readonly value: number;
  readonly gradient: Readonly<Record<Name, ArrayLike<number>>>;
}

/** Timeline and array shapes of the run that a loss function is called for. */
export interface LossRun extends FrameClock {
  readonly frames: number;
  readonly substeps: number;
  /** Shape of each argument, by name: [moments (frames, substeps, or 1), elements, components]. */
  readonly shapes: Readonly<Record<string, readonly [number, number, number]>>;
}

/**
 * A loss as a JavaScript function of recorded fields, or of the unknowns themselves, with its gradient. It is called
 * for every start in every iteration; all frames of the fields in `recordedFields` are copied to the host, and their adjoints back.
 * Observations and {@link FieldLoss}, which the device computes, are much faster for pictures.
 */
export interface FunctionLoss<Recorded extends string = string, Given extends string = string> {
  /** Name of the loss in results and messages. */
  readonly name: string;
  /** Recorded fields that are arguments, by argument name; an argument is flat, [frame][element][component]. */
  readonly recordedFields?: Readonly<Record<Recorded, FieldKey>>;
  /**
   * Fields set by unknowns that are arguments, by argument name: flat, [element][component], or over time [frame or
   * substep][element][component].
   */
  readonly unknowns?: Readonly<Record<Given, FieldKey>>;
  /** Factor of the value and the gradient. Default 1. */
  readonly weight?: number;
  evaluate(
    values: Readonly<Record<Recorded | Given, Float64Array>>,
    run: LossRun,
  ): LossValue<Recorded | Given> | Promise<LossValue<Recorded | Given>>;
}

/** A loss besides the squared residuals of observations. A problem minimises the sum of all its losses. */
export type Loss = FieldLoss | FunctionLoss;

export const isFunctionLoss = (loss: Loss): loss is FunctionLoss => 'evaluate' in loss;

/**
 * Returns a loss unchanged; TypeScript infers the types of its function's arguments.
 *
 * ```ts
 * import { lossOf } from '@gradsim/optim';
 *
 * // The last frame's height is to be 2 m.
 * const height = lossOf({
 *   name: 'height',
 *   of: { position: 'motes.position' },
 *   evaluate: ({ position }) => {
 *     const gradient = new Float64Array(position.length);
 *     const last = position.length - 2;
 *     gradient[last] = 2 * (position[last] - 2);
 *     return { value: (position[last] - 2) ** 2, gradient: { position: gradient } };
 *   },
 * });
 * ```
 */
export function lossOf<Recorded extends string = never, Given extends string = never>(
  loss: FunctionLoss<Recorded, Given>,
): FunctionLoss<Recorded, Given> {
  return loss;
}
