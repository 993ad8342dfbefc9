import type { SimulationOptions } from './options.ts';

const said = new Set<string>();

/**
 * Says what is worth saying of a run: to `onWarning`, or to the console.
 * @param subject what it is about; the console hears of each once, since estimates make many simulations of one scene.
 */
export function warn({ onWarning }: Pick<SimulationOptions, 'onWarning'>, warning: string, subject = warning): void {
  if (onWarning) onWarning(warning);
  else if (!said.has(subject)) {
    said.add(subject);
    console.warn(warning);
  }
}
