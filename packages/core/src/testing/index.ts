export type { KernelCheck, KernelCheckOptions, KernelInputs } from '@gradsim/kernel/testing';
export { checkKernel, evaluatorDevice, freshSeed, randomFrom } from '@gradsim/kernel/testing';
export type { DeviceCheck, DeviceCheckOptions } from './devices.ts';
export { checkDevices } from './devices.ts';
export type { GradientCheck, GradientCheckOptions, ParameterCheck, RolloutOptions } from './gradients.ts';
export { checkGradients } from './gradients.ts';
export type { GradientNoise, GradientNoiseOptions } from './noise.ts';
export { gradientNoise } from './noise.ts';
export { stageRunner } from './stages.ts';
