import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { elsewhere, installPacked, mustSucceed, named, run } from './install-packed.js';
import { publishedPackages } from './packages.js';
import { root } from './root.js';

/** What a user of the experiment below installs: the command, and what its modules import. */
const asked = ['contact', 'core', 'gradsim', 'mesh', 'optim', 'render', 'render-dibr', 'render-softras', 'rigid'];
/** What those are built on: the kernels of core, what physics packages share, and algebra on plain numbers. */
const below = ['kernel', 'numeric', 'physics'];
/** What may come along: the command writes films, reads and writes files of cameras, and runs studies. */
const expected = [...asked, ...below, 'video', 'cameras', 'study'];

/** The experiment, with its own modules, from apps/examples. */
const modules = [
  'test/fixtures/small-toss.ts',
  'src/scenes/hidden-below.ts',
  'src/scenes/objects.ts',
  'src/scenes/renderers.ts',
  'src/scenes/tossed.ts',
  'src/toss/scene.ts',
];

/** A plugin of someone else's, beside those packages. */
const stranger = {
  'package.json': JSON.stringify({
    name: 'gusts-of-a-stranger',
    version: '3.2.1',
    type: 'module',
    exports: './index.js',
    peerDependencies: { '@gradsim/core': '0.x' },
  }),
  'index.js': `import { column, defineComponent, definePlugin, vec3 } from '@gradsim/core';
    export const Gust = defineComponent('gusts', { force: column(vec3, { default: 0, unit: 'N' }) });
    export const gusts = definePlugin({ name: 'gusts', contract: 1, components: [Gust], build: () => {} });`,
};

const experiment = `import { buildModel, createScene } from '@gradsim/core';
  import { Gust, gusts } from 'gusts-of-a-stranger';
  import toss from './test/fixtures/small-toss.ts';
  const scene = createScene([gusts]);
  scene.add(Gust, { force: [0, 1, 0] });
  if (buildModel(scene).domain('gusts').size !== 1) throw new Error('The gust is not in the model.');
  export default toss;`;

/**
 * Packs what one experiment needs, installs it in an empty folder outside of the repository and estimates there.
 * Returns one sentence for each problem.
 */
export async function problemsOfInstallation() {
  try {
    return await elsewhere((folder) => {
      install(folder);
      return [...problemsOfContents(folder), ...problemsOfRuns(folder)];
    });
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** @param {string} folder */
function install(folder) {
  for (const file of modules) cpSync(join(root, 'apps/examples', file), join(folder, file));
  writeFileSync(join(folder, 'experiment.ts'), experiment);
  mkdirSync(join(folder, 'stranger'));
  for (const [name, text] of Object.entries(stranger)) writeFileSync(join(folder, 'stranger', name), text);
  installPacked(folder, asked, { 'gusts-of-a-stranger': 'file:stranger' });
}

/** @param {string} folder */
function problemsOfContents(folder) {
  const store = join(folder, 'node_modules/.pnpm');
  const places = readdirSync(store).map((entry) => join(store, entry, 'node_modules'));
  const installed = publishedPackages()
    .map(({ name }) => name)
    .filter((name) => places.some((place) => existsSync(join(place, name))));
  const wanted = expected.map(named);
  return [
    ...installed.filter((name) => !wanted.includes(name)).map((name) => `${name} came along.`),
    ...wanted.filter((name) => !installed.includes(name)).map((name) => `${name} was not installed.`),
  ];
}

/** @param {string} folder */
function problemsOfRuns(folder) {
  const estimate = ['estimate', 'experiment.ts', '--device', 'cpu', '--quiet', '--out'];
  const here = ['--no', 'gradsim'];
  const fromElsewhere = [join(root, 'packages/gradsim/dist/main.js')];
  mustSucceed(run(folder, 'npx', [...here, ...estimate, 'here']));
  mustSucceed(run(folder, process.execPath, [...fromElsewhere, ...estimate, 'elsewhere']));
  const [own, other] = ['here', 'elsewhere'].map(
    (out) => JSON.parse(readFileSync(join(folder, out, 'result.json'), 'utf8')).stages[0],
  );
  const check = run(folder, 'npx', [...here, 'check', 'experiment.ts']);
  // Its optim, and so the core that this one uses, come from the command then, the other packages from the folder.
  rmSync(join(folder, 'node_modules/@gradsim/optim'));
  const mixed = run(folder, process.execPath, [...fromElsewhere, ...estimate, 'mixed']);

  const { mass } = own.parameters;
  const recorded = Object.keys(own.repeat.versions).filter((name) => /^(?:@gradsim\/|gradsim$)/.test(name));
  const files = own.repeat.modules.map((/** @type {{ file: string }} */ { file }) => file);
  /** @type {[boolean, string][]} */
  const claims = [
    [Math.abs(mass.estimate / mass.truth - 1) < 1e-3, `The mass was ${mass.truth} kg, the estimate ${mass.estimate}.`],
    [
      isDeepStrictEqual(recorded.sort(), [...asked, ...below].map(named).sort()),
      `Recorded were the versions of ${recorded}.`,
    ],
    [own.repeat.versions['gusts-of-a-stranger'] === '3.2.1', "Not recorded was the version of a stranger's plugin."],
    [isDeepStrictEqual(files, [...modules].sort()), `Recorded were the modules ${files}.`],
    [
      isDeepStrictEqual([own.parameters, own.repeat.versions], [other.parameters, other.repeat.versions]),
      'A command that lies elsewhere gives another result, or has used other packages.',
    ],
    [check.status === 1 && check.stderr.includes('npm install @gradsim/reference'), `\`check\` said ${check.stderr}`],
    [mixed.status === 1 && mixed.stderr.includes('Two copies of @gradsim/core are mixed'), `Mixed: ${mixed.stderr}`],
  ];
  return claims.filter(([holds]) => !holds).map(([, problem]) => problem);
}
