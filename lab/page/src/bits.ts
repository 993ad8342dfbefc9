/**
 * Arrays of single-precision numbers by name, as their bit patterns: JSON preserves these exactly, including the sign
 * of zero.
 */
export type Bits = Record<string, number[]>;

export const bitsOf = (values: ArrayLike<number>): number[] => [...new Uint32Array(Float32Array.from(values).buffer)];

export const valuesOf = (bits: readonly number[]): Float32Array => new Float32Array(Uint32Array.from(bits).buffer);
