export type { RasterSettings, SoftRasOptions } from './options.ts';
export { distanceCutoff, SOFTRAS_DEFAULTS } from './options.ts';
export { deviceScene, softRas, softRasOptions } from './renderer.ts';
