import type { SimulationOptions } from './options.ts';

/** Text of a warning, and the subject by which repeated warnings are recognised. */
export interface Warning {
  readonly text: string;
  readonly subject: string;
}

const givenWarnings = new Set<string>();

/**
 * Reports a warning about a run: to `onWarning`, or to the console.
 * @param subject identifies the warning; the console shows each subject once, since estimates create many simulations
 * of one scene.
 */
export function warn({ onWarning }: Pick<SimulationOptions, 'onWarning'>, warning: string, subject = warning): void {
  if (onWarning) onWarning(warning);
  else if (!givenWarnings.has(subject)) {
    givenWarnings.add(subject);
    console.warn(warning);
  }
}
