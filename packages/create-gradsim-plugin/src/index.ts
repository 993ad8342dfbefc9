import { create, type NewProject } from 'create-gradsim';

/**
 * Writes the files of a new plugin, and returns their paths, relative to the folder: `create` with the template `plugin`.
 *
 * ```ts
 * createPlugin({ name: 'my-plugin', folder: 'my-plugin', versions: releasedVersions() });
 * ```
 * @throws before anything is written, if npm would refuse the name, or the folder is not empty or cannot be created.
 */
export const createPlugin = (plugin: Omit<NewProject, 'template'>): string[] =>
  create({ ...plugin, template: 'plugin' });

export { releasedVersions } from 'create-gradsim';
