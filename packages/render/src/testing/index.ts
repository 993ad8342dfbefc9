export type { CreateRenderer, RendererCheck, RendererCheckOptions } from './renderer.ts';
export { checkRenderer } from './renderer.ts';
