import { secondsSince } from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import type { CueLook } from '@gradsim/examples';
import { CUE_DEFAULTS, cueDescent, LOOKS, RENDERERS } from '@gradsim/examples';
import { defineStudy, grid, seeds } from 'gradsim/study';

/** Settings of a trial. */
export interface Settings {
  readonly instance: number;
  readonly look: CueLook;
}

/** Result of a trial: relative error of the mass after each iteration. */
export interface Found {
  readonly errors: readonly number[];
  /** Iterations after which the error stays below 1e-3; null if it does not. */
  readonly iterations: number | null;
  readonly seconds: number;
}

/** Study of what shading and texture tell: a trial for each throw and look. */
export default defineStudy({
  trials: ({ count = '20' }) => grid({ instance: seeds(Number(count)), look: LOOKS }),
  run: async ({ instance, look }): Promise<Found> => {
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const began = process.cpuUsage();
      const descent = await cueDescent(instance, look, { ...CUE_DEFAULTS, renderer: RENDERERS.softras }, device);
      return { ...descent, seconds: secondsSince(began) };
    } finally {
      device.dispose();
    }
  },
});
