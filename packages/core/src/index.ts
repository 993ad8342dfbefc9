export type { ErrorDetails, ErrorPlace, ErrorRecord, StopSignal } from '@gradsim/base';
export {
  defect,
  describeValue,
  GradsimError,
  isGradsimError,
  refuseUnknownChoice,
  refuseUnknownOptions,
  refuseWrongType,
} from '@gradsim/base';
export type {
  Adder,
  AddSpec,
  Bool,
  Cotangents,
  CpuOptions,
  Device,
  DeviceChoice,
  DeviceListing,
  DeviceName,
  F32,
  FieldOf,
  FieldRef,
  Floats,
  GpuAdapter,
  GpuDevice,
  Gradients,
  I32,
  IndexedField,
  IndexReader,
  IndexType,
  Inputs,
  Kernel,
  KernelFields,
  KernelSpec,
  Kernels,
  KernelTypes,
  Keys,
  LoopVariables,
  Mat22,
  Mat33,
  Moment,
  Operand,
  Outputs,
  OutputTangents,
  OwnAdder,
  PassProfile,
  PerWorld,
  Precision,
  ProfilingDevice,
  ProgramOptions,
  Reader,
  ReadSpec,
  SelectOptions,
  Several,
  Surroundings,
  Tangents,
  U32,
  Value,
  ValueOf,
  ValueType,
  Vec2,
  Vec3,
  Vec4,
  WriteSpec,
} from '@gradsim/kernel';
export {
  abs,
  acos,
  addCompensated,
  adjointOf,
  asin,
  atan,
  atan2,
  bitsOfF32,
  bitsToF32,
  ceil,
  clamp,
  compile,
  cos,
  cosh,
  countTrailingZeros,
  cpuDevice,
  cross,
  DEVICE_NAMES,
  detach,
  determinant,
  dot,
  erf,
  exp,
  expm1,
  f32,
  f64Device,
  field,
  fieldOn,
  floor,
  forRange,
  Index,
  i32,
  identity,
  index,
  indexOn,
  inverse,
  kernel,
  LocalArray,
  listDevices,
  localArray,
  log,
  log1p,
  loop,
  lowerBound,
  Mat,
  mat22,
  mat33,
  matFromColumns,
  matFromRows,
  max,
  maxOver,
  mergedSource,
  min,
  NO_ELEMENT,
  norm,
  normalize,
  outer,
  perWorld,
  pow,
  productOver,
  profileDevice,
  Quat,
  quat,
  rotate,
  rotateInverse,
  rounded,
  Scalar,
  select,
  selectDevice,
  several,
  sigmoid,
  sign,
  sin,
  sinh,
  sqrt,
  sumOver,
  tan,
  tangentOf,
  tanh,
  traceOf,
  transpose,
  u32,
  Vec,
  vec2,
  vec3,
  vec4,
  vjp,
  webgpuDevice,
  when,
} from '@gradsim/kernel';
export type { ComparedFrame, Comparison, Comparisons } from './compile/comparison/comparison.ts';
export { deadParameters } from './compile/derivatives/dead-parameters.ts';
export type { DeadParameter } from './compile/derivatives/why-dead.ts';
export type { FrameClock } from './model/clock.ts';
export { clockOf, fasterClock, timeOfFrame, usualRate } from './model/clock.ts';
export type { DomainOptions, FieldOptions } from './model/declarations.ts';
export type { Domain, Field, PixelGrid } from './model/field.ts';
export type { ValueCondition as Must, ValueRange } from './model/fit.ts';
export { Model } from './model/model.ts';
export type { Offer } from './model/offers.ts';
export { defineOffer } from './model/offers.ts';
export type { BlockOptions, IterateOptions, KernelPass, Pass } from './model/pass.ts';
export { bind, block, iterate, repeat } from './model/pass.ts';
export type { Cycle, PassOptions, PassOrder, Phase, PhasePass } from './model/phases.ts';
export { jacobianProduct, transposedProduct } from './model/products.ts';
export type { FieldKey } from './model/references.ts';
export type { Axes, Surface, Texture } from './model/surfaces.ts';
export { Surfaces } from './model/surfaces.ts';
export type { Tolerance } from './model/tolerance.ts';
export { formatTolerance, isTolerance, toleranceAt } from './model/tolerance.ts';
export { buildModel } from './scene/build.ts';
export type {
  Aspects,
  AspectsOf,
  Column,
  ColumnRefs,
  Component,
  ComputedField,
  ComputedRefs,
  Declared,
  Entity,
  ManyValuesOf,
  ObjectColumn,
  ReferenceColumn,
  ValueColumn,
  ValuesOf,
} from './scene/component.ts';
export {
  column,
  computed,
  defineAspect,
  defineAspects,
  defineComponent,
  reference,
  resource,
  sum,
} from './scene/component.ts';
export type { BuildContext, Plugin } from './scene/plugin.ts';
export { definePlugin } from './scene/plugin.ts';
export type { Registered } from './scene/registration.ts';
export { PLUGIN_CONTRACT } from './scene/registration.ts';
export { createScene, Scene } from './scene/scene.ts';
export type { LinearOptions } from './solve/conjugate-gradients.ts';
export { conjugateGradients } from './solve/conjugate-gradients.ts';
export type { ResidualOptions } from './solve/conjugate-residuals.ts';
export { conjugateResiduals } from './solve/conjugate-residuals.ts';
export type { EvaluationAt } from './solve/evaluate-at.ts';
export { evaluateAt } from './solve/evaluate-at.ts';
export type { ImplicitOptions } from './solve/implicit.ts';
export { implicit } from './solve/implicit.ts';
export type { VectorRef } from './solve/vectors.ts';
export type { StableStep } from './tape/checks/step-limit.ts';
export type { ComparisonSums } from './tape/comparing.ts';
export { createSimulation } from './tape/create.ts';
export type { GrowingPass } from './tape/gradient/growing-pass.ts';
export type { AdjointSize, Growth } from './tape/gradient/growth.ts';
export type { GradientReport, GradientReportOptions } from './tape/gradient/report.ts';
export type { Seeds } from './tape/gradient/seeds.ts';
export type { Motion, MovingMesh } from './tape/motion.ts';
export { motionFields, readMotion } from './tape/motion.ts';
export type { SimulationOptions } from './tape/options.ts';
export type { RecordOptions } from './tape/record-of.ts';
export { recordOf } from './tape/record-of.ts';
export type { ForwardOptions, RunBackOptions, RunOptions } from './tape/run/run-options.ts';
export type { FieldShape, MemoryUse } from './tape/simulation.ts';
export { Simulation } from './tape/simulation.ts';
export type { State, StateValues } from './tape/state.ts';
export { decodeState, encodeState } from './tape/state-file.ts';
export type { FieldOnDevice as Lent, ReadInto, RecordWords } from './tape/values/reading.ts';
