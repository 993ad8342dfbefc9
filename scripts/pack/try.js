// Makes a folder that gradsim has created run before gradsim is published: packs the packages that it needs and installs them
// there. `npm run -s try -- FOLDER`, of gradsim new or of a project; with `--start TEMPLATE` one is first written there, as
// `npm create gradsim TEMPLATE NAME` does, with the folder's name. The folder's own files stay as they are.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { orExit, setUp } from '../setup.js';
import { elsewhere, mustSucceed, run } from './install-packed.js';
import { neededBy } from './needs.js';
import { installCreator, startProject } from './start-project.js';
import { packTarballs } from './tarballs.js';

const QUIET = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { start: { type: 'string' } },
  });
  if (positionals.length !== 1)
    throw new Error(
      'Which folder? npm run -s try -- FOLDER, or for a new project: npm run -s try -- FOLDER --start TEMPLATE.',
    );
  const folder = resolve(positionals[0]);
  const template = values.start;
  if (template === undefined && !(existsSync(folder) && statSync(folder).isDirectory()))
    throw new Error(`There is no folder ${folder}. To start a project there, add --start TEMPLATE.`);
  orExit(() => setUp(['packages']));
  if (template !== undefined)
    await elsewhere((tool) => {
      installCreator(tool);
      startProject(tool, template, basename(folder), folder);
    });
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
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) {
    const { scripts = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    return ['test', 'start', 'dev', 'estimate'].filter((name) => name in scripts).map((name) => `npm run ${name}`);
  }
  const beside = ['film.ts', 'measured.ts'];
  const experiments = readdirSync(folder).filter((file) => file.endsWith('.ts') && !beside.includes(file));
  return experiments.map((file) => `npx gradsim estimate ${file}`);
}
