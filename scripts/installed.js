import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { pack, publishedPackages } from './packages.js';
import { root } from './root.js';
import { workspaceEnvironment } from './setup.js';

/** What a user of the experiment below installs: the command, and what its modules import. */
const asked = ['cli', 'contact', 'core', 'mesh', 'optim', 'render', 'render-softras', 'rigid'];
/** What those are built on: the kernels of core, and what physics packages share. */
const below = ['kernel', 'physics'];
/** What may come along: the command writes films. */
const expected = [...asked, ...below, 'video'];

/** The experiment, with its own modules, from apps/examples. */
const modules = [
  'test/fixtures/small-toss.ts',
  'src/scenes/objects.ts',
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

/** @param {string} name */
const named = (name) => `@gradsim/${name}`;

/**
 * Packs what one experiment needs, installs it in an empty folder outside of the repository, where nothing that no
 * package.json names is found, and estimates there. Returns one sentence for each problem. It needs no network: what
 * the packages need of others is linked to what the workspace has installed.
 */
export function problemsOfInstallation() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gradsim-installed-')));
  try {
    install(folder);
    return [...problemsOfContents(folder), ...problemsOfRuns(folder)];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} folder */
function install(folder) {
  for (const file of modules) cpSync(join(root, 'apps/examples', file), join(folder, file));
  writeFileSync(join(folder, 'experiment.ts'), experiment);
  mkdirSync(join(folder, 'stranger'));
  for (const [name, text] of Object.entries(stranger)) writeFileSync(join(folder, 'stranger', name), text);

  /** @type {Record<string, string>} */
  const places = {};
  const folders = new Map(publishedPackages().map((published) => [published.name, published.folder]));
  const names = new Set(asked.map(named));
  for (const name of names) {
    const from = /** @type {string} */ (folders.get(name));
    const tarball = `${name.replace('/', '-')}.tgz`;
    writeFileSync(join(folder, tarball), pack(from));
    places[name] = `file:${tarball}`;
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
    for (const peer of Object.keys(peerDependencies))
      if (folders.has(peer) && !peerDependenciesMeta[peer]?.optional) names.add(peer);
    for (const need of Object.keys(dependencies)) {
      if (folders.has(need)) names.add(need);
      else places[`${name}>${need}`] = `link:${realpathSync(join(from, 'node_modules', need))}`;
    }
  }
  const dependencies = Object.fromEntries([
    ...asked.map((name) => [named(name), places[named(name)]]),
    ['gusts-of-a-stranger', 'file:stranger'],
  ]);
  const manifest = { name: 'a-users-folder', private: true, type: 'module', dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // JSON is YAML.
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ hoist: false, overrides: places }));
  mustSucceed(run(folder, 'pnpm', ['install', '--offline', '--ignore-scripts', '--reporter=silent']));
}

/** @param {string} folder */
function problemsOfContents(folder) {
  const store = join(folder, 'node_modules/.pnpm');
  const scopes = readdirSync(store).map((entry) => join(store, entry, 'node_modules/@gradsim'));
  const installed = new Set(
    scopes.filter((scope) => existsSync(scope)).flatMap((scope) => readdirSync(scope)),
  );
  return [
    ...[...installed]
      .filter((name) => !expected.includes(name))
      .map((name) => `@gradsim/${name} came along.`),
    ...expected.filter((name) => !installed.has(name)).map((name) => `@gradsim/${name} was not installed.`),
  ];
}

/** @param {string} folder */
function problemsOfRuns(folder) {
  const estimate = ['estimate', 'experiment.ts', '--device', 'cpu', '--quiet', '--out'];
  const here = ['--no', 'gradsim'];
  const elsewhere = [join(root, 'packages/cli/dist/main.js')];
  mustSucceed(run(folder, 'npx', [...here, ...estimate, 'here']));
  mustSucceed(run(folder, process.execPath, [...elsewhere, ...estimate, 'elsewhere']));
  const [own, other] = ['here', 'elsewhere'].map(
    (out) => JSON.parse(readFileSync(join(folder, out, 'result.json'), 'utf8')).stages[0],
  );
  const check = run(folder, 'npx', [...here, 'check', 'experiment.ts']);
  // Its optim, and so the core that this one uses, come from the command then, the other packages from the folder.
  rmSync(join(folder, 'node_modules/@gradsim/optim'));
  const mixed = run(folder, process.execPath, [...elsewhere, ...estimate, 'mixed']);

  const { mass } = own.parameters;
  const recorded = Object.keys(own.repeat.versions).filter((name) => name.startsWith('@gradsim/'));
  const files = own.repeat.modules.map((/** @type {{ file: string }} */ { file }) => file);
  /** @type {[boolean, string][]} */
  const claims = [
    [
      Math.abs(mass.estimate / mass.truth - 1) < 1e-3,
      `The mass was ${mass.truth} kg, the estimate ${mass.estimate}.`,
    ],
    [
      isDeepStrictEqual(recorded.sort(), [...asked, ...below].map(named).sort()),
      `Recorded were the versions of ${recorded}.`,
    ],
    [
      own.repeat.versions['gusts-of-a-stranger'] === '3.2.1',
      "Not recorded was the version of a stranger's plugin.",
    ],
    [isDeepStrictEqual(files, [...modules].sort()), `Recorded were the modules ${files}.`],
    [
      isDeepStrictEqual([own.parameters, own.repeat.versions], [other.parameters, other.repeat.versions]),
      'A command that lies elsewhere gives another result, or has used other packages.',
    ],
    [
      check.status === 1 && check.stderr.includes('npm install @gradsim/reference'),
      `\`check\` said ${check.stderr}`,
    ],
    [
      mixed.status === 1 && mixed.stderr.includes('Two copies of @gradsim/core are mixed'),
      `Mixed: ${mixed.stderr}`,
    ],
  ];
  return claims.filter(([holds]) => !holds).map(([, problem]) => problem);
}

/** @param {{ command: string, status: number | null, stdout: string, stderr: string }} result */
function mustSucceed({ command, status, stdout, stderr }) {
  if (status !== 0) throw new Error(`\`${command}\` failed: ${stderr || stdout}`);
}

/**
 * Runs a program to its end.
 * @param {string} cwd
 * @param {string} command
 * @param {string[]} args
 */
function run(cwd, command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: workspaceEnvironment(),
    encoding: 'utf8',
    shell: process.platform === 'win32' && command !== process.execPath,
  });
  return { command: [command, ...args].join(' '), status, stdout, stderr };
}
