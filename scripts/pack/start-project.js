import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, mustSucceed, packInto, run } from './install-packed.js';

/**
 * Installs a package that creates, as it would be published: `create-gradsim`. It needs no network.
 * @param {string} tool Empty folder outside of the repository.
 * @param {string} [creator]
 */
export function installCreator(tool, creator = 'create-gradsim') {
  const places = packInto(tool, [creator]);
  const manifest = { name: 'tool', private: true, dependencies: { [creator]: places[creator] } };
  writeFileSync(join(tool, 'package.json'), JSON.stringify(manifest));
  install(tool, places);
}

/**
 * What `npm create gradsim TEMPLATE NAME` does, after {@link installCreator}.
 * @param {string} tool
 * @param {string} template
 * @param {string} name
 * @param {string} folder Where the new project goes.
 */
export function startProject(tool, template, name, folder) {
  mustSucceed(run(tool, 'npx', ['--no', 'create-gradsim', template, name, '--folder', folder]));
}
