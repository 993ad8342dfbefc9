import type { Primitive } from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';
import { overloadPerType, primitive } from './primitive.ts';
import { unwrapped } from './texts.ts';

const TYPES: readonly ScalarType[] = ['f32', 'i32', 'u32', 'bool'];

export const select: Primitive = primitive('select', {
  overloads: TYPES.map((type) => ({
    args: ['bool', type, type],
    result: type,
    evaluate: (condition, yes, no) => (condition ? yes : no),
    javascript: ([condition, yes, no]) => `(${condition} ? ${yes} : ${no})`,
    // Comparisons keep their parentheses: `(a < b, c > d)` would be read as a template.
    wgsl: ([condition, ...sides]) => {
      const [yes, no] = type === 'bool' ? sides : sides.map(unwrapped);
      return `select(${no}, ${yes}, ${unwrapped(condition)})`;
    },
    wasm: type === 'f32' ? 'float.select' : 'i32.select',
  })),
  simplify: (_, { 0: condition, 1: yes, 2: no }) => {
    if (condition.op === 'const') return condition.value ? yes : no;
    return yes === no ? yes : null;
  },
  derivative: (b, [condition]) => [
    null,
    (t) => b.select(condition, t, b.const(0)),
    (t) => b.select(condition, b.const(0), t),
  ],
});

/** The argument itself, with no derivative. Removed when a kernel is bound. */
export const detach: Primitive = primitive('detach', {
  overloads: overloadPerType(TYPES, 1, () => ({
    evaluate: (x) => x,
    javascript: ([x]) => x,
    wgsl: ([x]) => x,
    wasm: 'same',
  })),
  derivative: null,
});
