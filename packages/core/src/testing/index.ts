export type { DeviceCheck, DeviceCheckOptions } from './devices.ts';
export { checkDevices } from './devices.ts';
export type { GradientCheck, GradientCheckOptions, ParameterCheck, RolloutOptions } from './gradients.ts';
export { checkGradients } from './gradients.ts';
export type { KernelInputs } from './harness.ts';
export type { KernelCheck, KernelCheckOptions } from './kernel.ts';
export { checkKernel } from './kernel.ts';
export { freshSeed, randomFrom } from './random.ts';
