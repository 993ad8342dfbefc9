export type ScalarType = 'f32' | 'i32' | 'u32' | 'bool';
/** Array of the given length in the memory of one invocation. */
export type ArrayType = `${'f32' | 'i32' | 'u32'}[${number}]`;
export type NodeType = ScalarType | ArrayType;

/**
 * Returns whether a type is an array, by the length of its name: a scalar's has at most four letters, an array's more.
 */
export const isArray = (type: NodeType): type is ArrayType => type.length > 4;
/** Returns the type of an array's entries, or the scalar type itself. */
export const scalarOf = (type: NodeType): ScalarType =>
  isArray(type) ? (type.slice(0, type.indexOf('[')) as ScalarType) : type;
export const lengthOf = (type: ArrayType): number => Number.parseInt(type.slice(type.indexOf('[') + 1), 10);
/** Returns whether values of the type have derivatives. */
export const isFloat = (type: NodeType): boolean => scalarOf(type) === 'f32';

/** Precision of floats. */
export type Precision = 'f32' | 'f64';
export const bytesOfFloat = (precision: Precision): number => (precision === 'f64' ? 8 : 4);
