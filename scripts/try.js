// Makes a folder that gradsim has created run before gradsim is published: packs the packages that it needs and installs them
// there. `npm run -s try -- FOLDER`, of gradsim new or of a plugin; with `--plugin NAME` the plugin is first written there, as
// `npm create gradsim-plugin NAME` does. The folder's own files stay as they are.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { elsewhere, mustSucceed, run } from './install-packed.js';
import { neededBy } from './needs.js';
import { orExit, setUp } from './setup.js';
import { startPlugin } from './start-plugin.js';
import { packTarballs } from './tarballs.js';

const QUIET = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { plugin: { type: 'string' } },
  });
  if (positionals.length !== 1)
    throw new Error(
      'Which folder? npm run -s try -- FOLDER, or for a new plugin: npm run -s try -- FOLDER --plugin NAME.',
    );
  const folder = resolve(positionals[0]);
  const name = values.plugin;
  if (name === undefined && !(existsSync(folder) && statSync(folder).isDirectory()))
    throw new Error(`There is no folder ${folder}. To start a plugin there, add --plugin NAME.`);
  orExit(() => setUp(['packages']));
  if (name !== undefined) await elsewhere((tool) => startPlugin(tool, name, folder));
  const tarballs = packTarballs(neededBy(folder));
  // Without a package.json of its own, npm would install into the next folder upwards that has one.
  mustSucceed(run(folder, 'npm', ['install', ...QUIET, '--prefix', folder, ...tarballs]));
  console.log(`Installed in ${folder}. Next:\n\n  cd ${relative('.', folder) || '.'}`);
  for (const step of stepsIn(folder)) console.log(`  ${step}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

/** @param {string} folder */
function stepsIn(folder) {
  if (existsSync(join(folder, 'package.json'))) return ['npm test', 'npm run estimate'];
  const beside = ['film.ts', 'measured.ts'];
  const experiments = readdirSync(folder).filter((file) => file.endsWith('.ts') && !beside.includes(file));
  return experiments.map((file) => `npx gradsim estimate ${file}`);
}
