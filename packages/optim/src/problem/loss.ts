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
  /** Which frames count. Default `all`. */
  readonly frames?: FrameChoice;
  /** What the sum is multiplied by. Default 1. */
  readonly weight?: number;
  /** Its name in results and messages. Default the field's key. */
  readonly name?: string;
}

/** What a function gives: the loss, and its derivative with respect to each of the values that it was given. */
export interface LossValue<Name extends string = string> {
  /** A finite number; positive infinity where there must be no step to. */
  readonly value: number;
  readonly gradient: Readonly<Record<Name, ArrayLike<number>>>;
}

/** The run that a loss is of. */
export interface LossRun {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
  /** Of what the function is given, by name: how many frames (or substeps, or 1), elements and components. */
  readonly shapes: Readonly<Record<string, readonly [number, number, number]>>;
}

/**
 * A function of what was recorded, or of the unknowns themselves, with its gradient, in JavaScript. It is called once for
 * every start in every iteration, with all frames of the fields in `of` copied to the host and their adjoints copied back:
 * observations and {@link FieldLoss}, which the device computes, are faster by far for pictures.
 */
export interface FunctionLoss<Recorded extends string = string, Given extends string = string> {
  /** Its name in results and messages. */
  readonly name: string;
  /** Recorded fields, by what the function calls them: each is [frame][element][component]. */
  readonly of?: Readonly<Record<Recorded, FieldKey>>;
  /** Fields that unknowns go to, as they are set: [element][component], over time [frame or substep][element][component]. */
  readonly unknowns?: Readonly<Record<Given, FieldKey>>;
  /** What value and gradient are multiplied by. Default 1. */
  readonly weight?: number;
  evaluate(
    values: Readonly<Record<Recorded | Given, Float64Array>>,
    run: LossRun,
  ): LossValue<Recorded | Given> | Promise<LossValue<Recorded | Given>>;
}

/** What is to be small, besides the squared differences of observations. The losses of a problem are added up. */
export type Loss = FieldLoss | FunctionLoss;

export const isFunctionLoss = (loss: Loss): loss is FunctionLoss => 'evaluate' in loss;

/**
 * Gives a loss back, with types of the values that its function is given.
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
