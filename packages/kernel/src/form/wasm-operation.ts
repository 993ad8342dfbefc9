/** Float instruction that WebAssembly has in both precisions. */
export type FloatInstruction =
  | Compared
  | 'abs'
  | 'neg'
  | 'ceil'
  | 'floor'
  | 'sqrt'
  | 'add'
  | 'sub'
  | 'mul'
  | 'div'
  | Bound;
type Compared = 'eq' | 'ne' | 'lt' | 'gt' | 'le' | 'ge';
type Bound = 'min' | 'max';

/** Operations that differ for signed and unsigned integers. */
type Signed = `${Exclude<Compared, 'eq' | 'ne'> | Bound | 'div' | 'rem' | 'shr'}_${'s' | 'u'}`;

/**
 * WebAssembly code of a primitive, by name: operand type (`float`: that of the device's precision), dot, instruction.
 * `emit/wasm/operations.ts` has the code of each, for one invocation and for all lanes. Integer quotients and
 * remainders are 0 where the divisor is 0. `same` leaves a value unchanged.
 */
export type WasmOperation =
  | 'same'
  | `float.${FloatInstruction | 'select' | 'of_i32' | 'of_u32' | 'of_bits'}`
  | `i32.${'add' | 'sub' | 'mul' | 'and' | 'or' | 'xor' | 'eqz' | 'shl' | 'ctz' | 'eq' | 'ne' | 'select' | Signed}`
  | `${'i32' | 'u32' | 'bits'}.of_float`;
