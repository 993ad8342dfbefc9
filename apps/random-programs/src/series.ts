import type { Device } from '@gradsim/core';
import { generateProgram } from './generate.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import type { Program } from './program.ts';
import { seedOf } from './random.ts';
import { shrink } from './shrink.ts';
import { Usage } from './usage.ts';

export interface SeriesOptions {
  readonly seed: number;
  readonly count: number;
  /** The first program of the series; default 0. */
  readonly from?: number;
  /** Devices in single precision to hold against doubles. */
  readonly devices?: readonly Device[];
  /** Takes each program that is not right. */
  readonly onFinding?: (finding: SeriesFinding) => void | Promise<void>;
}

export interface SeriesFinding {
  /** Position in the series: `--seed S --from N --count 1` makes it again. */
  readonly program: number;
  readonly verdict: Verdict;
}

export interface SeriesResult {
  readonly programs: number;
  readonly wrong: number;
  readonly undecided: number;
  /** Programs whose derivative is not zero where it was looked at. */
  readonly withDerivative: number;
  readonly usage: Usage;
}

/** Draws and judges a series of programs. */
export async function runSeries({
  seed,
  count,
  from = 0,
  devices = [],
  onFinding,
}: SeriesOptions): Promise<SeriesResult> {
  const usage = new Usage();
  let [wrong, undecided, withDerivative] = [0, 0, 0];
  for (let n = from; n < from + count; n++) {
    const program = generateProgram(seedOf(seed, n));
    usage.add(program);
    const verdict = await judge(program, { devices, seed: seedOf(seed, n) });
    if (verdict.verdict === 'wrong') wrong++;
    if (verdict.verdict === 'undecided') undecided++;
    if (verdict.hasDerivative) withDerivative++;
    if (verdict.verdict !== 'right') await onFinding?.({ program: n, verdict });
  }
  return { programs: count, wrong, undecided, withDerivative, usage };
}

/** The n-th program of a series, with as much taken away as leaves it wrong in the same way. */
export async function shrinkNth(seed: number, n: number, devices: readonly Device[]): Promise<Program> {
  const again = (program: Program): Promise<Verdict> => judge(program, { devices, seed: seedOf(seed, n) });
  const program = generateProgram(seedOf(seed, n));
  const verdict = await again(program);
  return verdict.verdict === 'right' ? program : shrink(program, verdict, again);
}
