export { vjp } from './derivatives/vjp.ts';
export { cpuDevice } from './devices/cpu/cpu.ts';
export type { CpuOptions } from './devices/cpu/processor.ts';
export type { Device } from './devices/device.ts';
export { f64Device } from './devices/f64.ts';
export type { PassProfile, ProfilingDevice } from './devices/profile.ts';
export { profileDevice } from './devices/profile.ts';
export type { DeviceChoice, DeviceListing, DeviceName, SelectOptions } from './devices/select.ts';
export { DEVICE_NAMES, listDevices, selectDevice } from './devices/select.ts';
export type { GpuAdapter, GpuDevice } from './devices/webgpu/handles.ts';
export { webgpuDevice } from './devices/webgpu/webgpu.ts';
export type { Precision } from './form/types.ts';
export type { LoopVariables } from './language/control.ts';
export { forRange, loop, when } from './language/control.ts';
export { field } from './language/fields/field-ref.ts';
export { NO_ELEMENT } from './language/fields/no-element.ts';
export type { Adder, IndexReader, KernelFields, OwnAdder, Reader } from './language/fields/seen.ts';
export type { AddSpec, ReadSpec, WriteSpec } from './language/fields/specs.ts';
export { adjointOf, tangentOf } from './language/fields/specs.ts';
export * from './language/functions.ts';
export type { Kernel, KernelSpec, KernelTypes } from './language/kernel.ts';
export { kernel } from './language/kernel.ts';
export { LocalArray, localArray } from './language/local-array.ts';
export type { Bool, F32, I32, Operand, U32 } from './language/scalar.ts';
export { Index, Scalar } from './language/scalar.ts';
export type { Keys } from './language/sorting.ts';
export { lowerBound, mergedSource } from './language/sorting.ts';
export { maxOver, productOver, sumOver } from './language/sums.ts';
export type { Surroundings } from './language/surroundings.ts';
export type {
  FieldOf,
  FieldRef,
  IndexedField,
  IndexType,
  PerWorld,
  Several,
  ValueOf,
  ValueType,
} from './language/types.ts';
export {
  f32,
  fieldOn,
  i32,
  index,
  indexOn,
  mat22,
  mat33,
  perWorld,
  quat,
  several,
  u32,
  vec2,
  vec3,
  vec4,
} from './language/types.ts';
export type { Value } from './language/values.ts';
export type { Mat22, Mat33, Vec2, Vec3, Vec4 } from './language/vector.ts';
export {
  cross,
  determinant,
  dot,
  identity,
  inverse,
  Mat,
  matFromColumns,
  matFromRows,
  outer,
  Quat,
  rotate,
  rotateInverse,
  traceOf,
  transpose,
  Vec,
} from './language/vector.ts';
export type {
  Cotangents,
  Floats,
  Gradients,
  Inputs,
  Kernels,
  Outputs,
  OutputTangents,
  Tangents,
} from './program/names.ts';
export type { ProgramOptions } from './program/plan.ts';
export type { CompiledProgram, Moment } from './program/program.ts';
export { compile } from './program/program.ts';
