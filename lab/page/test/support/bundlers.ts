import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { createLogger, build as vite } from 'vite';
import webpack from 'webpack';

/** Result of bundling a page. */
export interface Product {
  /** Path of the folder with the bundle's files. */
  readonly out: string;
  /** Path of the page's script. */
  readonly entry: string;
  readonly isModule: boolean;
  /**
   * Warnings and errors of the bundler, except those about the bundle's size, which is for the application to judge.
   */
  readonly complaints: readonly string[];
}

/** Entry module of the page, and that of its worker for bundlers that do not bundle workers by themselves. */
interface Entries {
  readonly page: string;
  readonly worker?: Readonly<Record<string, string>>;
}

type Bundler = (folder: string, entries: Entries, out: string) => Promise<Product>;

/** Option that turns off rolldown's warnings about slow builds, which occur on a busy machine. */
const UNTIMED = { bundlerTimings: false };

/** Bundlers by name, with their default settings except for warnings about time. */
const BUNDLERS = {
  vite: async (root, { page }, out) => {
    const complaints: string[] = [];
    const complain = (message: string): void => void complaints.push(message);
    const customLogger = { ...createLogger('silent'), warn: complain, warnOnce: complain, error: complain };
    await vite({
      root,
      configFile: false,
      customLogger,
      logLevel: 'warn',
      worker: { rolldownOptions: { checks: UNTIMED } },
      build: {
        outDir: out,
        chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
        rolldownOptions: { input: page, output: { entryFileNames: 'page.js' }, checks: UNTIMED },
      },
    });
    return { out, entry: '/page.js', isModule: true, complaints };
  },
  webpack: (context, { page: entry }, out) =>
    new Promise((resolve, reject) => {
      const output = { path: out, filename: 'page.js' };
      webpack(
        { mode: 'production', context, entry, output, performance: false, optimization: { minimize: false } },
        (error, stats) => {
          if (!stats) return reject(error ?? new Error('webpack gave no result.'));
          const { errors = [], warnings = [] } = stats.toJson({ all: false, errors: true, warnings: true });
          const complaints = [...errors, ...warnings].map(({ message }) => message);
          resolve({ out, entry: '/page.js', isModule: false, complaints });
        },
      );
    }),
  'esbuild, as modules': (...given) => esbuilt('esm', ...given),
  'esbuild, as one script': (...given) => esbuilt('iife', ...given),
  rolldown: async (cwd, { page, worker }, dir) => {
    const complaints: string[] = [];
    const bundle = await rolldown({
      cwd,
      input: { page, ...worker },
      checks: UNTIMED,
      onLog: (_, { message }) => void complaints.push(message),
    });
    await bundle.write({ dir });
    await bundle.close();
    return { out: dir, entry: '/page.js', isModule: true, complaints };
  },
} as const satisfies Record<string, Bundler>;

export type BundlerName = keyof typeof BUNDLERS;
export const BUNDLER_NAMES = Object.keys(BUNDLERS) as BundlerName[];

async function esbuilt(
  format: 'esm' | 'iife',
  absWorkingDir: string,
  { page, worker }: Entries,
  outdir: string,
): Promise<Product> {
  const { warnings } = await esbuild({
    absWorkingDir,
    entryPoints: { page, ...worker },
    outdir,
    format,
    splitting: format === 'esm',
    bundle: true,
    logLevel: 'silent',
  });
  const complaints = warnings.map(({ text }) => text);
  return { out: outdir, entry: '/page.js', isModule: format === 'esm', complaints };
}

/** Bundles by folder, bundler and entry: each is built once per test file. */
const products = new Map<string, Promise<Product>>();
let copies = 0;

/**
 * Bundles `program/ENTRY.js` of an installed application, and `program/WORKER.js`, which it starts as a worker. Each
 * call gets its own copy of the files.
 * @throws the bundler's error if it fails.
 */
export async function bundle(name: BundlerName, folder: string, entry = 'page', worker?: string): Promise<Product> {
  const to = `${entry} ${name}`;
  const known = products.get(join(folder, to));
  const file = (module: string): string => join(folder, 'program', `${module}.js`);
  const entries = { page: file(entry), ...(worker ? { worker: { [worker]: file(worker) } } : {}) };
  const product = known ?? bundleFiles(name, folder, entries, to);
  products.set(join(folder, to), product);
  const { out, ...rest } = await product;
  const copy = join(folder, 'out', `copy ${copies++}`);
  cpSync(out, copy, { recursive: true });
  return { ...rest, out: copy };
}

/** Bundles the given files into a folder of the given name. */
export async function bundleFiles(
  name: BundlerName,
  folder: string,
  entries: Entries,
  to: string = name,
): Promise<Product> {
  const out = join(folder, 'out', to);
  rmSync(out, { recursive: true, force: true });
  return BUNDLERS[name](folder, entries, out);
}
