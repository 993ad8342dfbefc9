export type { CpuOptions } from './device/cpu.ts';
export { cpuDevice } from './device/cpu.ts';
export type { Device } from './device/device.ts';
export { f64Device } from './device/f64.ts';
export type { PassProfile, ProfilingDevice } from './device/profile.ts';
export { profileDevice } from './device/profile.ts';
export type { DeviceChoice, DeviceListing, DeviceName, SelectOptions } from './device/select.ts';
export { DEVICE_NAMES, listDevices, selectDevice } from './device/select.ts';
export { webgpuDevice } from './device/webgpu.ts';
export type { Carry } from './kernel/control.ts';
export { forRange, loop, when } from './kernel/control.ts';
export type { Value } from './kernel/functions.ts';
export {
  abs,
  acos,
  addCompensated,
  asin,
  atan,
  atan2,
  bitsOfF32,
  bitsToF32,
  ceil,
  clamp,
  cos,
  countTrailingZeros,
  detach,
  exp,
  floor,
  log,
  max,
  min,
  norm,
  normalize,
  pow,
  select,
  sigmoid,
  sign,
  sin,
  sqrt,
  tan,
  tanh,
} from './kernel/functions.ts';
export type {
  Adder,
  AddSpec,
  IndexReader,
  Kernel,
  KernelSpec,
  OwnAdder,
  Reader,
  ReadSpec,
  Surroundings,
  WriteSpec,
} from './kernel/kernel.ts';
export { adjointOf, kernel } from './kernel/kernel.ts';
export type { Bool, F32, I32, Operand, U32 } from './kernel/scalar.ts';
export { Index, Scalar } from './kernel/scalar.ts';
export type { IndexType, OtherDomain, PerWorld, Several, ValueOf, ValueType } from './kernel/types.ts';
export {
  f32,
  i32,
  index,
  indexOn,
  mat22,
  mat33,
  on,
  perWorld,
  quat,
  several,
  u32,
  vec2,
  vec3,
  vec4,
} from './kernel/types.ts';
export type { Mat22, Mat33, Vec2, Vec3, Vec4 } from './kernel/vector.ts';
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
} from './kernel/vector.ts';
export { vjp } from './kernel/vjp.ts';
export type { Cycle, Domain, Field, FieldOptions, Pass, Phase, Surface } from './model/model.ts';
export { Model } from './model/model.ts';
export { buildModel } from './scene/build.ts';
export type {
  Column,
  Component,
  Entity,
  ManyValuesOf,
  ObjectColumn,
  Range,
  ReferenceColumn,
  ValueColumn,
  ValuesOf,
} from './scene/component.ts';
export { column, defineAspect, defineComponent, reference, resource } from './scene/component.ts';
export type { BuildContext, Plugin } from './scene/plugin.ts';
export { definePlugin, PLUGIN_CONTRACT } from './scene/plugin.ts';
export { createScene, Scene } from './scene/scene.ts';
export type { Seeds } from './tape/seeds.ts';
export type { RecordWords, RunOptions, SimulationOptions } from './tape/simulation.ts';
export { createSimulation, Simulation } from './tape/simulation.ts';
export type { StableStep } from './tape/step-limit.ts';
