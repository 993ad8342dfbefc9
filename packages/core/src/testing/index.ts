export type { KernelCheck, KernelCheckOptions, KernelInputs } from '@gradsim/kernel/testing';
export { checkKernel, evaluatorDevice, freshSeed, randomNumbers } from '@gradsim/kernel/testing';
export type { DeviceCheck, DeviceCheckOptions } from './devices.ts';
export { checkDevices } from './devices.ts';
export type {
  GradientCheck,
  GradientCheckOptions,
  GradientPart,
  ParameterCheck,
} from './gradients.ts';
export { checkGradientParts, checkGradients } from './gradients.ts';
export type { GradientNoise, GradientNoiseOptions } from './noise.ts';
export { gradientNoise } from './noise.ts';
export type { PluginCheck, PluginCheckOptions, PluginFinding } from './plugin.ts';
export { checkPlugin } from './plugin.ts';
export type { RolloutOptions } from './rollout.ts';
export { stageRunner } from './stages.ts';
