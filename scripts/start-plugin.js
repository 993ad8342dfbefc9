import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, mustSucceed, packInto, run } from './install-packed.js';

const creator = 'create-gradsim-plugin';

/**
 * What `npm create gradsim-plugin` does: installs the package that creates, as it would be published, and runs its command. It
 * needs no network.
 * @param {string} tool Empty folder outside of the repository, for that package.
 * @param {string} name
 * @param {string} folder Where the new plugin goes.
 */
export function startPlugin(tool, name, folder) {
  const places = packInto(tool, [creator]);
  const manifest = { name: 'tool', private: true, dependencies: { [creator]: places[creator] } };
  writeFileSync(join(tool, 'package.json'), JSON.stringify(manifest));
  install(tool, places);
  mustSucceed(run(tool, 'npx', ['--no', creator, name, '--folder', folder]));
}
