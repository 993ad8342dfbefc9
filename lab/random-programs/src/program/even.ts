import type { Random } from '../random.ts';
import { AT_ZERO, OPERATIONS } from './operations.ts';
import type { Block, Program } from './program.ts';
import { isFloat, keyOf } from './program.ts';

/** Returns a program with other operations in its kernels. */
export const withOperations = (program: Program, of: (op: string) => string): Program => {
  const renamed = (block: Block): Block => ({
    ...block,
    statements: block.statements.map((s) => ({ ...s, op: of(s.op), blocks: s.blocks?.map(renamed) })),
  });
  return { ...program, kernels: program.kernels.map((k) => ({ ...k, body: renamed(k.body) })) };
};

/**
 * Returns a program as people begin with it: symmetric, planar, at rest. Initial values are multiples of 1/2, many of
 * them 0 or alike, at times the same in all elements, and operations have their kinks and zeros at 0: so it begins on
 * ties, where several derivatives meet.
 */
export function evened(program: Program, random: Random): Program {
  const round = (x: number): number => (random.chance(0.7) ? 0 : Math.round(2 * x) / 2);
  const fields = program.fields.map((field) => {
    // A threshold that is equal to what it is compared with would make the values jump.
    if (!isFloat(field.type) || program.dead?.includes(keyOf(field))) return field;
    const values = field.values.map(round);
    return { ...field, values: random.chance(0.3) ? values.map(() => values[0]) : values };
  });
  const toZero = (op: string): string => (op + AT_ZERO in OPERATIONS && random.chance(0.9) ? op + AT_ZERO : op);
  return { ...withOperations({ ...program, fields }, toZero), isEven: true };
}

/** Returns a program with kinks held away from 0, where values that die out lie. */
export const uneven = (program: Program): Program => ({
  ...withOperations(program, (op) => op.replace(AT_ZERO, '')),
  isEven: false,
});
