import { GradsimError } from '@gradsim/kernel';
import { builtinsOf } from '@gradsim/kernel/internal';
import type { StepClock } from '../model/clock.ts';
import type { Step } from './step.ts';
import { allPasses } from './step.ts';

/** Durations and times of a certain substep: setup runs before all substeps. */
const OF_A_SUBSTEP = ['dt', 'previousDt', 'nextTime'] as const;

/** @throws for a kernel of phase setup that uses the duration of a substep where frames have times of their own. */
export function refuseStepsInSetup(setup: readonly Step[], { frameTimes }: StepClock): void {
  if (!frameTimes) return;
  for (const { kernel } of allPasses(setup)) {
    const used = builtinsOf(kernel.form.root);
    const wrong = OF_A_SUBSTEP.find((builtin) => used.has(builtin));
    if (wrong)
      throw new GradsimError(
        'core/steps-in-setup',
        `kernel ${kernel.name} of phase setup uses ${wrong}, and substeps differ: frames have times of their own.`,
        {
          kernel: kernel.name,
          hint: 'Use longestDt if it is for a bound; else compute it in a phase of each substep.',
        },
      );
  }
}
