import { mean } from '@gradsim/base';
import { selectDevice } from '@gradsim/core';
import { SHAPE_NAMES, type ShapeName } from '@gradsim/dataset';
import { defineStudy } from 'gradsim/study';
import { HELD_OUT, sceneOf, trainingScenesOf } from '../objects/held-out.ts';
import type { ObjectStudyOptions, ObjectUnknown } from '../objects/study.ts';
import { type ObjectFound, tryMethods } from './methods.ts';

/** Settings of a trial: one held-out object, or all training objects of a shape. */
export type Settings =
  | { readonly instance: number; readonly row: 'objects'; readonly sample: number }
  | { readonly instance: 1; readonly row: 'training'; readonly shape: ShapeName };

/** Mean of each unknown over the training objects of a shape. */
export interface TrainingFound {
  readonly objects: number;
  readonly means: Readonly<Record<string, number>>;
}

/**
 * Defines the study of the comparison methods for a table of held-out objects.
 *
 * @param options device of all methods, and search options of the gradient-based ones.
 */
export const baselineStudy = (
  unknowns: readonly ObjectUnknown[],
  { search, device: deviceName = 'cpu' }: ObjectStudyOptions = {},
) =>
  defineStudy({
    trials: ({ count = String(HELD_OUT.length) }): Settings[] => [
      ...SHAPE_NAMES.map((shape) => ({ instance: 1, row: 'training', shape }) as const),
      ...HELD_OUT.slice(0, Number(count)).map((sample, k) => ({ instance: k + 1, row: 'objects', sample }) as const),
    ],
    run: async (settings): Promise<ObjectFound | TrainingFound> => {
      if (settings.row === 'training') {
        const scenes = await trainingScenesOf(settings.shape);
        const truths = scenes.map(({ density, material }) => ({ mass: density, ...material }));
        const means = unknowns.map((name) => [name, mean(truths.map((truth) => truth[name]))]);
        return { objects: scenes.length, means: Object.fromEntries(means) };
      }
      const device = await selectDevice(deviceName, { threads: 1 });
      try {
        return await tryMethods(settings.sample, await sceneOf(settings.sample), unknowns, search, device);
      } finally {
        device.dispose();
      }
    },
  });
