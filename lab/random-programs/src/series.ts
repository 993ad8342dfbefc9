import type { Device } from '@gradsim/core';
import { generateProgram } from './generate/generate.ts';
import { leadAstray, refusesAstray } from './judge/astray.ts';
import type { OnTies } from './judge/differences.ts';
import { Wrong } from './judge/finding.ts';
import type { Verdict } from './judge/judge.ts';
import { judge } from './judge/judge.ts';
import { shrink } from './judge/shrink.ts';
import type { Program } from './program/program.ts';
import { Random, seedOf } from './random.ts';
import { Usage } from './usage.ts';

export interface SeriesOptions {
  readonly seed: number;
  readonly count: number;
  /** Index of the first program of the series to judge; default 0. */
  readonly from?: number;
  /** Single-precision devices to compare with doubles. */
  readonly devices?: readonly Device[];
  /** Called with each program that is not judged right. */
  readonly onFinding?: (finding: SeriesFinding) => void | Promise<void>;
}

export interface SeriesFinding {
  /** Index in the series; `--seed S --from N --count 1` reproduces it. */
  readonly program: number;
  readonly verdict: Verdict;
}

export interface SeriesResult {
  readonly programs: number;
  readonly wrong: number;
  readonly undecided: number;
  /** Number of programs whose checked derivative is not zero. */
  readonly withDerivative: number;
  /**
   * Number of programs in which an index was moved out of its domain and affected an output; any that was not refused
   * counts as wrong.
   */
  readonly astray: number;
  /**
   * Number of drawn parameters without a derivative, and (`silent`) of programs in which one was not refused, or with
   * the wrong message.
   */
  readonly dead: number;
  readonly silent: number;
  /** Number of even programs by what their derivative is where they begin, on ties. */
  readonly onTies: Readonly<Record<OnTies, number>>;
  readonly usage: Usage;
}

/** Draws a series of random programs, judges each, and counts the results. */
export async function runSeries({
  seed,
  count,
  from = 0,
  devices = [],
  onFinding,
}: SeriesOptions): Promise<SeriesResult> {
  const usage = new Usage();
  let [wrong, undecided, withDerivative, astray, dead, silent] = [0, 0, 0, 0, 0, 0];
  const onTies: Record<OnTies, number> = { smooth: 0, between: 0, beside: 0, rounded: 0 };
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
    if (judged.onTies) onTies[judged.onTies]++;
    dead += program.dead?.length ?? 0;
    if (verdict.finding === 'dead') silent++;
    if (verdict.verdict !== 'right') await onFinding?.({ program: n, verdict });
  }
  return { programs: count, wrong, undecided, withDerivative, astray, dead, silent, onTies, usage };
}

/** Probability that a program is also judged with one index out of range. */
const ASTRAY = 0.25;

/**
 * Moves one index of a right program out of its domain, and judges whether every device refuses the program if the
 * access matters.
 */
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

/** Returns the n-th program of a series; if it is not right, shrunk as far as it fails in the same way. */
export async function shrinkNth(seed: number, n: number, devices: readonly Device[]): Promise<Program> {
  const again = (program: Program): Promise<Verdict> => judge(program, { devices, seed: seedOf(seed, n) });
  const program = generateProgram(seedOf(seed, n));
  const verdict = await again(program);
  return verdict.verdict === 'right' ? program : shrink(program, verdict, again);
}
