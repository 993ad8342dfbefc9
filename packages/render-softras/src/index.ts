export type { RasterSettings, SoftRasOptions } from './options.ts';
export { softRas, softRasOptions, softRasScene } from './renderer.ts';
