export type { DibrOptions, DibrSettings } from './options.ts';
export { dibr, dibrScene } from './renderer.ts';
