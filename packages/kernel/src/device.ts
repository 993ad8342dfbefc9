// What a device of your own is made of: what it is asked to do, and what writes the code of bound kernels.
export type { Device, Executor, ExecutorSpec, Program } from './devices/device.ts';
export { barriersOf } from './emit/barriers.ts';
export type { Access, BoundKernel, Footprint, Reach, Store } from './emit/bind.ts';
export { dispatchesOf } from './emit/dispatches.ts';
export { javascriptSource } from './emit/javascript/evaluator.ts';
export { operationsOf } from './emit/operation-count.ts';
export type { Syntax } from './emit/text.ts';
export { writeText } from './emit/text.ts';
export type { WasmModule, WasmOptions } from './emit/wasm/module.ts';
export { wasmModule } from './emit/wasm/module.ts';
export { wgslSource, workgroups } from './emit/wgsl/shader.ts';
export { Builder } from './language/builder.ts';
export type { Block, Node, Port, Precision, Region, ScalarType, Statement } from './language/form.ts';
export { isRegion, operandsOf } from './language/form.ts';
export type { Overload, Primitive } from './language/primitive.ts';
export { HOST_FUNCTIONS } from './primitives/host.ts';
export * as primitives from './primitives/index.ts';
