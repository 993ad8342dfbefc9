// The parts of a custom device: the interface that it implements, and the emitters that write code of bound kernels.
export type { Device, Executor } from './devices/device.ts';
export type {
  Access,
  AccessRange as Reach,
  BoundKernel,
  CodeSource,
  Footprint,
  KernelCode,
  Store,
} from './emit/bound-kernel.ts';
export type { ExecutorSpec, Program } from './emit/executor-spec.ts';
export { javascriptSource } from './emit/javascript/evaluator.ts';
export { operationsOf } from './emit/operation-count.ts';
export { barriersOf } from './emit/order/barriers.ts';
export { dispatchesOf } from './emit/order/dispatches.ts';
export type { Syntax } from './emit/text.ts';
export { writeText } from './emit/text.ts';
export { HOST_FUNCTIONS } from './emit/wasm/host-functions.ts';
export type { WasmModule, WasmOptions } from './emit/wasm/module.ts';
export { wasmModule } from './emit/wasm/module.ts';
export { wgslSource, workgroups } from './emit/wgsl/shader.ts';
export type { Block, Node, Overload, Primitive, Region, Statement } from './form/nodes.ts';
export type { Port } from './form/port.ts';
export type { Precision, ScalarType } from './form/types.ts';
export { isRegion, operandsOf } from './form/walk.ts';
export { Builder } from './language/builder.ts';
export * as primitives from './primitives/index.ts';
