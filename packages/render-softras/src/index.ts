export type { RasterSettings, SoftRasOptions } from './options.ts';
export { softRas, softRasScene } from './renderer.ts';
