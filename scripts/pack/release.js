// `npm run release -- --dry`: everything of a release but the publishing. Builds, packs and checks each package; publishes them to
// a registry on this machine; installs from it into empty folders, and does there what a stranger does on the first day. The
// workflow publishes (`--publish`), when a person approves. Programs run beside it, so that the registry, in this process, can answer.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { noticeFile, noticeText } from '../docs/notice.js';
import { pack, problemsOfPackage, publishedPackages } from '../packages.js';
import { root } from '../root.js';
import { workspaceEnvironment } from '../setup.js';
import { elsewhere } from './install-packed.js';
import { startRegistry } from './local-registry.js';
import { filesOf, LARGEST_INSTALLED } from './weight.js';

/** Most that a package may weigh, bytes, packed. */
const LARGEST = 3e6;

/** Files that a packed package must have, beside what its exports name. */
const NEEDED = ['package.json', 'README.md', 'LICENSE'];

/**
 * Problems of a packed package, one sentence each: those of publint and of its types, files that are missing or that are not meant to
 * be there, ranges that npm does not know, its weight.
 * @param {{ name: string, folder: string }} published
 * @param {Uint8Array} tarball
 */
export async function problemsOfRelease({ name, folder }, tarball) {
  const files = filesOf(tarball);
  const manifest = JSON.parse(files.get('package.json')?.toString('utf8') ?? '{}');
  const ranges = Object.entries({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.devDependencies,
  });
  return [
    ...(await problemsOfPackage(folder)),
    ...NEEDED.filter((file) => !files.has(file)).map((file) => `${file} is not in the package.`),
    ...[...files.keys()]
      .filter((file) => /^(?!template\/)(.*\/)?(test|node_modules|\.env|\.npmrc)(\/|$)|\.tsbuildinfo$/.test(file))
      .map((file) => `${file} is in the package, where it is of no use.`),
    ...ranges
      .filter(([, range]) => /^(workspace|catalog|link|file):/.test(String(range)))
      .map(([need, range]) => `It asks for ${need} "${range}", which is no version.`),
    ...Object.entries(manifest.peerDependencies ?? {})
      .filter(([need, range]) => need.startsWith('@gradsim/') && !/^\^\d+\.\d+\.\d+$/.test(String(range)))
      .map(([need, range]) => `Its peer ${need} "${range}" is not of one minor version.`),
    ...(tarball.byteLength > LARGEST ? [`It weighs ${megabytes(tarball.byteLength)} packed.`] : []),
    ...(manifest.license === 'MIT' ? [] : [`Its licence is "${manifest.license}".`]),
  ].map((problem) => `${name}: ${problem}`);
}

/** @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;

/**
 * Runs a program to its end, and returns its standard output.
 * @param {string} cwd
 * @param {Record<string, string | undefined>} environment
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<string>}
 */
function run(cwd, environment, command, args) {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...environment }, shell: process.platform === 'win32' };
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(stdout);
      else reject(new Error(`\`${[command, ...args].join(' ')}\` ended with ${code}:\n${stderr}${stdout}`));
    });
  });
}

/**
 * What a stranger does on the first day, each in an empty folder.
 * @type {Record<string, (step: { folder: string, program: (command: string, ...args: string[]) => Promise<string> }) => Promise<string>>}
 */
const FIRST_DAY = {
  'npm install gradsim, and the first program of the guide': async ({ folder, program }) => {
    await program('npm', 'install', ...QUIET, 'gradsim');
    const guide = readFileSync(join(root, 'docs/guide/start.md'), 'utf8');
    const [, code = '', said = ''] = /```ts\n([\s\S]*?)```[\s\S]*?```\n(position after[\s\S]*?)```/.exec(guide) ?? [];
    writeFileSync(join(folder, 'fall.mjs'), code);
    const printed = await program(process.execPath, 'fall.mjs');
    if (printed.trim() !== said.trim()) throw new Error(`It printed\n${printed}and the guide says\n${said}`);
    return `prints what the guide says; ${weightOf(folder)}`;
  },
  'npx gradsim doctor': async ({ program }) => {
    await program('npm', 'install', ...QUIET, 'gradsim');
    const { findings } = JSON.parse(await program('npx', '--no', 'gradsim', 'doctor', '--json'));
    return findings.map((/** @type {any} */ { about, state }) => `${about} ${state}`).join(', ');
  },
  'a rigid body from single packages': async ({ folder, program }) => {
    const [{ asked, bytes }] = LARGEST_INSTALLED;
    await program('npm', 'install', ...QUIET, ...asked);
    const code =
      "import { rigid } from '@gradsim/rigid'; import { createScene } from '@gradsim/core'; createScene([rigid()]);";
    await program(process.execPath, '--input-type=module', '--eval', code);
    return weightOf(folder, bytes);
  },
  'films from a single package': async ({ folder, program }) => {
    const [, { asked, bytes }] = LARGEST_INSTALLED;
    await program('npm', 'install', ...QUIET, ...asked);
    return weightOf(folder, bytes);
  },
  'npm create gradsim plugin': ({ folder, program }) =>
    created(folder, program, ['gradsim', 'plugin', 'gusts'], ['types', 'build', 'test']),
  'npm create gradsim experiment': ({ folder, program }) =>
    created(folder, program, ['gradsim', 'experiment', 'fall'], ['types', 'estimate']),
  'npm create gradsim vite': ({ folder, program }) => created(folder, program, ['gradsim', 'vite', 'page'], ['build']),
  'npm create gradsim next': ({ folder, program }) => created(folder, program, ['gradsim', 'next', 'site'], ['build']),
  'npm create gradsim node': ({ folder, program }) =>
    created(folder, program, ['gradsim', 'node', 'script'], ['start']),
  'npm create gradsim kind': ({ folder, program }) =>
    created(folder, program, ['gradsim', 'kind', 'drop'], ['film', 'new', 'estimate', 'build']),
};

/**
 * Starts a project with `npm create`, installs what it needs, and runs scripts of it.
 * @param {string} folder
 * @param {(command: string, ...args: string[]) => Promise<string>} program
 * @param {string[]} asked The package that creates, its arguments, of which the last is the name.
 * @param {string[]} scripts
 */
async function created(folder, program, asked, scripts) {
  await program('npm', 'create', '--yes', ...asked);
  const there = ['--prefix', join(folder, /** @type {string} */ (asked.at(-1)))];
  await program('npm', 'install', ...QUIET, ...there);
  for (const script of scripts) await program('npm', 'run', script, ...there);
  return `${scripts.join(', ')} pass`;
}

const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Number and weight of what is installed in a folder.
 * @param {string} folder
 * @param {number} [most] bytes
 */
function weightOf(folder, most = Number.POSITIVE_INFINITY) {
  const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  if (bytes > most) throw new Error(`It weighs ${megabytes(bytes)}, more than ${megabytes(most)}.`);
  return `${files.length} files, ${megabytes(bytes)}`;
}

/** Tasks at a time: half of what each takes is waiting for files to come. */
const LANES = 3;

/**
 * Takes all of a list, several at a time.
 * @template T
 * @param {readonly T[]} all
 * @param {(one: T, index: number) => Promise<void>} take
 */
async function inLanes(all, take) {
  const left = [...all.entries()];
  await Promise.all(
    Array.from({ length: LANES }, async () => {
      for (let next = left.shift(); next; next = left.shift()) await take(next[1], next[0]);
    }),
  );
}

/** Packs, checks and publishes all to a registry of this machine, and takes the first-day steps. Returns the problems. */
async function rehearse() {
  /** @type {string[]} */
  const problems = [];
  const environment = workspaceEnvironment();
  const packed = publishedPackages().map((published) => ({ published, tarball: pack(published.folder) }));
  for (const { published, tarball } of packed) {
    const found = await problemsOfRelease(published, tarball);
    problems.push(...found);
    console.log(
      `${found.length === 0 ? 'ok    ' : 'WRONG '} ${published.name.padEnd(24)} ${megabytes(tarball.byteLength)}`,
    );
  }
  if (readFileSync(noticeFile, 'utf8') !== noticeText()) problems.push('NOTICE is out of date: npm run notice.');
  const upstream = (await run(root, environment, 'npm', ['config', 'get', 'registry'])).trim();
  const registry = await startRegistry(upstream.endsWith('/') ? upstream : `${upstream}/`);
  try {
    await elsewhere(async (folder) => {
      // npm publishes only as somebody; this registry asks nobody who it is.
      const settings = join(folder, 'npmrc');
      writeFileSync(settings, `registry=${registry.address}\n//${new URL(registry.address).host}/:_authToken=nobody\n`);
      const asStranger = Object.fromEntries(
        Object.entries({
          ...process.env,
          npm_config_userconfig: settings,
          npm_config_cache: join(folder, 'cache'),
        }).filter(([name]) => !/^(p?npm_config_registry|npm_config_prefix|npm_(package|lifecycle)_.*)$/i.test(name)),
      );
      await inLanes(packed, async ({ published, tarball }) => {
        const file = join(folder, `${published.name.replace('/', '-')}.tgz`);
        writeFileSync(file, tarball);
        await run(folder, asStranger, 'npm', ['publish', '--access', 'public', '--loglevel=error', file]);
      });
      console.log(`${registry.names().length} packages published to ${registry.address}`);
      await inLanes(Object.entries(FIRST_DAY), async ([title, step], k) => {
        const place = join(folder, `day-${k}`);
        mkdirSync(place);
        writeFileSync(join(place, 'package.json'), '{"private":true,"type":"module"}');
        const start = performance.now();
        try {
          const said = await step({
            folder: place,
            program: (command, ...args) => run(place, asStranger, command, args),
          });
          console.log(`ok     ${title} (${((performance.now() - start) / 1000).toFixed(0)} s): ${said}`);
        } catch (error) {
          problems.push(`${title}: ${error instanceof Error ? error.message : error}`);
          console.log(`WRONG  ${title}`);
        }
      });
    });
  } finally {
    registry.close();
  }
  return problems;
}

/**
 * Problem of the address of the repository, which published packages name and npm compares with where they come from.
 * @param {string | undefined} address
 */
export const problemOfRepository = (address) =>
  address && /^https:\/\/[^\s/]+\/[^\s]+[^/]$/.test(address)
    ? undefined
    : `GRADSIM_REPOSITORY is ${address ? `"${address}"` : 'not set'}: it is the address of the repository, as https://HOST/OWNER/NAME, which packages name and npm checks. The workflow "release" sets it.`;

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const options = /** @type {const} */ ({
    dry: { type: 'boolean', default: false },
    publish: { type: 'boolean', default: false },
  });
  const { dry, publish } = parseArgs({ options }).values;
  const missing = problemOfRepository(process.env.GRADSIM_REPOSITORY);
  if (dry === publish || (publish && missing)) {
    console.error(
      dry === publish
        ? 'The workflow "release" publishes (--publish), when a person approves. To rehearse: npm run release -- --dry'
        : missing,
    );
    process.exit(1);
  }
  if (publish) {
    const { status } = spawnSync('npx', ['--no', 'changeset', 'publish'], {
      cwd: root,
      env: workspaceEnvironment(),
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    process.exit(status ?? 1);
  }
  if (!existsSync(noticeFile)) throw new Error('There is no NOTICE.');
  const problems = await rehearse();
  for (const problem of problems) console.error(problem);
  if (missing) console.warn(`Publishing would be refused here. ${missing}`);
  console.log(problems.length === 0 ? 'The release is ready.' : `${problems.length} problems.`);
  process.exit(problems.length === 0 ? 0 : 1);
}
