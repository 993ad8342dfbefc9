export type { TensorOperation, Tensors } from './tensor-operation.ts';
export { tensorOperation } from './tensor-operation.ts';
