import { describe, it } from 'vitest';
import type { KernelForm } from '../src/form/kernel-form.ts';
import type { Node } from '../src/form/nodes.ts';
import { kernel } from '../src/language/kernel.ts';
import { currentBuilder, use, wrap } from '../src/language/scalar.ts';
import { f32 } from '../src/language/types.ts';
import { PRIMITIVES } from '../src/primitives/table.ts';
import { inDoubles } from './support/agree.ts';
import { formOf, NAMES } from './support/operation.ts';

/** Inputs of the test: zeros, subnormals, NaN, infinities, and values at the ends of the ranges of i32, u32 and f32. */
const EDGES = [
  ...[0, -0, 1, -1, 0.5, -2.5, Math.PI, 1e-320, -1e-310, 1e300, -1e308, 2 ** 53 + 2, 1 + 2 ** -52],
  ...[2147483647.5, -2147483648.9, 4294967295.5, 4294967296, 3.5e38, -1e-46],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
];
/** Argument lists of all combinations of `count` edge values: entry k holds the values of argument k. */
const combined = (count: number): number[][] =>
  Array.from({ length: count }, (_, k) =>
    Array.from({ length: EDGES.length ** count }, (_, n) => EDGES[Math.floor(n / EDGES.length ** k) % EDGES.length]),
  );

describe('doubles equal those of JavaScript, bit for bit', () => {
  const ofFloats = PRIMITIVES.flatMap((primitive) =>
    primitive.overloads
      .filter(({ args }) => args.every((type) => type === 'f32'))
      .map((overload) => [overload.called, primitive, overload] as const),
  );
  it.each(ofFloats)('%s, at zeros, infinities, NaN and the ends of ranges', async (_, primitive, overload) => {
    const args = combined(overload.args.length);
    const inputs = Object.fromEntries(args.map((values, k) => [NAMES[k], values]));
    await inDoubles(formOf(primitive, overload), { elements: args[0].length, inputs });
  });

  it.each(ofFloats.filter(([, , { args }]) => args.length === 2))(
    '%s, of a field and a constant, at the same values',
    async (_, primitive) => {
      const withConstant = (value: number): KernelForm =>
        kernel(primitive.name, { domain: 'points', reads: { x: f32 }, writes: { left: f32, right: f32 } }, ({ x }) => {
          const b = currentBuilder();
          const [field, constant] = [use(x), b.const(value)];
          const float = (node: Node) =>
            wrap<'f32'>(node.type === 'f32' ? node : b.select(node, b.const(1), b.const(0)));
          return {
            left: float(b.pure(primitive, constant, field)),
            right: float(b.pure(primitive, field, constant)),
          };
        }).form;
      for (const edge of EDGES) await inDoubles(withConstant(edge), { elements: EDGES.length, inputs: { x: EDGES } });
    },
  );
});
