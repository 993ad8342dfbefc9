export { buoyancy } from './fields.ts';
export type { Rim, SmokeOptions } from './grid.ts';
export { addSmoke, SmokeGrid } from './grid.ts';
export type { SmokePluginOptions } from './plugin.ts';
export { smoke } from './plugin.ts';
export { SmokeCell } from './smoke-cell.ts';
