import type { Primitive } from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';
import type { Kernel } from '../language/kernel.ts';
import { kernel } from '../language/kernel.ts';
import { currentBuilder, use, wrap } from '../language/scalar.ts';
import { f32, i32, u32 } from '../language/types.ts';
import { ne } from '../primitives/comparison.ts';
import { toU32 } from '../primitives/conversion.ts';
import { PRIMITIVES } from '../primitives/table.ts';
import type { FieldValues } from './trial.ts';

type Draw = (low: number, high: number, isWhole: boolean) => Float64Array;

const TYPES = { f32, i32, u32 };
/** Type in which a field stores values of a scalar type: a bool is stored as u32. */
const storedType = (type: ScalarType): 'f32' | 'i32' | 'u32' => (type === 'bool' ? 'u32' : type);

/** A kernel over `points` that applies one primitive to arguments of all types it accepts, with inputs. */
export interface PrimitiveTrial {
  readonly primitive: string;
  readonly kernel: Kernel;
  readonly inputs: FieldValues;
}

/** Creates a trial of every primitive. @param draw returns random numbers in a range; integers on request. */
export const primitiveTrials = (draw: Draw): PrimitiveTrial[] =>
  PRIMITIVES.map((primitive) => primitiveTrial(primitive, draw));

function primitiveTrial(primitive: Primitive, draw: Draw): PrimitiveTrial {
  const { name, overloads } = primitive;
  const operands = overloads.flatMap(({ args }, k) => args.map((type, j) => ({ field: `x${k}_${j}`, type, j })));
  const trial = kernel(
    name,
    {
      domain: 'points',
      reads: Object.fromEntries(operands.map(({ field, type }) => [field, TYPES[storedType(type)]])),
      writes: Object.fromEntries(overloads.map(({ result }, k) => [`y${k}`, TYPES[storedType(result)]])),
    },
    (fields) => {
      const b = currentBuilder();
      return Object.fromEntries(
        overloads.map(({ args }, k) => {
          const nodes = args.map((type, j) => {
            const node = use(fields[`x${k}_${j}`]);
            return type === 'bool' ? b.pure(ne, node, b.const(0, 'u32')) : node;
          });
          const result = b.pure(primitive, ...nodes);
          return [`y${k}`, wrap<'f32'>(result.type === 'bool' ? b.pure(toU32, result) : result)];
        }),
      );
    },
  );
  const inputs: Record<string, Float64Array> = {};
  for (const { field, type, j } of operands) {
    const values = argument(primitive, type, j, draw);
    const before = inputs[`points.${field.replace(/\d+$/, String(j - 1))}`];
    // Now and then both arguments are equal, if any values are allowed.
    if (before && !primitive.argumentRanges && overloads.every(({ args }) => args[j - 1] === args[j]))
      for (let n = 0; n < values.length; n += EQUAL_PERIOD) values[n] = before[n];
    inputs[`points.${field}`] = values;
  }
  return { primitive: name, kernel: trial, inputs };
}

/** Number of pairs of arguments per pair of equal values. */
const EQUAL_PERIOD = 7;

/** Draws values of an argument: floats within the primitive's range, away from its ends. */
function argument({ argumentRanges }: Primitive, type: ScalarType, j: number, draw: Draw): Float64Array {
  if (type === 'bool') return draw(0, 2, true);
  if (type === 'i32') return draw(-50, 50, true);
  if (type === 'u32') {
    // Small ones, and ones whose bits are floats of about 1.
    const floats = draw(0x3f000000, 0x40000000, true);
    return draw(0, 100, true).map((small, n) => (n % 2 ? small : floats[n]));
  }
  const [from, to] = argumentRanges?.[j] ?? [-3, 3];
  const [low, high] = [Math.max(from, -3), Math.min(to, 3)];
  const margin = 0.05 * (high - low);
  return draw(low + margin, high - margin, false);
}
