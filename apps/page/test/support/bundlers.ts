import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build as esbuild } from 'esbuild';
import { rolldown } from 'rolldown';
import { createLogger, build as vite } from 'vite';
import webpack from 'webpack';

/** Result of bundling a module. */
export interface Product {
  /** Folder of its files. */
  readonly out: string;
  /** The script of the page. */
  readonly entry: string;
  readonly isModule: boolean;
  /** Warnings and errors, without sizes: how large a bundle may be is for the application to say. */
  readonly complaints: readonly string[];
}

/** The module of the page; and that of its worker, as an entry of its own for those that bundle no workers by themselves. */
interface Entries {
  readonly page: string;
  readonly worker?: Readonly<Record<string, string>>;
}

type Bundler = (folder: string, entries: Entries, out: string) => Promise<Product>;

/** On a busy machine a build takes long enough for rolldown to complain of it. */
const UNTIMED = { bundlerTimings: false };

/** Each with the settings that it has by itself, but for complaints of the time. */
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

/** Products by folder, bundler and entry: each built once by a test file. */
const products = new Map<string, Promise<Product>>();
let copies = 0;

/**
 * Bundles `program/ENTRY.js` of an installed application, and `program/WORKER.js`, which it starts as a worker. Each caller
 * has a copy of the files.
 * @throws what the bundler does where it gives up.
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

/** Bundles any files, into a folder of that name. */
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
