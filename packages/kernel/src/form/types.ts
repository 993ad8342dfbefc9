export type ScalarType = 'f32' | 'i32' | 'u32' | 'bool';
/** So many scalars in the memory of one invocation. */
export type ArrayType = `${'f32' | 'i32' | 'u32'}[${number}]`;
export type NodeType = ScalarType | ArrayType;

/** By length: no scalar's name is longer than `bool`, and no array's is as short. */
export const isArray = (type: NodeType): type is ArrayType => type.length > 4;
/** Type of the entries of an array, or the scalar itself. */
export const scalarOf = (type: NodeType): ScalarType =>
  isArray(type) ? (type.slice(0, type.indexOf('[')) as ScalarType) : type;
export const lengthOf = (type: ArrayType): number => Number.parseInt(type.slice(type.indexOf('[') + 1), 10);
/** Whether derivatives go through values of the type. */
export const isFloat = (type: NodeType): boolean => scalarOf(type) === 'f32';

/** Precision of floats. */
export type Precision = 'f32' | 'f64';
export const bytesOfFloat = (precision: Precision): number => (precision === 'f64' ? 8 : 4);
