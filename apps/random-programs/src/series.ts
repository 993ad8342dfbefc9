import type { Device } from '@gradsim/core';
import { leadAstray, refusesAstray } from './astray.ts';
import { Wrong } from './finding.ts';
import { generateProgram } from './generate.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import type { Program } from './program.ts';
import { Random, seedOf } from './random.ts';
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
  /** Programs of which an access was led out of its domain, and mattered: all were refused, or count as wrong. */
  readonly astray: number;
  /** Parameters without a derivative that were drawn, and programs in which one was not refused, or wrongly. */
  readonly dead: number;
  readonly silent: number;
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
  let [wrong, undecided, withDerivative, astray, dead, silent] = [0, 0, 0, 0, 0, 0];
  for (let n = from; n < from + count; n++) {
    const program = generateProgram(seedOf(seed, n));
    usage.add(program);
    const judged = await judge(program, { devices, seed: seedOf(seed, n) });
    const led = judged.verdict === 'right' ? await judgeAstray(program, devices, seedOf(seed, n)) : null;
    const verdict = led?.verdict ?? judged;
    if (led?.matters) astray++;
    if (verdict.verdict === 'wrong') wrong++;
    if (verdict.verdict === 'undecided') undecided++;
    if (verdict.hasDerivative) withDerivative++;
    dead += program.dead?.length ?? 0;
    if (verdict.finding === 'dead') silent++;
    if (verdict.verdict !== 'right') await onFinding?.({ program: n, verdict });
  }
  return { programs: count, wrong, undecided, withDerivative, astray, dead, silent, usage };
}

/** Share of programs in which one access is redirected to an index out of range. */
const ASTRAY = 0.25;

/** Judges a right program with one index led out of its domain: not silent where that matters. */
async function judgeAstray(
  program: Program,
  devices: readonly Device[],
  seed: number,
): Promise<{ readonly matters: boolean; readonly verdict?: Verdict }> {
  const random = new Random(seed);
  const led = random.chance(ASTRAY) ? leadAstray(program, random) : null;
  try {
    return { matters: led !== null && (await refusesAstray(led, devices)) };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    const { finding, message: detail } = error;
    return { matters: true, verdict: { verdict: 'wrong', finding, detail, hasDerivative: true } };
  }
}

/** The n-th program of a series, with as much taken away as leaves it wrong in the same way. */
export async function shrinkNth(seed: number, n: number, devices: readonly Device[]): Promise<Program> {
  const again = (program: Program): Promise<Verdict> => judge(program, { devices, seed: seedOf(seed, n) });
  const program = generateProgram(seedOf(seed, n));
  const verdict = await again(program);
  return verdict.verdict === 'right' ? program : shrink(program, verdict, again);
}
