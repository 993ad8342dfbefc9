export type { DeviceSceneOptions } from './direct.ts';
export { deviceScene } from './direct.ts';
export type { RasterSettings, SoftRasOptions } from './options.ts';
export { distanceCutoff, SOFTRAS_DEFAULTS, softRasOptions } from './options.ts';
export { addRasterPasses } from './passes.ts';
export type { SoftRasPluginOptions } from './plugin.ts';
export { softRas } from './plugin.ts';
export { rasterise } from './rasterise.ts';
