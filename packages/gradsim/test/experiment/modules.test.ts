import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { requirePackage } from '../../src/modules/import-package.ts';
import { PackagesInUse } from '../../src/modules/in-use.ts';
import { LocalModules } from '../../src/modules/local-modules.ts';
import { FALLING_MOTE, gradsim, type Run, temporaryFolder } from '../support.ts';

/** Contents of the files in an experiment's folder, by path. */
type Files = Readonly<Record<string, string | object>>;

function write(files: Files): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** Source of an experiment with this name. */
const called = (name: string, ...imports: string[]): string =>
  [...imports, `import mote from ${JSON.stringify(FALLING_MOTE)};`, `export default { ...mote, name: ${name} };`].join(
    '\n',
  );

const estimate = (folder: string, file = 'experiment.ts'): Promise<Run> =>
  gradsim(['estimate', join(folder, file), '--device', 'cpu', '--json', '--quiet', '--out', join(folder, 'out')]);

/** Parsed result line of a run with a single stage. */
async function lineOf(folder: string, file?: string) {
  const { code, stdout, stderr } = await estimate(folder, file);
  expect({ code, stderr: stderr.slice(0, 1) }).toEqual({ code: 0, stderr: ['made 24 frames'] });
  return JSON.parse(stdout[0]);
}

async function refusal(folder: string): Promise<string> {
  const { code, stdout, stderr } = await estimate(folder);
  expect({ code, lines: stdout.length }).toEqual({ code: 1, lines: 1 });
  const { error } = JSON.parse(stdout[0]);
  expect(stderr).toEqual([`${error.message} [${error.code}]`]);
  expect(stderr).toHaveLength(1);
  return stderr[0];
}

const hash = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('the modules of an experiment', () => {
  it('may be TypeScript, ES modules, CommonJS and JSON side by side, each recorded with its hash', async () => {
    const files: Files = {
      'parts/typed.ts': 'enum Part { First = "typed" }\nexport const typed: string = Part.First;',
      'parts/plain.mjs': 'export { typed } from "./typed.ts"; export const plain = await Promise.resolve("plain");',
      'parts/loose.js': 'import data from "./data.json" with { type: "json" };\nexport const loose = data.word;',
      'parts/data.json': { word: 'json' },
      'common.cjs': 'module.exports = { common: "common" };',
      'parts/folder/index.ts': 'export const inFolder = "folder";',
      'late.ts': 'export const late = "late";',
    };
    const folder = write({
      ...files,
      'experiment.ts': called(
        '[typed, plain, loose, common, inFolder].join(" ")',
        'import { plain, typed } from "./parts/plain.mjs";',
        'import { loose } from "./parts/loose.js";',
        'import cjs from "./common.cjs";',
        'import { inFolder } from "./parts/folder";',
        'import type { Nothing } from "./nowhere.ts";',
        'const { common } = cjs;',
      ).replace('{ ...mote,', '{ ...mote, stages: async (given) => (await import("./late.ts"), mote.stages(given)),'),
    });
    const { experiment, repeat } = await lineOf(folder);
    expect(experiment).toBe('typed plain json common folder');
    expect(repeat.experiment.sha256).toBe(hash(join(folder, 'experiment.ts')));
    const recorded = new Map(repeat.modules.map(({ file, sha256 }: Record<string, string>) => [file, sha256]));
    for (const file of Object.keys(files)) expect([file, recorded.get(file)]).toEqual([file, hash(join(folder, file))]);
    // The fixture is imported by path as well.
    expect(recorded.size).toBe(Object.keys(files).length + 1);
    expect([...recorded.keys()]).toEqual([...recorded.keys()].sort());
  });

  it('are cached in transpiled form in the folder of caches, outside of their own, and transpiled again once they change', async () => {
    const folder = write({ 'parts/word.ts': 'export const word: string = "first";' });
    const cache = write({});
    vi.stubEnv('GRADSIM_CACHE', cache);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const load = async (): Promise<unknown> => {
      const modules = new LocalModules(new PackagesInUse());
      return ((await modules.load(realpathSync(join(folder, 'parts/word.ts')))) as { word: string }).word;
    };
    expect([await load(), await load()]).toEqual(['first', 'first']);
    const [name, ...others] = readdirSync(cache);
    expect(others).toEqual([]);
    // Run from there: what is kept is what is loaded, unless it was damaged.
    const [bytes, digestBytes] = [readFileSync(join(cache, name)), 32];
    const text = Buffer.from(bytes.toString('utf8', digestBytes).replace('"first"', '"kept"'));
    writeFileSync(join(cache, name), Buffer.concat([createHash('sha256').update(text).digest(), text]));
    expect(await load()).toBe('kept');
    writeFileSync(join(cache, name), Buffer.concat([bytes.subarray(0, digestBytes), text]));
    expect(await load()).toBe('first');
    writeFileSync(join(folder, 'parts/word.ts'), 'export const word: string = "second";');
    expect(await load()).toBe('second');
    expect(readdirSync(folder)).toEqual(['parts']);
    vi.stubEnv('GRADSIM_CACHE', 'off');
    expect(await load()).toBe('second');
    expect(readdirSync(cache)).toHaveLength(2);
  });

  it('may import each other in a circle, and are loaded once', async () => {
    const folder = write({
      'a.ts':
        'import { b } from "./b.ts";\nimport "./count.ts";\nexport const a = "a";\nexport const ab = () => a + b();',
      'b.ts': 'import { a } from "./a.ts";\nimport "./count.ts";\nexport const b = () => "b" + a;',
      'count.ts': 'globalThis.counted = (globalThis.counted ?? 0) + 1;',
      'experiment.mjs': called(
        'ab() + globalThis.counted',
        'const [{ ab }] = await Promise.all([import("./a.ts"), import("./b.ts")]);',
      ),
    });
    expect((await lineOf(folder, 'experiment.mjs')).experiment).toBe('aba1');
  });
});

describe('the packages of an experiment', () => {
  const stranger = {
    'node_modules/stranger/package.json': {
      name: 'stranger',
      version: '3.2.1',
      exports: './index.js',
      type: 'module',
      dependencies: { friend: '*', absent: '*' },
      devDependencies: { tool: '*' },
    },
    'node_modules/stranger/index.js': 'import friend from "friend"; export const name = friend.name;',
    'node_modules/stranger/node_modules/friend/package.json': { name: 'friend', version: '0.5.0-beta.1' },
    'node_modules/stranger/node_modules/friend/index.js': 'module.exports = { name: "of a stranger" };',
    'node_modules/tool/package.json': { name: 'tool', version: '1.0.0' },
    'node_modules/idle/package.json': { name: 'idle', version: '1.0.0' },
  };

  it('are resolved from its folder; those in use are recorded with their dependencies, others not', async () => {
    const folder = write({
      ...stranger,
      'inner/experiment.ts': called('name', 'import { name } from "stranger";', 'import type { X } from "idle";'),
    });
    const { experiment, repeat } = await lineOf(folder, 'inner/experiment.ts');
    expect(experiment).toBe('of a stranger');
    expect(repeat.versions).toMatchObject({
      stranger: '3.2.1',
      friend: '0.5.0-beta.1',
      gradsim: expect.stringMatching(/^\d/),
      '@gradsim/core': expect.stringMatching(/^\d/),
      '@gradsim/optim': expect.stringMatching(/^\d/),
      bitecs: expect.stringMatching(/^0\.4/),
      node: process.versions.node,
    });
    for (const name of ['tool', 'idle', 'absent', '@gradsim/rigid', 'commander'])
      expect(repeat.versions).not.toHaveProperty([name]);
  });

  it('are resolved from each of its modules, so that two versions may be used, which are both recorded', async () => {
    const folder = write({
      ...stranger,
      'part/node_modules/friend/package.json': {
        name: 'friend',
        version: '7.0.0',
        type: 'module',
        main: 'f.js',
      },
      'part/node_modules/friend/f.js': 'export const name = "and of its friend";',
      'part/part.ts': 'export { name as friend } from "friend";',
      'experiment.ts': called(
        '[name, friend].join(" ")',
        'import { name } from "stranger";',
        'import { friend } from "./part/part.ts";',
      ),
    });
    const { experiment, repeat } = await lineOf(folder);
    expect(experiment).toBe('of a stranger and of its friend');
    expect(repeat.versions.friend).toBe('0.5.0-beta.1, 7.0.0');
  });

  it('are those of its folder, else those of the command', async () => {
    const experiment = called('typeof Command + Command.name', 'import { Command } from "commander";');
    expect((await lineOf(write({ 'experiment.ts': experiment }))).experiment).toBe('functionCommand');
    const own = {
      'node_modules/commander/package.json': { name: 'commander', version: '0.0.1', exports: './own.mjs' },
      'node_modules/commander/own.mjs': 'export const Command = { name: "own" };',
    };
    const line = await lineOf(write({ ...own, 'experiment.ts': experiment }));
    expect(line.experiment).toBe('objectown');
    expect(line.repeat.versions.commander).toBe('0.0.1');
  });

  it('may include the package in whose folder the experiment is, with TypeScript sources', async () => {
    const folder = write({
      'package.json': { name: 'mine', version: '4.0.0', exports: './src/index.ts' },
      'src/index.ts': 'export const name: string = "mine";',
      'examples/experiment.ts': called('name', 'import { name } from "mine";'),
    });
    const { experiment, repeat } = await lineOf(folder, 'examples/experiment.ts');
    expect(experiment).toBe('mine');
    expect(repeat.versions.mine).toBe('4.0.0');
    expect(repeat.modules.map(({ file }: { file: string }) => file)).toContain('../src/index.ts');
  });

  it('are found in any folder: every package of the repository but those of npm create', () => {
    const packages = fileURLToPath(new URL('../../..', import.meta.url));
    const published = readdirSync(packages).filter((name) => existsSync(join(packages, name, 'package.json')));
    expect(published.length).toBeGreaterThan(20);
    for (const name of published.filter((each) => !each.startsWith('create-')))
      expect(requirePackage(name === 'gradsim' ? name : `@gradsim/${name}`, temporaryFolder()).folder).toBe(
        join(packages, name),
      );
  });

  it('can be imported in any folder: @gradsim/control, implicit, poses, robots and smoke', async () => {
    const folder = write({
      'experiment.ts': called(
        '[controller, smoke, implicitSteps, readUrdf, readPoses].map((each) => typeof each).join(" ")',
        'import { controller } from "@gradsim/control";',
        'import { implicitSteps } from "@gradsim/implicit";',
        'import { readPoses } from "@gradsim/recordings/poses";',
        'import { readUrdf } from "@gradsim/robots";',
        'import { smoke } from "@gradsim/smoke";',
      ),
    });
    expect((await lineOf(folder)).experiment).toBe('function function function function function');
  });

  it('are named in the error of a missing export', async () => {
    const folder = write({ 'experiment.ts': called('nothing', 'import { nothing } from "@gradsim/core";') });
    expect(await refusal(folder)).toMatch(
      /experiment\.ts cannot be loaded: @gradsim\/core exports no "nothing", which .*experiment\.ts imports from it\./,
    );
  });

  it('are named if they are not installed, with the command that installs them', async () => {
    const folder = write({
      'experiment.ts': called('name', 'import { name } from "@stranger/nowhere/part";'),
    });
    expect(await refusal(folder)).toBe(
      `The experiment ${folder}/experiment.ts cannot be loaded: The package @stranger/nowhere is not installed: it is ` +
        `found neither from ${folder} nor from the command. Install it there: npm install @stranger/nowhere [gradsim/experiment-not-loaded]`,
    );
  });

  it('are refused if two copies of @gradsim/core would be mixed, naming both and a command that prevents it', async () => {
    const folder = write({
      'node_modules/@gradsim/core/package.json': {
        name: '@gradsim/core',
        version: '0.0.0',
        exports: './x.js',
      },
      'node_modules/plugin/package.json': {
        name: 'plugin',
        version: '1.0.0',
        exports: './x.js',
        peerDependencies: { '@gradsim/core': '0.x' },
      },
      'node_modules/plugin/x.js': 'throw new Error("loaded");',
      'experiment.ts': called('name', 'import { name } from "plugin";'),
    });
    const message = await refusal(folder);
    expect(message).toMatch(/cannot be loaded: Two copies of @gradsim\/core are mixed: [\d.]+ in /);
    expect(message).toMatch(/packages\/core \(for the command, @gradsim\/optim\) and 0\.0\.0 in /);
    expect(message).toContain(`${folder}/node_modules/@gradsim/core (for plugin). What one makes the other does not`);
    expect(message).toMatch(
      /in one place, .*: npm install @gradsim\/core @gradsim\/optim plugin \[gradsim\/experiment-not-loaded\]$/,
    );
  });

  it('are refused if two packages that are imported use different copies of a peer dependency', async () => {
    const base = { name: 'base', version: '1.0.0', exports: './x.js' };
    const folder = write({
      'node_modules/base/package.json': { ...base, version: '2.0.0' },
      'node_modules/other/node_modules/base/package.json': base,
      'node_modules/other/package.json': {
        name: 'other',
        dependencies: { base: '1.0.0' },
        exports: './x.js',
      },
      'node_modules/plugin/package.json': {
        name: 'plugin',
        peerDependencies: { base: '*' },
        exports: './x.js',
      },
      'node_modules/plugin/x.js': '',
      'experiment.ts': called('""', 'import "plugin";', 'import "other";'),
    });
    expect(await refusal(folder)).toMatch(
      /Two copies of base are mixed: 2\.0\.0 in \S+ \(for plugin\) and 1\.0\.0 in \S+ \(for other\)\./,
    );
  });

  it('may exist in two copies if only an indirect dependency has the package as a peer', async () => {
    const folder = write({
      'node_modules/base/package.json': { name: 'base', version: '2.0.0' },
      'node_modules/deep/package.json': { name: 'deep', peerDependencies: { base: '*' } },
      'node_modules/other/node_modules/base/package.json': { name: 'base', version: '1.0.0' },
      'node_modules/other/package.json': {
        name: 'other',
        dependencies: { base: '1', deep: '1' },
        exports: './x.js',
      },
      'node_modules/other/x.js': '',
      'experiment.ts': called('"other"', 'import "other";'),
    });
    expect((await lineOf(folder)).repeat.versions.base).toBe('1.0.0, 2.0.0');
  });

  it('are refused if the version of @gradsim/optim is incompatible with the command', async () => {
    const folder = write({
      'node_modules/@gradsim/optim/package.json': {
        name: '@gradsim/optim',
        version: '7.1.0',
        exports: './x.js',
      },
      'experiment.ts': called('""'),
    });
    const message = await refusal(folder);
    expect(message).toContain(`has @gradsim/optim 7.1.0 (${folder}/node_modules/@gradsim/optim), with which this`);
    expect(message).toMatch(
      /needs one like \d.*: npm install gradsim@latest @gradsim\/optim@latest \[gradsim\/versions-apart\]$/,
    );
  });
});
