export type { NewProject } from './create.ts';
export { create } from './create.ts';
export type { TemplateName } from './templates.ts';
export type { Versions } from './versions.ts';
export { releasedVersions } from './versions.ts';
