export type { DibrOptions, DibrSettings } from './options.ts';
export { DIBR_DEFAULTS } from './options.ts';
export { deviceScene, dibr } from './renderer.ts';
