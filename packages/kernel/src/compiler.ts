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
  ScalarType,
} from './language/form.ts';
export { everyStatement, isPure, portLabel } from './language/form.ts';
export { currentBuilder, use, wrap } from './language/scalar.ts';
export { withPorts } from './language/with-ports.ts';
export { additionsOf } from './program/additions.ts';
export type { ForwardJobs, ForwardSurroundings } from './program/forward.ts';
export { forwardJobs, geometry } from './program/forward.ts';
export type { IndexReader } from './program/incidence.ts';
export type { Job } from './program/jobs.ts';
export { bindJob, copyForm, zeroForm } from './program/jobs.ts';
export { firstLoss, forgetLosses } from './program/losses.ts';
export type { Place, Shape } from './program/places.ts';
export { Arena, shapeWords, wordOf } from './program/places.ts';
export { sitesOf } from './program/sites.ts';
export type { PassStep as KernelStep, SumStep as KernelSum } from './program/steps.ts';
export { fieldKey } from './program/steps.ts';
export type { Loss, SiteOf, SitePlaces, SumSurroundings, SumTarget, Table } from './program/sums.ts';
export { Sum, siteOf } from './program/sums.ts';
export { fromWords, toWords } from './program/value-order.ts';
