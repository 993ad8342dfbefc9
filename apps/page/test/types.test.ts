import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installApp } from './support/installed.ts';

/** From the oldest that the packages' types are for. */
const VERSIONS = ['5.5', '5.9', '6.0', '7'] as const;
type Version = (typeof VERSIONS)[number];

const require = createRequire(import.meta.url);
const compilerOf = (version: Version): string =>
  join(dirname(require.resolve(`typescript-${version}/package.json`)), 'bin/tsc');

let app: ReturnType<typeof installApp>;

beforeAll(() => {
  app = installApp();
  for (const program of ['any-library.ts', 'own-gpu.ts'])
    copyFileSync(join(import.meta.dirname, 'programs', program), join(app.folder, program));
  mkdirSync(join(app.folder, 'node_modules/@webgpu'));
  const types = realpathSync(dirname(require.resolve('@webgpu/types/package.json')));
  symlinkSync(types, join(app.folder, 'node_modules/@webgpu/types'));
});
afterAll(() => app?.remove());

let projects = 0;

/** What a compiler says of a program, strictly, declarations of the packages included: nothing, if all is well. */
function complaints(version: Version, file: string, options: object): Promise<string> {
  const project = join(app.folder, `tsconfig.${projects++}.json`);
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    target: 'ES2022',
    module: 'NodeNext',
    ...options,
  };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
  return new Promise((resolve) => {
    execFile(process.execPath, [compilerOf(version), '-p', project], { cwd: app.folder }, (_, out) => resolve(out));
  });
}

describe.each(VERSIONS)('types of the packed packages, by TypeScript %s', (version) => {
  it.each([{ module: 'NodeNext' }, { module: 'ESNext', moduleResolution: 'Bundler' }])(
    'need no library beyond the language: $module',
    async (resolution) => {
      const options = { lib: ['ES2022'], types: [], ...resolution };
      expect(await complaints(version, 'any-library.ts', options)).toBe('');
    },
  );

  // From TypeScript 6 on its DOM library declares WebGPU itself, at odds with @webgpu/types.
  const asOfDom = { types: [], skipLibCheck: false };
  const asOfPackage = { types: ['@webgpu/types'], skipLibCheck: version >= '6' };
  it.each(version < '6' ? [asOfPackage] : [asOfDom, asOfPackage])(
    `take a GPUDevice, a File, a Worker and a signal of the program's own: $types`,
    async (declared) => {
      const options = { lib: ['ES2022', 'DOM'], ...declared };
      expect(await complaints(version, 'own-gpu.ts', options)).toBe('');
    },
  );
});
