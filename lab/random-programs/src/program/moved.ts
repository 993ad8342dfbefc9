import type { Block, Program } from './program.ts';
import { isFloat } from './program.ts';

/** Functions that change the floating-point constants of a program. */
interface Moves {
  /** Changes an initial value of a field. */
  readonly value: (x: number) => number;
  /** Changes a literal; it is not called for 0, 1 and -1, which constant folding treats specially. */
  readonly literal: (x: number) => number;
}

/** Returns the program with changed initial values of fields and changed literals. */
export function movedProgram(program: Program, { value, literal }: Moves): Program {
  const literals = (block: Block): Block => ({
    ...block,
    statements: block.statements.map((s) => ({
      ...s,
      literal:
        isFloat(s.type) && s.op !== 'array'
          ? s.literal?.map((x) => (Math.abs(x) === 1 || x === 0 ? x : literal(x)))
          : s.literal,
      blocks: s.blocks?.map(literals),
    })),
  });
  return {
    ...program,
    fields: program.fields.map((f) => (isFloat(f.type) ? { ...f, values: f.values.map(value) } : f)),
    kernels: program.kernels.map((k) => ({ ...k, body: literals(k.body) })),
  };
}
