import childProcess, { type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Functions = Record<string, (...args: unknown[]) => unknown>;

let write: ((text: string) => void) | undefined;

/**
 * Reserves standard output for the caller until the process ends: from then on all other output to it (`console.log`,
 * `process.stdout.write`, `writeSync(1, ...)`, threads, and child processes that inherit it) goes to standard error.
 * @returns a function that still writes to standard output.
 */
export function reserveOutput(): (text: string) => void {
  if (write) return write;
  const { stdout, stderr } = process;
  const own = stdout.write.bind(stdout);
  write = (text) => own(text);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // All asynchronous starts of processes go through this method.
  const started = childProcess.ChildProcess.prototype as ChildProcess & {
    spawn: (options: { stdio?: unknown }) => unknown;
  };
  const { spawn } = started;
  started.spawn = function (this: ChildProcess, options) {
    return spawn.call(this, redirected(options));
  };
  replace(childProcess, ['spawnSync', 'execSync', 'execFileSync'], (args) => args.map(redirected));
  replace(fs, WRITERS, ([file, ...rest]) => [file === 1 ? 2 : file, ...rest]);
  syncBuiltinESMExports();
  return write;
}

/** Functions of node:fs that write to a file given by its descriptor. */
const WRITERS = ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync'];

/** Replaces functions of a module by wrappers that change their arguments. */
function replace(module: object, names: readonly string[], other: (args: unknown[]) => unknown[]): void {
  const functions = module as Functions;
  for (const name of names) {
    const original = functions[name];
    // Some have properties, such as a version that returns a promise.
    const properties = Object.getOwnPropertyDescriptors(original);
    functions[name] = Object.defineProperties((...args: unknown[]) => original(...other(args)), properties);
  }
}

/**
 * Options of a child process, changed so that its standard output goes to this process's standard error if it would
 * inherit standard output.
 */
function redirected<T>(options: T): T {
  if (typeof options !== 'object' || options === null || !('stdio' in options)) return options;
  const { stdio } = options;
  if (stdio === 'inherit') return { ...options, stdio: ['inherit', 2, 'inherit'] };
  if (!Array.isArray(stdio)) return options;
  const isOutput = (each: unknown, k: number): boolean =>
    each === 1 || each === process.stdout || (each === 'inherit' && k === 1);
  return { ...options, stdio: stdio.map((each, k) => (isOutput(each, k) ? 2 : each)) };
}
