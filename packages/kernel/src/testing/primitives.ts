import { Builder } from '../language/builder.ts';
import type { PureOp, ScalarType } from '../language/form.ts';
import type { Kernel } from '../language/kernel.ts';
import { kernel } from '../language/kernel.ts';
import { currentBuilder, use, wrap } from '../language/scalar.ts';
import { f32, i32, u32 } from '../language/types.ts';
import type { FieldValues } from './trial.ts';

/** A type that an operand has, and from where to where its values go. */
type Operand = readonly [type: ScalarType, low: number, high: number];
/** Operands of one use of a primitive. */
type Use = readonly Operand[];

const F: Operand = ['f32', -3, 3];
const I: Operand = ['i32', -50, 50];
const U: Operand = ['u32', 0, 100];
const B: Operand = ['bool', 0, 2];
const within = (low: number, high: number): Operand => ['f32', low, high];
const shift: Operand = ['u32', 0, 32];
const few = (type: 'f32' | 'i32' | 'u32'): Operand => [type, 0, 4];

const pairs = (...operands: Operand[]): Use[] => operands.map((operand) => [operand, operand]);
const each = (...operands: Operand[]): Use[] => operands.map((operand) => [operand]);
const arithmetic = pairs(F, I, U);
const compared = pairs(F, few('i32'), few('u32'));
const divided: Use[] = [
  [F, within(0.5, 2)],
  [
    ['i32', -1000, 1000],
    ['i32', 1, 30],
  ],
  [
    ['u32', 0, 2 ** 32],
    ['u32', 1, 30],
  ],
];
const shifted: Use[] = [
  [I, shift],
  [['u32', 0, 2 ** 32], shift],
];

/** What each primitive is tried on. */
const USES: Readonly<Record<Exclude<PureOp, 'detach'>, readonly Use[]>> = {
  add: arithmetic,
  sub: arithmetic,
  mul: arithmetic,
  div: divided,
  rem: divided,
  neg: each(F, I),
  min: arithmetic,
  max: arithmetic,
  abs: each(F, I),
  sign: each(F, I),
  floor: each(F),
  ceil: each(F),
  sqrt: each(within(0, 9)),
  exp: each(F),
  log: each(within(1e-3, 9)),
  sin: each(within(-20, 20)),
  cos: each(within(-20, 20)),
  tan: each(within(-1.4, 1.4)),
  asin: each(within(-1, 1)),
  acos: each(within(-1, 1)),
  atan: each(F),
  atan2: pairs(F),
  tanh: each(F),
  pow: [[within(0.1, 4), within(-2, 3)]],
  eq: [...compared, [B, B]],
  ne: [...compared, [B, B]],
  lt: compared,
  le: compared,
  gt: compared,
  ge: compared,
  and: pairs(B, I, U),
  or: pairs(B, I, U),
  xor: pairs(B, I, U),
  not: each(B, I, U),
  shiftLeft: shifted,
  shiftRight: shifted,
  countTrailingZeros: each(U),
  select: [F, I, U].map((operand): Use => [B, operand, operand]),
  toF32: each(I, U, B),
  toI32: each(F, U, B),
  toU32: each(within(0, 1000), I, B),
  bitsToF32: each(['u32', 1_000_000_000, 1_100_000_000]),
  bitsOfF32: each(F),
};

const TYPES = { f32, i32, u32 };
/** The type of a field that holds such values; what is a bool comes and goes as u32. */
const stored = (type: ScalarType): 'f32' | 'i32' | 'u32' => (type === 'bool' ? 'u32' : type);

/** A kernel of one primitive, over `points`, on all that it is tried on. */
export interface PrimitiveTrial {
  readonly primitive: PureOp;
  readonly kernel: Kernel;
  readonly inputs: FieldValues;
}

/** @param draw so many numbers in a range; whole ones on request. */
export function primitiveTrials(
  draw: (low: number, high: number, isWhole: boolean) => Float64Array,
): PrimitiveTrial[] {
  return Object.entries(USES).map(([name, uses]): PrimitiveTrial => {
    const primitive = name as PureOp;
    const operands = uses.flatMap((of, k) => of.map((operand, j) => ({ name: `x${k}_${j}`, operand })));
    const trial = kernel(
      primitive,
      {
        domain: 'points',
        reads: Object.fromEntries(operands.map(({ name: x, operand }) => [x, TYPES[stored(operand[0])]])),
        writes: Object.fromEntries(uses.map((of, k) => [`y${k}`, TYPES[stored(resultOf(primitive, of))]])),
      },
      (fields) => {
        const b = currentBuilder();
        return Object.fromEntries(
          uses.map((of, k) => {
            const nodes = of.map(([type], j) => {
              const node = use(fields[`x${k}_${j}`]);
              return type === 'bool' ? b.pure('ne', node, b.const(0, 'u32')) : node;
            });
            const result = b.pure(primitive, ...nodes);
            return [`y${k}`, wrap<'f32'>(result.type === 'bool' ? b.pure('toU32', result) : result)];
          }),
        );
      },
    );
    const inputs = operands.map(({ name: x, operand: [type, low, high] }) => [
      `points.${x}`,
      draw(low, high, type !== 'f32'),
    ]);
    return { primitive, kernel: trial, inputs: Object.fromEntries(inputs) };
  });
}

/** What type a primitive of such operands has. */
function resultOf(primitive: PureOp, of: Use): ScalarType {
  const b = new Builder(primitive);
  const block = b.openRange();
  return b.pure(primitive, ...of.map(([type]) => b.param(block, type))).type;
}
