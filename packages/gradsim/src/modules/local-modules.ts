import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, extname, isAbsolute } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readBytesSync } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { KeptFiles } from '@gradsim/kernel/internal/kept-files';
import type { Jiti, ModuleCache, TransformOptions, TransformResult } from 'jiti';
import { importFromPackage, requirePackage, resolveInPackage } from './import-package.ts';
import type { PackagesInUse } from './in-use.ts';
import { enclosingPackage, packageNameOf } from './installed.ts';
import { createJiti, jitiVersion } from './jiti.ts';

const TYPESCRIPT = ['.ts', '.mts'];
/** File extensions of modules that can be loaded. */
export const ENDINGS = [...TYPESCRIPT, '.js', '.mjs'];

interface LocalModule {
  readonly sha256: string;
  readonly exports: Promise<unknown>;
  /** Paths of the local modules that this module has imported so far. */
  readonly imports: Set<string>;
  isLoaded: boolean;
}

/**
 * Modules of an experiment: its file and those that it imports by relative paths, transitively. They are loaded
 * unchanged, TypeScript or JavaScript, once each; their package imports are resolved from each module's folder as Node
 * does, else from the packages installed with the command.
 */
export class LocalModules {
  readonly #packages: PackagesInUse;
  readonly #onPackage: () => void;
  readonly #modules = new Map<string, LocalModule>();
  /** Exports of each module so far, for circular imports. */
  readonly #exports: ModuleCache = {};

  /**
   * @param packages records every package that the modules import.
   * @param onPackage called after a package is recorded, before it is loaded.
   */
  constructor(packages: PackagesInUse, onPackage: () => void = () => {}) {
    this.#packages = packages;
    this.#onPackage = onPackage;
  }

  /** SHA-256 of each module that was loaded, by its path. */
  hashes(): ReadonlyMap<string, string> {
    return new Map([...this.#modules].map(([file, { sha256 }]) => [file, sha256]));
  }

  /** Loads the module in a file, unless it is loaded already, and returns its exports. */
  load(file: string): Promise<unknown> {
    const known = this.#modules.get(file);
    if (known) return known.exports;
    const source = Buffer.from(readBytesSync(file));
    const sha256 = createHash('sha256').update(source).digest('hex');
    // Begins once the module is registered, since its imports may ask for it.
    const exports = Promise.resolve()
      .then(() => this.#evaluate(file, source.toString()))
      .finally(() => {
        module.isLoaded = true;
      });
    const module: LocalModule = { sha256, exports, imports: new Set(), isLoaded: false };
    this.#modules.set(file, module);
    return exports;
  }

  async #evaluate(file: string, source: string): Promise<unknown> {
    if (extname(file) === '.json') return { default: JSON.parse(source) };
    if (!isEsModule(file, source)) return import(pathToFileURL(file).href);
    const jiti: Jiti = createJiti(file, {
      // Every import except Node's own modules is resolved here first.
      virtualModules: new Proxy(
        {},
        { has: () => true, get: (_, specifier) => this.#import(String(specifier), file, jiti) },
      ),
      interopDefault: false,
      transform: transpile,
      fsCache: false,
      moduleCache: false,
    });
    return jiti.evalModule(source, {
      filename: file,
      async: true,
      forceTranspile: true,
      cache: this.#exports,
    });
  }

  async #import(specifier: string, importer: string, jiti: Jiti): Promise<unknown> {
    if (/^[.#]|^file:/.test(specifier) || isAbsolute(specifier)) {
      const file = realpathSync(fileURLToPath(jiti.esmResolve(specifier)));
      return this.#importLocal(file, importer);
    }
    const installed = requirePackage(packageNameOf(specifier), dirname(importer));
    this.#packages.add(installed, 'the experiment');
    this.#onPackage();
    const url = resolveInPackage(specifier, importer);
    // A package of the user's own may lie there as TypeScript, which Node does not load everywhere.
    if (url && TYPESCRIPT.includes(extname(url))) return this.#importLocal(realpathSync(fileURLToPath(url)), importer);
    return withKnownExports((await importFromPackage(specifier, importer)) as object, specifier, importer);
  }

  #importLocal(file: string, importer: string): Promise<unknown> {
    if (this.#modules.has(file) && this.#waitsFor(file, importer)) return Promise.resolve(this.#exports[file].exports);
    this.#modules.get(importer)!.imports.add(file);
    return this.load(file);
  }

  /** True if the module in `file` is `other`, or its loading waits, directly or indirectly, for `other`. */
  #waitsFor(file: string, other: string, seen = new Set<string>()): boolean {
    if (file === other) return true;
    const { isLoaded, imports } = this.#modules.get(file)!;
    if (isLoaded || seen.has(file)) return false;
    seen.add(file);
    return [...imports].some((next) => this.#waitsFor(next, other, seen));
  }
}

/**
 * Transpiles a module, unless an earlier run has, whose code is in the user's folder of caches: in one that all users may
 * write to, such as the temporary folder, others could plant code.
 */
function transpile({ source, ...options }: TransformOptions): TransformResult {
  const files = KeptFiles.open();
  const name = files?.nameOf([jitiVersion, JSON.stringify(options), source]) ?? '';
  const kept = files?.read(name);
  if (kept) return { code: kept.toString() };
  const code = createJiti(import.meta.url, { fsCache: false, interopDefault: false }).transform({ source, ...options });
  // Code that a syntax error makes only throws that.
  if (!code.includes('__JITI_ERROR__')) files?.write(name, Buffer.from(code));
  return { code };
}

/** Property names that promises and the import helpers of transpiled code read from every module. */
const ASKED_OF_ALL = ['then', 'default', '__esModule', 'toJSON'];

/**
 * Wraps a package's exports so that using a missing one throws an error that names it, where transpiled imports would
 * yield undefined.
 */
const withKnownExports = (exports: object, specifier: string, importer: string): object =>
  new Proxy(exports, {
    get: (target, name, receiver) => {
      if (typeof name === 'string' && !(name in target) && !ASKED_OF_ALL.includes(name))
        throw new GradsimError(
          'gradsim/export-missing',
          `${specifier} exports no "${name}", which ${importer} imports from it.`,
        );
      return Reflect.get(target, name, receiver);
    },
  });

/** True for an ES module, decided by its file extension, its package's type, or its text. */
export function isEsModule(file: string, source: string): boolean {
  const ending = extname(file);
  if (ending !== '.js') return ending === '.mjs' || TYPESCRIPT.includes(ending);
  if (enclosingPackage(dirname(file))?.isModule) return true;
  return /^\s*(?:import\s*[\w{*'"]|export\b)|\bimport\.meta\b/m.test(source);
}
