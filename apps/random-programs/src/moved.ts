import type { Block, Program } from './program.ts';
import { isFloat } from './program.ts';

/** Changes of the floats of a program. */
interface Moves {
  /** Change of the values of fields. */
  readonly value: (x: number) => number;
  /** Change of literals; 0, 1 and -1, which constant folding handles, stay. */
  readonly literal: (x: number) => number;
}

/** The program with other values of fields and other literals. */
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
