import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Simulation } from '@gradsim/core';
import { least } from './options.ts';

/** Times a substep of a run forward and backward: wall and processor, ms, least of `runs` after two others. */
export async function substepTimes(
  simulation: Simulation,
  seeds: Readonly<Record<string, Float64Array>>,
  { substeps, runs }: Readonly<Record<'substeps' | 'runs', number>>,
): Promise<Record<'forwardMs' | 'forwardProcessorMs' | 'backwardMs' | 'backwardProcessorMs', number>> {
  const timed = async (act: () => void): Promise<{ wall: number; processor: number }> => {
    const [began, used] = [performance.now(), process.cpuUsage()];
    act();
    await simulation.finished();
    const { user, system } = process.cpuUsage(used);
    return { wall: (performance.now() - began) / substeps, processor: (user + system) / 1000 / substeps };
  };
  const [forward, backward]: { wall: number; processor: number }[][] = [[], []];
  for (let run = 0; run < runs + 2; run++) {
    const ahead = await timed(() => simulation.forward());
    const back = await timed(() => simulation.backward(seeds));
    if (run < 2) continue;
    forward.push(ahead);
    backward.push(back);
  }
  return {
    forwardMs: least(forward.map(({ wall }) => wall)),
    forwardProcessorMs: least(forward.map(({ processor }) => processor)),
    backwardMs: least(backward.map(({ wall }) => wall)),
    backwardProcessorMs: least(backward.map(({ processor }) => processor)),
  };
}

/** Processor time of a substep of a plain loop, ms, and numbers that it comes to. */
export interface PlainTimes extends Readonly<Record<string, number>> {
  readonly substepMs: number;
}

/**
 * Compiles a program in C++ that prints {@link PlainTimes}, and runs it; null without a compiler.
 * @throws if it does not compile.
 */
export function plainLoop(source: string, args: readonly number[], runs: number): PlainTimes | null {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-plain-'));
  try {
    const program = join(folder, 'plain');
    const compiled = spawnSync('g++', ['-O3', '-march=native', '-o', program, source], { encoding: 'utf8' });
    if (compiled.error) return null;
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    return leastOf(
      runs,
      () => JSON.parse(spawnSync(program, args.map(String), { encoding: 'utf8' }).stdout) as PlainTimes,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a plain loop several times. */
export function leastOf(runs: number, run: () => PlainTimes): PlainTimes {
  const all = Array.from({ length: runs }, run);
  return { ...all[0], substepMs: least(all.map(({ substepMs }) => substepMs)) };
}
