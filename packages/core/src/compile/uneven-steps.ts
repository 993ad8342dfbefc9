import { GradsimError } from '@gradsim/base';
import { builtinsOf } from '@gradsim/kernel/internal';
import type { Step } from './steps/step.ts';
import { allPasses } from './steps/step.ts';

/** Durations and times of a certain substep: setup runs before all substeps. */
const SUBSTEP_BUILTINS = ['dt', 'previousDt', 'nextTime'] as const;

/** @throws for a kernel of phase setup that uses the duration of a substep where frames have times of their own. */
export function refuseStepsInSetup(setup: readonly Step[]): void {
  for (const { kernel } of allPasses(setup)) {
    const used = builtinsOf(kernel.form.root);
    const wrong = SUBSTEP_BUILTINS.find((builtin) => used.has(builtin));
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
