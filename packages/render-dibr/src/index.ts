export type { DeviceSceneOptions } from './direct.ts';
export { deviceScene } from './direct.ts';
export type { DibrOptions, DibrSettings } from './options.ts';
export { DIBR_DEFAULTS, dibrOptions, distanceCutoff } from './options.ts';
export { addDibrPasses } from './passes.ts';
export type { DibrPluginOptions } from './plugin.ts';
export { dibr } from './plugin.ts';
