import type { Device } from '@gradsim/core';
import { uneven } from '../program/even.ts';
import { movedProgram } from '../program/moved.ts';
import type { Program, RunSpec } from '../program/program.ts';
import { Random } from '../random.ts';
import { Checks } from './checks.ts';
import type { OnTies } from './differences.ts';
import type { Finding } from './finding.ts';
import { Wrong } from './finding.ts';

export interface Verdict {
  readonly verdict: 'right' | 'wrong' | 'undecided';
  readonly finding?: Finding;
  readonly detail?: string;
  /** True if the checked derivative is not zero. */
  readonly hasDerivative: boolean;
  /** Of an even program: what its derivative is where it begins, on ties. */
  readonly onTies?: OnTies;
}

export interface JudgeOptions {
  /** Single-precision devices to compare with doubles. */
  readonly devices?: readonly Device[];
  readonly seed: number;
}

/** Number of variants of a program, with other constants, that are tried before it counts as wrong or undecided. */
const PLACES = 3;
/**
 * Judges the derivatives of a program. In doubles, the adjoint is compared with the tangent and with central
 * differences, and a run with little memory with one with much. Then single precision is compared with doubles, with a
 * tolerance of 1e-3 of the largest derivative or of a multiple of the effect of rounding all initial values once. If a
 * comparison fails that a kink or a jump can spoil, it is repeated with other constants: a program that fails for most
 * of them is wrong, otherwise undecided; if it fails only because its derivative is too large for differences, shorter
 * runs decide. An even program is first judged on the ties that it begins on, and then beside them.
 */
export async function judge(program: Program, { devices = [], seed }: JudgeOptions): Promise<Verdict> {
  const random = new Random(seed);
  const failures: Wrong[] = [];
  let hasDerivative = false;
  let onTies: OnTies | undefined;
  const failureOf = async (of: Program): Promise<Wrong | null> => {
    const checks = new Checks(of, random);
    try {
      await checks.open(devices);
      hasDerivative ||= await checks.run();
      onTies ??= checks.onTies;
      return null;
    } catch (error) {
      return error instanceof Wrong ? error : new Wrong('refused', (error as Error).message);
    } finally {
      checks.dispose();
    }
  };
  const verdictOf = (verdict: Verdict['verdict'], first?: Wrong): Verdict => ({
    verdict,
    ...(first ? { finding: first.finding, detail: first.message } : {}),
    hasDerivative,
    ...(onTies ? { onTies } : {}),
  });
  if (program.isEven) {
    const wrong = await failureOf(program);
    if (wrong && !MAY_BE_ROUGH.has(wrong.finding)) return verdictOf('wrong', wrong);
    // Rounding in single precision leads to either side of a tie.
    if (wrong) onTies = 'rounded';
  }
  for (let place = 0; place < PLACES; place++) {
    const wrong = await failureOf(place === 0 && !program.isEven ? program : moved(uneven(program), random));
    if (!wrong && failures.length === 0) return verdictOf('right');
    if (!wrong) continue;
    failures.push(wrong);
    // These hold everywhere; no kink and no rounding excuses them.
    if (!MAY_BE_ROUGH.has(wrong.finding)) break;
  }
  // Where small changes grow so much from substep to substep, differences see the derivative of a shorter run only.
  if (failures.every((f) => f.isSteep))
    for (const run of shorterRuns(program.run)) {
      const wrong = await failureOf(moved({ ...uneven(program), run }, random));
      if (!wrong && hasDerivative) return verdictOf('right');
      if (!wrong) continue;
      failures.push(wrong);
      if (!MAY_BE_ROUGH.has(wrong.finding)) break;
    }
  const isCertain = failures.some((f) => !MAY_BE_ROUGH.has(f.finding));
  const smooth = failures.filter((f) => !f.isRough);
  return verdictOf(isCertain || smooth.length >= 2 ? 'wrong' : 'undecided', failures[0]);
}

/** Returns runs of fewer frames down to two, then of fewer substeps down to one. */
function shorterRuns(run: RunSpec): RunSpec[] {
  const ofFrames = (frames: number): RunSpec => ({ ...run, frames, frameTimes: run.frameTimes?.slice(0, frames) });
  const counts = Array.from({ length: Math.max(0, run.frames - 2) }, (_, k) => run.frames - 1 - k);
  const two = ofFrames(2);
  const substeps = Array.from({ length: run.substeps - 1 }, (_, k) => run.substeps - 1 - k);
  return run.frames < 2 ? [] : [...counts.map(ofFrames), ...substeps.map((count) => ({ ...two, substeps: count }))];
}

const MAY_BE_ROUGH = new Set<Finding>(['differences', 'device']);

/**
 * Returns the program with slightly other constants, exact in single precision: a kink that depends on constants only
 * moves away.
 */
const moved = (program: Program, random: Random): Program =>
  movedProgram(program, {
    value: (x) => Math.fround(x + random.between(-0.1, 0.1)),
    literal: (x) => x + random.whole(-3, 3) / 64,
  });
