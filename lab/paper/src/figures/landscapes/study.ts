import { secondsSince } from '@gradsim/baselines';
import { selectDevice } from '@gradsim/core';
import type { LossCurve } from '@gradsim/examples';
import { BEAM_TRUTH, beamLandscape, beamMapRow } from '@gradsim/examples';
import { defineStudy, seeds } from 'gradsim/study';
import { type MassFound, massCurves } from './mass-curves.ts';

/** Settings of a trial: a landscape over the mass, curves over mu and lambda, or a row of the map over both. */
export interface Settings {
  readonly part: 'mass' | 'beam' | 'map';
  /** Seed; the map has only one. */
  readonly instance: number;
  /** Value of mu of a row of the map, Pa. */
  readonly mu?: number;
}

/** Result of a trial of curves over mu and lambda. */
export interface BeamFound {
  readonly curves: readonly LossCurve[];
  readonly seconds: number;
}

/** Result of a row of the map: the loss at each lambda of {@link MODULI}. */
export interface MapFound {
  readonly losses: readonly number[];
  readonly seconds: number;
}

export type Found = MassFound | BeamFound | MapFound;

/** Values of mu and of lambda of the map, Pa: six an octave, from 50 to 2000, the truth among them. */
export const MODULI = Array.from({ length: 33 }, (_, k) => BEAM_TRUTH * 2 ** ((k - 26) / 6));
/** Number of values of curves over mu and lambda: 50 to 1490 Pa in steps of 15. */
const POINTS = 97;
/** At most so many seeds of the beam's curves, each of which takes as long as twenty of the mass. */
const BEAMS = 5;

/** Study of loss landscapes: over the mass, over mu and lambda alone, and over both. */
export default defineStudy({
  trials: ({ count = '20' }): Settings[] => [
    ...seeds(Number(count)).map((instance): Settings => ({ part: 'mass', instance })),
    ...seeds(Math.min(Number(count), BEAMS)).map((instance): Settings => ({ part: 'beam', instance })),
    ...MODULI.map((mu): Settings => ({ part: 'map', instance: 1, mu })),
  ],
  run: async ({ part, instance, mu = 0 }): Promise<Found> => {
    if (part === 'mass') return massCurves(instance);
    const device = await selectDevice('cpu', { threads: 1 });
    try {
      const began = process.cpuUsage();
      if (part === 'map') {
        const losses = await beamMapRow(device, mu, MODULI);
        return { losses, seconds: secondsSince(began) };
      }
      const { curves } = await beamLandscape(device, POINTS, instance);
      return { curves, seconds: secondsSince(began) };
    } finally {
      device.dispose();
    }
  },
});
