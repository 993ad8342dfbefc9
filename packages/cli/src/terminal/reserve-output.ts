import childProcess, { type ChildProcess } from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

type Functions = Record<string, (...args: unknown[]) => unknown>;

let write: ((text: string) => void) | undefined;

/**
 * Keeps standard output for the caller until the process ends: whatever else writes to it, `console.log`, `process.stdout.write`,
 * threads, and processes started with this one's output, writes to standard error from then on.
 * @returns what writes to standard output still.
 */
export function reserveOutput(): (text: string) => void {
  if (write) return write;
  const { stdout, stderr } = process;
  const own = stdout.write.bind(stdout);
  write = (text) => own(text);
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write;
  // All that start processes without waiting for their end go through this method.
  const started = childProcess.ChildProcess.prototype as ChildProcess & {
    spawn: (options: { stdio?: unknown }) => unknown;
  };
  const { spawn } = started;
  started.spawn = function (this: ChildProcess, options) {
    return spawn.call(this, redirected(options));
  };
  const functions = childProcess as unknown as Functions;
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) {
    const original = functions[name];
    functions[name] = (...args) => original(...args.map(redirected));
  }
  syncBuiltinESMExports();
  return write;
}

/** Options of a process that writes to standard error what it would write to standard output of this one. */
function redirected<T>(options: T): T {
  if (typeof options !== 'object' || options === null || !('stdio' in options)) return options;
  const { stdio } = options;
  if (stdio === 'inherit') return { ...options, stdio: ['inherit', 2, 'inherit'] };
  if (!Array.isArray(stdio)) return options;
  const isOutput = (each: unknown, k: number): boolean =>
    each === 1 || each === process.stdout || (each === 'inherit' && k === 1);
  return { ...options, stdio: stdio.map((each, k) => (isOutput(each, k) ? 2 : each)) };
}
