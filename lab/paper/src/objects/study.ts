import { secondsSince } from '@gradsim/baselines';
import { contactOf } from '@gradsim/contact';
import { selectDevice } from '@gradsim/core';
import { FILM, type RigidScene, sceneModel } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import type { Estimate, ParameterSpec, SearchOptions } from '@gradsim/optim';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { defineStudy } from 'gradsim/study';
import { boundsAtTruth, isSure } from '../bounds.ts';
import type { Found } from '../row.ts';
import { HELD_OUT, sceneOf } from './held-out.ts';

/**
 * Ranges of true and initial values, as in the paper. `mass` is varied by the density, kg/m^3, since volumes are known.
 */
export const RANGES = { mass: [2, 12], ke: [1, 500], kd: [1, 500], kf: [1, 500], mu: [0.2, 1] } as const;
export type ObjectUnknown = keyof typeof RANGES;

const { ke, kd, kf, mu } = contactOf(Body);
export const FIELDS = { mass: Body.density, ke, kd, kf, mu } as const;
const UNITS = { mass: 'kg/m^3', ke: 'N/m', kd: 'N s/m', kf: 'N s/m', mu: '' } as const;

/** Settings of a trial. */
export interface Settings {
  /** Number of the held-out object, from 1. */
  readonly instance: number;
  readonly row: 'objects';
  /** Number of the sample in the dataset, from 0. */
  readonly sample: number;
}

/** Device and search of a study of held-out objects. */
export interface ObjectStudyOptions {
  /** Search options. Default: those of `estimate`. */
  readonly search?: SearchOptions;
  /** Device of film and estimate: `cpu` computes in single precision, `f64` in doubles. Default `cpu`. */
  readonly device?: 'cpu' | 'f64';
}

/**
 * Defines a study that estimates unknowns of the held-out objects from films with a known impulse, each from one
 * initial value drawn uniformly from the range of the true values.
 */
export const objectStudy = (
  unknowns: readonly ObjectUnknown[],
  { search, device: deviceName = 'cpu' }: ObjectStudyOptions = {},
) =>
  defineStudy({
    trials: ({ count = String(HELD_OUT.length) }) =>
      HELD_OUT.slice(0, Number(count)).map((sample, k): Settings => ({ instance: k + 1, row: 'objects', sample })),
    run: async ({ sample }): Promise<Found & Pick<Estimate, 'loss'> & { readonly shape: string }> => {
      const device = await selectDevice(deviceName, { threads: 1 });
      try {
        const scene = await sceneOf(sample);
        const model = sceneModel(scene);
        const film = await filmModel(model, { ...FILM, substeps: scene.substeps }, { device });
        const parameters = parametersOf(scene, unknowns, randomNumbers(5000 + sample));
        const { problem } = film.stage(model, {
          name: 'object',
          parameters,
          ...(search ? { options: { search } } : {}),
        });
        const began = process.cpuUsage();
        const found = await estimate(problem, { device });
        const seconds = secondsSince(began);
        const bounds = await boundsAtTruth(problem, device);
        const { trusted, findings } = found.verdict;
        const each = <T>(of: (name: string) => T): Record<string, T> =>
          Object.fromEntries(unknowns.map((name) => [name, of(name)]));
        return {
          row: 'objects',
          shape: scene.shape,
          errors: each((name) => Math.abs(found.parameters[name].estimate / found.parameters[name].truth! - 1)),
          determined: each((name) => Number(bounds[name].isDetermined)),
          named: each((name) => !trusted || !isSure(found.parameters[name])),
          trusted,
          findings: findings.map(({ note }) => note),
          loss: found.loss,
          seconds,
          parameters: found.parameters,
        };
      } finally {
        device.dispose();
      }
    },
  });

/** Unknowns of a scene, with their true values, and initial values drawn from the ranges. */
export function parametersOf(
  { density, material }: RigidScene,
  unknowns: readonly ObjectUnknown[],
  random: () => number,
): ParameterSpec[] {
  const truth = { mass: density, ...material };
  return unknowns.map((name) => {
    const [low, high] = RANGES[name];
    return {
      name,
      field: FIELDS[name],
      transform: 'log',
      range: [low, high],
      initial: low + (high - low) * random(),
      unit: UNITS[name],
      truth: truth[name],
    };
  });
}
