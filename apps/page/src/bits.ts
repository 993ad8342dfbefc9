/** Numbers in single precision as their bits, which survive the way through JSON, the sign of zero included. */
export type Bits = Record<string, number[]>;

export const bitsOf = (values: ArrayLike<number>): number[] => [...new Uint32Array(Float32Array.from(values).buffer)];

export const valuesOf = (bits: readonly number[]): Float32Array => new Float32Array(Uint32Array.from(bits).buffer);
