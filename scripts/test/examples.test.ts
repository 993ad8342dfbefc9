// The code of all Markdown pages: its types are checked against the built packages. A page's blocks of TypeScript are one
// module, and line numbers are those of the page. `testPages` in the tests of packages runs pages.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { root, stateFolder } from '../root.js';
import { memberFolders } from '../setup.js';

/** Declarations that the text of a page takes as given, by page: those that its blocks need. */
const GIVEN: Readonly<Record<string, string>> = {
  'docs/contributing.md': `
    declare const scene: import('@gradsim/core').Scene;
    declare const body: import('@gradsim/core').Entity;`,
  // A model of a ball and its unknowns are in the README of the package.
  'docs/reference/films.md': `
    declare const parameters: import('@gradsim/optim').ParameterSpec[];
    declare const film: import('@gradsim/film').Film;
    declare function ballModel(size: { width: number; height: number }): import('@gradsim/core').Model;`,
  'packages/film/README.md': `
    declare const parameters: import('@gradsim/optim').ParameterSpec[];
    declare function ballModel(size: { width: number; height: number }): import('@gradsim/core').Model;`,
  'packages/mesh/README.md': `
    declare const model: import('@gradsim/core').Model;
    declare const device: import('@gradsim/core').Device;`,
  'packages/optim/README.md': `
    declare const model: import('@gradsim/core').Model;
    declare const device: import('@gradsim/core').Device;
    declare const simulation: import('@gradsim/core').Simulation;
    declare const target: Float64Array;
    declare const problem: import('@gradsim/optim').Problem;
    declare const problems: import('@gradsim/optim').Problem[];`,
  'packages/recordings/markers.md': 'declare const table: string; declare const another: string;',
  'packages/recordings/poses.md': 'declare const table: string;',
};
/** Pages whose blocks are programs of their own, which may have names in common. */
const SEPARATE: readonly string[] = ['docs/reference/films.md', 'packages/optim/README.md', 'packages/video/README.md'];
/** Pages that are not checked. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'docs/reference/api/': 'generated from the declarations themselves',
  'packages/create-gradsim/template/plugin/README.md': 'imports the package of the author; its own test runs it',
  'packages/tensorflow/README.md': 'imports TensorFlow.js, which the root has not; its own test runs it',
};

const folder = join(stateFolder, 'examples');

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root })
  .toString()
  .split('\n')
  .filter((page) => page !== '' && !Object.keys(LEFT_OUT).some((start) => page.startsWith(start)));

/** The blocks of TypeScript of a page, as line numbers of their first and last lines. */
function blocksOf(lines: readonly string[]): [first: number, end: number][] {
  return lines.flatMap((line, k): [number, number][] => (line === '```ts' ? [[k + 1, lines.indexOf('```', k)]] : []));
}

/** Writes the modules of a page. */
function writePage(page: string): void {
  const lines = readFileSync(join(root, page), 'utf8').split('\n');
  const blocks = blocksOf(lines);
  const modules = SEPARATE.includes(page) ? blocks.map((block) => [block]) : blocks.length > 0 ? [blocks] : [];
  for (const [k, module] of modules.entries()) {
    const code = lines.map((line, l) => (module.some(([first, end]) => first <= l && l < end) ? line : ''));
    code[0] = `${(GIVEN[page] ?? '').replaceAll('\n', ' ')} export {};`;
    const file = join(folder, `${page}.${k}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code.join('\n'));
  }
}

/** Paths at which the compiler finds the entries of a package. */
function pathsOf(member: string): [entry: string, files: string[]][] {
  const { name, exports = {} } = JSON.parse(readFileSync(join(member, 'package.json'), 'utf8'));
  return Object.entries<{ types?: string }>(exports).flatMap(([entry, { types }]) =>
    types ? [[join(name, entry), [join(member, types)]]] : [],
  );
}

const tsconfig = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'ESNext',
    moduleResolution: 'Bundler',
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    paths: {
      ...Object.fromEntries(memberFolders().flatMap(pathsOf)),
      // A peer, which the root has not.
      three: [join(root, 'packages/three/node_modules/@types/three/index.d.ts')],
    },
  },
};

it('the TypeScript of all pages has the types of the packages', () => {
  rmSync(folder, { recursive: true, force: true });
  for (const page of pages) writePage(page);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  expect(readdirSync(folder, { recursive: true }).length).toBeGreaterThan(40);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let complaints = '';
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], { cwd: folder });
  } catch (error) {
    complaints = String((error as { stdout?: Buffer }).stdout ?? error);
  }
  expect(complaints).toBe('');
});
