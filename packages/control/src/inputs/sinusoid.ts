import { f32, GradsimError, kernel, refuseUnknownOptions, sin } from '@gradsim/core';
import type { ControllerInput } from './controller-input.ts';
import { refuseCount, refuseNumber } from './controller-input.ts';

export interface SinusoidInputOptions {
  /** Angular frequency, rad/s. */
  readonly frequency: number;
  /** Number n of sinusoids; sinusoid k has the phase 2 pi k / n. Default 8. */
  readonly count?: number;
  /** Phases, rad, one per sinusoid, instead of those that `count` gives. */
  readonly phases?: readonly number[];
}

/**
 * Controller input: sin(frequency t + phase) at the time t, one number per phase. With a single layer without bias it
 * is the open-loop controller of the paper. Frequencies and phases are fields, `NAMESight0.frequency` and
 * `NAMESight0.phase` for the first input of a controller NAME, and can be unknowns like weights.
 *
 * ```ts
 * const clock = sinusoidInput({ frequency: 20, count: 8 });
 * ```
 * Source: gradSim (ICLR 2021), visuomotor control.
 *
 * @throws for a frequency or phases that are not finite, and an invalid count.
 */
export function sinusoidInput(options: SinusoidInputOptions): ControllerInput {
  refuseUnknownOptions<SinusoidInputOptions>('sinusoids', options, { frequency: true, count: true, phases: true });
  const { frequency, count = 8 } = options;
  refuseNumber('The frequency of sinusoids', frequency, 'be finite');
  if (options.phases === undefined) refuseCount('The count of sinusoids', count, 1);
  const phases = options.phases ?? Array.from({ length: count }, (_, k) => (2 * Math.PI * k) / count);
  if (phases.length === 0)
    throw new GradsimError('control/no-phases', 'The phases of sinusoids are none.', { hint: 'Give at least one.' });
  phases.forEach((phase, k) => {
    refuseNumber(`Phase ${k} of sinusoids`, phase, 'be finite');
  });
  return {
    add: (model, domain) => {
      model.addDomain(domain, phases.length);
      model.addField(domain, 'frequency', f32, { fill: frequency, unit: 'rad/s' });
      model.addField(domain, 'phase', f32, { values: phases, unit: 'rad' });
      const swing = kernel(
        `sinusoidsOf_${domain}`,
        { domain, reads: { frequency: f32, phase: f32 }, writes: { value: f32 } },
        ({ frequency: w, phase }, { time }) => ({ value: sin(w.mul(time).add(phase)) }),
      );
      model.addPass('control', swing);
    },
  };
}
