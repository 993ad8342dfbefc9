import type { KernelForm } from '../../src/form/kernel-form.ts';
import type { Overload, Primitive } from '../../src/form/nodes.ts';
import type { ScalarType } from '../../src/form/types.ts';
import { kernel } from '../../src/language/kernel.ts';
import { currentBuilder, use, wrap } from '../../src/language/scalar.ts';
import { f32, i32, u32 } from '../../src/language/types.ts';
import { ne } from '../../src/primitives/comparison.ts';
import { toU32 } from '../../src/primitives/conversion.ts';

export const NAMES = ['x', 'y', 'z'];
const TYPES = { f32, i32, u32 };

/** Storage type of a value: a condition is stored as 0 or 1. */
const stored = (type: ScalarType) => (type === 'bool' ? 'u32' : type);

/** Kernel form that applies a single operation. */
export const formOf = (primitive: Primitive, { called, args, result }: Overload): KernelForm =>
  kernel(
    called,
    {
      domain: 'points',
      reads: Object.fromEntries(args.map((type, k) => [NAMES[k], TYPES[stored(type)]])),
      writes: { value: TYPES[stored(result)] },
    },
    (fields) => {
      const b = currentBuilder();
      const nodes = args.map((type, k) => {
        const node = use(fields[NAMES[k]]);
        return type === 'bool' ? b.pure(ne, node, b.const(0, 'u32')) : node;
      });
      const node = b.pure(primitive, ...nodes);
      return { value: wrap<'f32'>(node.type === 'bool' ? b.pure(toU32, node) : node) };
    },
  ).form;
