import { type SpawnOptions, spawn } from 'node:child_process';

/** Exit status and output of a finished command. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** Names of the files left in the folder of the run, if it had one of its own. */
  readonly left?: readonly string[];
}

/** Runs Node with arguments until it exits. */
export function nodeEnded(args: readonly string[], { cwd, env }: Pick<SpawnOptions, 'cwd' | 'env'>): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
  });
}
