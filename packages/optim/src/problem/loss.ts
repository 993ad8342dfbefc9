import type { FieldKey } from '@gradsim/core';
import type { FrameChoice } from './observation.ts';

/**
 * The sum of a recorded field's values, which passes of the model compute: a loss written as kernels. A field of the
 * world gives one number a frame.
 *
 * ```ts
 * const loss: FieldLoss = { field: 'world.missed', frames: 'last' };
 * ```
 */
export interface FieldLoss {
  readonly field: FieldKey;
  /** Frames that count. Default `all`. */
  readonly frames?: FrameChoice;
  /** Factor of the sum. Default 1. */
  readonly weight?: number;
  /** Name in results and messages. Default the field's key. */
  readonly name?: string;
}

/** Result of a loss function: the loss, and its derivative with respect to each of its arguments. */
export interface LossValue<Name extends string = string> {
  /** Loss, a finite number; positive infinity at points that no step may reach. */
  readonly value: number;
  readonly gradient: Readonly<Record<Name, ArrayLike<number>>>;
}

/** Run that a loss is computed from. */
export interface LossRun {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
  /** Shapes of the function's arguments, by name: numbers of frames (or substeps, or 1), elements and components. */
  readonly shapes: Readonly<Record<string, readonly [number, number, number]>>;
}

/**
 * A function of recorded fields, or of the unknowns themselves, with its gradient, in JavaScript. It is called once for
 * every start in every iteration, with all frames of the fields in `of` copied to the host and their adjoints copied
 * back: observations and {@link FieldLoss}, which the device computes, are much faster for pictures.
 */
export interface FunctionLoss<Recorded extends string = string, Given extends string = string> {
  /** Name in results and messages. */
  readonly name: string;
  /** Recorded fields by the function's names for them: each is [frame][element][component]. */
  readonly of?: Readonly<Record<Recorded, FieldKey>>;
  /** Fields that unknowns set: [element][component], over time [frame or substep][element][component]. */
  readonly unknowns?: Readonly<Record<Given, FieldKey>>;
  /** Factor of value and gradient. Default 1. */
  readonly weight?: number;
  evaluate(
    values: Readonly<Record<Recorded | Given, Float64Array>>,
    run: LossRun,
  ): LossValue<Recorded | Given> | Promise<LossValue<Recorded | Given>>;
}

/** A loss to minimise, besides the squared residuals of observations. The losses of a problem are summed. */
export type Loss = FieldLoss | FunctionLoss;

export const isFunctionLoss = (loss: Loss): loss is FunctionLoss => 'evaluate' in loss;

/**
 * Returns a loss unchanged, with types for the arguments of its function.
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
