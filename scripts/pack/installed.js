import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { publishedPackages } from '../packages.js';
import { root } from '../root.js';
import { DOOR, elsewhere, installPacked, mustSucceed, named, run } from './install-packed.js';

/** What a user who installs single packages asks for: those that the modules of the experiment below import. */
const asked = ['contact', 'core', 'mesh', 'optim', 'render', 'render-dibr', 'render-softras', 'rigid'];
/** What those are built on: the kernels of core, what physics packages share, and algebra on plain numbers. */
const below = ['kernel', 'base', 'dynamics'];

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
 * Packs what one experiment needs, installs it in empty folders outside of the repository and estimates there: its single
 * packages, and the package gradsim alone. Returns one sentence for each problem.
 */
export async function problemsOfInstallation() {
  try {
    return await elsewhere((folder) => {
      const [single, whole] = ['single', 'whole'].map((name) => join(folder, name));
      installSingle(single);
      const own = resultOf(single, process.execPath, [COMMAND]);
      installWhole(whole);
      return [
        ...problemsOfContents(single),
        ...problemsOfRecord(own),
        ...problemsOfWhole(own, resultOf(whole, 'npx', ['--no', 'gradsim'])),
        ...problemsOfMixing(single),
      ];
    });
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The command of the repository, which lies elsewhere than the folders. */
const COMMAND = join(root, 'packages/gradsim/dist/main.js');
const estimate = ['estimate', 'experiment.ts', '--device', 'cpu', '--quiet', '--out'];

/**
 * Writes the experiment, with the plugin of a stranger beside it, and installs packages.
 * @param {string} folder
 * @param {string[]} packages
 * @param {(source: string) => string} [edit] Of the experiment's modules.
 */
function installFor(folder, packages, edit = (source) => source) {
  mkdirSync(join(folder, 'stranger'), { recursive: true });
  for (const [name, text] of Object.entries(stranger)) writeFileSync(join(folder, 'stranger', name), text);
  for (const file of modules) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), edit(readFileSync(join(root, 'apps/examples', file), 'utf8')));
  }
  writeFileSync(join(folder, 'experiment.ts'), edit(experiment));
  installPacked(folder, packages, { 'gusts-of-a-stranger': 'file:stranger' });
}

/** @param {string} folder */
const installSingle = (folder) => installFor(folder, asked);

/** The same experiment, all of whose imports are of the package gradsim. @param {string} folder */
const installWhole = (folder) =>
  installFor(folder, [DOOR], (source) =>
    source.replace(/'@gradsim\/(?:(render)-\w+|([\w-]+))'/g, (_, renderer, name) => `'${DOOR}/${renderer ?? name}'`),
  );

/**
 * The first stage of the result of a run.
 * @param {string} folder
 * @param {string} program
 * @param {string[]} args
 */
function resultOf(folder, program, args) {
  mustSucceed(run(folder, program, [...args, ...estimate, 'out']));
  return JSON.parse(readFileSync(join(folder, 'out/result.json'), 'utf8')).stages[0];
}

/** @param {string} folder */
function problemsOfContents(folder) {
  const store = join(folder, 'node_modules/.pnpm');
  const places = readdirSync(store).map((entry) => join(store, entry, 'node_modules'));
  const installed = publishedPackages()
    .map(({ name }) => name)
    .filter((name) => places.some((place) => existsSync(join(place, name))));
  const wanted = [...asked, ...below].map(named);
  return [
    ...installed.filter((name) => !wanted.includes(name)).map((name) => `${name} came along.`),
    ...wanted.filter((name) => !installed.includes(name)).map((name) => `${name} was not installed.`),
  ];
}

/** Versions of packages of ours that a run has recorded. @param {{ repeat: { versions: Record<string, string> } }} stage */
const recordedBy = ({ repeat }) => Object.keys(repeat.versions).filter((name) => /^(?:@gradsim\/|gradsim$)/.test(name));

/** @param {ReturnType<typeof resultOf>} own */
function problemsOfRecord(own) {
  const { mass } = own.parameters;
  const files = own.repeat.modules.map((/** @type {{ file: string }} */ { file }) => file);
  const recorded = recordedBy(own);
  return claims([
    [Math.abs(mass.estimate / mass.truth - 1) < 1e-3, `The mass was ${mass.truth} kg, the estimate ${mass.estimate}.`],
    [
      isDeepStrictEqual(recorded.sort(), [...asked, ...below, DOOR].map(named).sort()),
      `Recorded were the versions of ${recorded}.`,
    ],
    [own.repeat.versions['gusts-of-a-stranger'] === '3.2.1', "Not recorded was the version of a stranger's plugin."],
    [isDeepStrictEqual(files, [...modules].sort()), `Recorded were the modules ${files}.`],
  ]);
}

/**
 * The stranger's plugin has its core from beside it, and the experiment from gradsim: one copy, or the run would have failed.
 * @param {ReturnType<typeof resultOf>} single
 * @param {ReturnType<typeof resultOf>} whole
 */
const problemsOfWhole = (single, whole) =>
  claims([
    [isDeepStrictEqual(single.parameters, whole.parameters), 'The package gradsim gives another result.'],
    [recordedBy(whole).includes(DOOR), `Recorded with gradsim were the versions of ${recordedBy(whole)}.`],
  ]);

/** Its optim, and so the core that this one uses, come from the command here, the others from the folder. @param {string} folder */
function problemsOfMixing(folder) {
  rmSync(join(folder, 'node_modules/@gradsim/optim'));
  const mixed = run(folder, process.execPath, [COMMAND, ...estimate, 'mixed']);
  return claims([
    [mixed.status === 1 && mixed.stderr.includes('Two copies of @gradsim/core are mixed'), `Mixed: ${mixed.stderr}`],
  ]);
}

/** The sentences of what does not hold. @param {[boolean, string][]} all */
const claims = (all) => all.filter(([holds]) => !holds).map(([, problem]) => problem);
