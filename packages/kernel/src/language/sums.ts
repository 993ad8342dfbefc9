import { GradsimError } from '@gradsim/base';
import type { Primitive } from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';
import * as primitives from '../primitives/index.ts';
import { forRange } from './control.ts';
import { currentBuilder, lift, type Operand, type U32, use } from './scalar.ts';
import type { ValueType } from './types.ts';
import { scalarsOf, type Value } from './values.ts';

/** Folds the values of a range, component by component, from a first value of each. */
function foldRange<V extends Value>(
  operation: Primitive,
  first: number,
  [start, end, type, of]: readonly [Operand<'u32'>, Operand<'u32'>, ValueType<V>, (k: U32) => V],
): V {
  const initial = lift(first, type.scalar);
  return forRange(start, end, type.fromNodes(Array(type.components).fill(initial)), (k, sum): V => {
    const next = scalarsOf(of(k));
    if (next.length !== type.components)
      throw new GradsimError(
        'base/wrong-type',
        `what is folded over a range is ${type.typeName}, but was given ${next.length} numbers.`,
        { kernel: currentBuilder().kernelName },
      );
    const parts = scalarsOf(sum).map((part, c) =>
      currentBuilder().pure(operation, use(part), lift(next[c], type.scalar)),
    );
    return type.fromNodes(parts);
  });
}

/**
 * Sum of a value over the integers from `start` up to but not including `end`; 0 if there are none.
 *
 * ```ts
 * const weight = sumOver(0, count, f32, (k) => mass.at(k));
 * const drag = sumOver(0, 3, vec3, (k) => corner.at(k).mul(-0.5));
 * ```
 */
export const sumOver = <V extends Value>(
  start: Operand<'u32'>,
  end: Operand<'u32'>,
  type: ValueType<V>,
  term: (k: U32) => NoInfer<V>,
): V => foldRange(primitives.add, 0, [start, end, type, term]);

/** Product of a value over a range, component by component; 1 if the range is empty. See {@link sumOver}. */
export const productOver = <V extends Value>(
  start: Operand<'u32'>,
  end: Operand<'u32'>,
  type: ValueType<V>,
  factor: (k: U32) => NoInfer<V>,
): V => foldRange(primitives.mul, 1, [start, end, type, factor]);

/** Least number of each type: WGSL has no infinity. */
const LEAST_NUMBERS: Readonly<Record<ScalarType, number>> = {
  f32: -3.4028234663852886e38,
  i32: -(2 ** 31),
  u32: 0,
  bool: 0,
};

/** Greatest value of a range, component by component; the type's least number if the range is empty. See {@link sumOver}. */
export const maxOver = <V extends Value>(
  start: Operand<'u32'>,
  end: Operand<'u32'>,
  type: ValueType<V>,
  value: (k: U32) => NoInfer<V>,
): V => foldRange(primitives.max, LEAST_NUMBERS[type.scalar], [start, end, type, value]);
