import {
  cmaEs,
  coordinateAt,
  FilmLosses,
  type MeasuredEstimate,
  measure,
  type Point,
  REINFORCE_OF_THE_PAPER,
  REINFORCE_TUNED,
  randomSearch,
  reinforce,
  secondsSince,
  statesOf,
  valueAt,
} from '@gradsim/baselines';
import type { Device } from '@gradsim/core';
import { FILM, type RigidScene, sceneModel } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import type { SearchOptions } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { boundsAtTruth } from '../bounds.ts';
import { FIELDS, type ObjectUnknown, parametersOf, RANGES } from '../objects/study.ts';

/** Names of the methods that estimate from the film, or from the states, of a single object. */
export const METHODS = ['gradsim', 'DiffPhysics', 'REINFORCE', 'REINFORCE, tuned', 'CMA-ES', 'random search'] as const;
export type Method = (typeof METHODS)[number];

/** Estimates of all methods for one object. */
export interface ObjectFound {
  readonly shape: string;
  readonly truth: Readonly<Record<string, number>>;
  /** Random value of each unknown, uniform in its range, for the row "Random". */
  readonly random: Readonly<Record<string, number>>;
  /** For each unknown, true if a film with noise of one grey level determines it to 1 %. */
  readonly determined: Readonly<Record<string, boolean>>;
  readonly methods: Readonly<Record<Method, MeasuredEstimate>>;
}

/**
 * Estimates unknowns of a held-out object by every method, from the initial values that the table's own study draws.
 * CMA-ES and random search get as many simulations as the gradient-based search needed.
 *
 * @param search options of the gradient-based search.
 */
export async function tryMethods(
  sample: number,
  scene: RigidScene,
  unknowns: readonly ObjectUnknown[],
  search: SearchOptions | undefined,
  device: Device,
): Promise<ObjectFound> {
  const model = sceneModel(scene);
  const timeline = { ...FILM, substeps: scene.substeps };
  const film = await filmModel(model, timeline, { device });
  const parameters = parametersOf(scene, unknowns, randomNumbers(5000 + sample));
  const { problem } = film.stage(model, { name: 'object', parameters, ...(search ? { options: { search } } : {}) });
  const bounds = await boundsAtTruth(problem, device);

  const byDerivatives = await measure(problem, device);
  const states = await statesOf(model, timeline, [Body.position, Body.orientation], device);
  const byStates = await measure({ ...problem, observations: states }, device);

  const ranged = unknowns.map((name) => ({ field: FIELDS[name], range: RANGES[name] }));
  const losses = await FilmLosses.of(model, film, ranged, device);
  const start = parameters.map(({ initial }, k) => coordinateAt(ranged[k].range, initial));
  const simulations = byDerivatives.simulations;
  const { samples, steps } = REINFORCE_OF_THE_PAPER;
  /** Runs a search with random numbers that depend only on the object and `seed`. */
  const searched = async (
    seed: number,
    of: number,
    run: (random: () => number) => Promise<Point>,
  ): Promise<MeasuredEstimate> => {
    const began = process.cpuUsage();
    const point = await run(randomNumbers(seed + sample));
    const values = Object.fromEntries(unknowns.map((name, k) => [name, valueAt(RANGES[name], point[k])]));
    return { values, sureness: null, simulations: of, seconds: secondsSince(began) };
  };
  try {
    const random = randomNumbers(6000 + sample);
    return {
      shape: scene.shape,
      truth: Object.fromEntries(parameters.map(({ name, truth }) => [name, truth!])),
      random: Object.fromEntries(unknowns.map((name) => [name, valueAt(RANGES[name], random())])),
      determined: Object.fromEntries(unknowns.map((name) => [name, bounds[name].isDetermined])),
      methods: {
        gradsim: byDerivatives,
        DiffPhysics: byStates,
        REINFORCE: await searched(7000, samples * steps, (random) =>
          reinforce(losses, { ...REINFORCE_OF_THE_PAPER, start, random }),
        ),
        'REINFORCE, tuned': await searched(8000, REINFORCE_TUNED.samples * REINFORCE_TUNED.steps, (random) =>
          reinforce(losses, { ...REINFORCE_TUNED, start, random }),
        ),
        'CMA-ES': await searched(
          9000,
          simulations,
          async (random) => (await cmaEs(losses, { simulations, start, random })).point,
        ),
        'random search': await searched(
          10_000,
          simulations,
          async (random) => (await randomSearch(losses, { simulations, start, random })).point,
        ),
      },
    };
  } finally {
    losses.dispose();
  }
}
