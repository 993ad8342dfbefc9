// What a compiler of kernels works with: forms, derivatives, binding to memory, and what a device takes.
export { adjoint } from './derivatives/adjoint.ts';
export { dependencies } from './derivatives/dependencies.ts';
export { tangent } from './derivatives/tangent.ts';
export type { Executor, Program } from './devices/device.ts';
export { findAdapter, isSoftware } from './devices/webgpu/adapter.ts';
export type { Binding, BoundKernel, Reach } from './emit/bind.ts';
export { bindKernel } from './emit/bind.ts';
export { wgslSource, workgroups } from './emit/wgsl/shader.ts';
export { Builder } from './language/builder.ts';
export { evaluate } from './language/folding.ts';
export type {
  KernelForm,
  LoadNode,
  Node,
  Output,
  Port,
  PureOp,
  Register,
  ScalarType,
} from './language/form.ts';
export { everyStatement, isPure, portLabel, REGISTERS, scalarOf } from './language/form.ts';
export { currentBuilder, use, wrap } from './language/scalar.ts';
