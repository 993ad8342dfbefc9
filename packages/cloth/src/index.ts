export { wind } from './air.ts';
export { hinge } from './bending.ts';
export { Hinge, Triangle } from './components.ts';
export type { MembraneMaterial } from './membrane.ts';
export type { ClothPluginOptions } from './plugin.ts';
export { cloth } from './plugin.ts';
export type { ClothOptions } from './sheet.ts';
export { addCloth } from './sheet.ts';
