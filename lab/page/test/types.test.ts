import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CompilerHost, SourceFile } from 'typescript-5.9';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from './support/installed.ts';
import { installApp } from './support/installed.ts';

/** TypeScript versions to test, from the oldest that the packages' types support. */
const VERSIONS = ['5.5', '5.9', '6.0', '7'] as const;
type Version = (typeof VERSIONS)[number];

const require = createRequire(import.meta.url);

let app: App;

beforeAll(() => {
  app = installApp();
  for (const program of ['any-library.ts', 'own-gpu.ts'])
    copyFileSync(join(import.meta.dirname, 'programs', program), join(app.folder, program));
});
afterAll(() => app?.remove());

/**
 * Returns the diagnostics of a program in strict mode, including those in the packages' declarations; none if all is
 * well.
 */
function complaints(version: Version, file: string, options: object): Promise<string> {
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
  return version === '7'
    ? complaintsOfCommand(version, file, compilerOptions)
    : Promise.resolve(complaintsInProcess(version, file, compilerOptions));
}

/** Runs the compiler from its command line, since version 7 is a native program, and returns its diagnostics. */
function complaintsOfCommand(version: '7', file: string, compilerOptions: object): Promise<string> {
  const compiler = join(dirname(require.resolve(`typescript-${version}/package.json`)), 'bin/tsc');
  const project = join(app.folder, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ compilerOptions, files: [file] }));
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, '-p', project], { cwd: app.folder }, (_, out) => resolve(out));
  });
}

/** Cache of parsed files by version, kind of module and path: programs of one version share most files. */
const parsed = new Map<string, SourceFile | undefined>();

function complaintsInProcess(version: Exclude<Version, '7'>, file: string, compilerOptions: object): string {
  const typescript: typeof import('typescript-5.9') = require(`typescript-${version}`);
  const { options, errors } = typescript.convertCompilerOptionsFromJson(compilerOptions, app.folder);
  const base = typescript.createCompilerHost(options);
  const host: CompilerHost = {
    ...base,
    getCurrentDirectory: () => app.folder,
    getSourceFile: (path, given, ...rest) => {
      const format = typeof given === 'object' ? given.impliedNodeFormat : given;
      const key = [version, options.module, format, path].join(' ');
      if (!parsed.has(key)) parsed.set(key, base.getSourceFile(path, given, ...rest));
      return parsed.get(key);
    },
  };
  const rootNames = [join(app.folder, file)];
  const program = typescript.createProgram({ rootNames, options, host, configFileParsingDiagnostics: errors });
  return typescript.formatDiagnostics(typescript.getPreEmitDiagnostics(program), host);
}

describe.each(VERSIONS)('types of the packed packages, by TypeScript %s', (version) => {
  it.each([{ module: 'NodeNext' }, { module: 'ESNext', moduleResolution: 'Bundler' }])(
    'type-check without DOM or Node types: $module',
    async (resolution) => {
      const options = { lib: ['ES2022'], types: [], ...resolution };
      expect(await complaints(version, 'any-library.ts', options)).toBe('');
    },
  );

  // From TypeScript 6 on its DOM library declares WebGPU itself, at odds with @webgpu/types.
  const asOfDom = { types: [], skipLibCheck: false };
  const asOfPackage = { types: ['@webgpu/types'], skipLibCheck: version >= '6' };
  it.each(version < '6' ? [asOfPackage] : [asOfDom, asOfPackage])(
    `accept GPUDevice, File, Worker and AbortSignal of the DOM library, with additional types $types`,
    async (declared) => {
      const options = { lib: ['ES2022', 'DOM'], ...declared };
      expect(await complaints(version, 'own-gpu.ts', options)).toBe('');
    },
  );
});
