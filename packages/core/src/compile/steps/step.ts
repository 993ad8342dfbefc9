import type { KernelStep, KernelSum } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { Cycle, Phase } from '../../model/phases.ts';
import type { Loop, Version } from './versions.ts';

/** A kernel with the versions that it reads and writes, by field key. */
export interface PassStep extends KernelStep<Version> {
  readonly phase: Phase;
}
/** Step that sums the contributions of passes to a field. */
export interface SumStep extends KernelSum<Version> {
  readonly from: readonly PassStep[];
}
/** Step that runs other steps in a loop. */
export interface LoopStep {
  readonly kind: 'loop';
  readonly loop: Loop;
  readonly body: readonly Step[];
  readonly carried: readonly CarriedField[];
  /** Versions from outside of the loop that it reads, by field key. */
  readonly reads: ReadonlyMap<string, Version>;
  readonly writes: ReadonlyMap<string, Version>;
}
/**
 * Carried field of a loop: the version before the loop, those that a round starts with and leaves, and the one after
 * the loop.
 */
export interface CarriedField {
  readonly field: Field;
  /** Version before the loop; null if the first round creates the field. */
  readonly versionBefore: Version | null;
  readonly entry: Version;
  readonly exit: Version;
  readonly after: Version;
}
/** Steps with their own derivative. */
export interface BlockStep {
  readonly kind: 'block';
  readonly name: string;
  readonly body: readonly Step[];
  readonly reads: ReadonlyMap<string, Version>;
  readonly writes: ReadonlyMap<string, Version>;
  readonly vjp: readonly Step[];
  readonly jvp: readonly Step[];
}
export type Step = PassStep | SumStep | LoopStep | BlockStep;
export type Steps = Readonly<Record<Cycle, readonly Step[]>>;

export const isPass = (step: Step): step is PassStep => step.kind === 'pass';

/** Returns the versions that a step writes and that later steps can read. */
export const madeBy = (step: Step): Version[] => (step.kind === 'sum' ? [step.version] : [...step.writes.values()]);

/** Returns all steps, including those within loops and blocks and, with `derivatives`, those of blocks' derivatives. */
export function allSteps(steps: readonly Step[], derivatives = true): Step[] {
  return steps.flatMap((step) => {
    if (step.kind === 'loop') return [step, ...allSteps(step.body, derivatives)];
    if (step.kind !== 'block') return [step];
    const own = derivatives ? [...step.vjp, ...step.jvp] : [];
    return [step, ...allSteps([...step.body, ...own], derivatives)];
  });
}

/**
 * Returns all kernel passes among the steps, including those within loops and blocks and, with `derivatives`, of
 * blocks' derivatives.
 */
export const allPasses = (steps: readonly Step[], derivatives = true): PassStep[] =>
  allSteps(steps, derivatives).filter(isPass);
