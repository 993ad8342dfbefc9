import {
  cmaEs,
  coordinateAt,
  FilmLosses,
  type Point,
  REINFORCE_OF_THE_PAPER,
  REINFORCE_TUNED,
  randomSearch,
  reinforce,
  SimulationCount,
  statesOf,
  valueAt,
} from '@gradsim/baselines';
import type { Device } from '@gradsim/core';
import { FILM, type RigidScene, sceneModel } from '@gradsim/dataset';
import { filmModel } from '@gradsim/film';
import type { Estimate, Problem, SearchOptions } from '@gradsim/optim';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { boundsAtTruth } from '../bounds.ts';
import { FIELDS, type ObjectUnknown, parametersOf, RANGES } from '../objects/study.ts';

/** Estimate of one method from one film. */
export interface MethodFound {
  /** Values by unknown. */
  readonly values: Readonly<Record<string, number>>;
  /** Standard errors by unknown, and the verdict; null of methods that have none. */
  readonly sureness: {
    readonly standardErrors: Readonly<Record<string, number | null>>;
    readonly trusted: boolean;
  } | null;
  /** Simulations that the search took, whole films; null where they are not counted. */
  readonly simulations: number | null;
  /** Processor time, s. */
  readonly seconds: number;
}

/** Names of the methods that look at a film, or at states, of one object. */
export const METHODS = ['gradSim', 'DiffPhysics', 'REINFORCE', 'REINFORCE, tuned', 'CMA-ES', 'random search'] as const;
export type Method = (typeof METHODS)[number];

/** Results of all methods from the film of one object. */
export interface ObjectFound {
  readonly shape: string;
  readonly truth: Readonly<Record<string, number>>;
  /** A draw from the ranges: what the row "Random" says. */
  readonly random: Readonly<Record<string, number>>;
  /** Unknowns that a film of one grey level's noise determines to 1 %. */
  readonly determined: Readonly<Record<string, boolean>>;
  readonly methods: Readonly<Record<Method, MethodFound>>;
}

/**
 * Estimates unknowns of a held-out object by every method, all from the start that the table's own study draws. CMA-ES and random search take as many
 * simulations as the search by derivatives took.
 *
 * @param search how the search by derivatives goes about it.
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

  const byDerivatives = await estimated(problem, device);
  const states = await statesOf(model, timeline, [Body.position, Body.orientation], device);
  const byStates = await estimated({ ...problem, observations: states }, device);

  const ranged = unknowns.map((name) => ({ field: FIELDS[name], range: RANGES[name] }));
  const losses = await FilmLosses.of(model, film, ranged, device);
  const start = parameters.map(({ initial }, k) => coordinateAt(ranged[k].range, initial));
  const simulations = byDerivatives.simulations!;
  const { samples, steps } = REINFORCE_OF_THE_PAPER;
  /** Runs a search whose random numbers depend on the object alone. */
  const searched = async (
    seed: number,
    of: number,
    run: (random: () => number) => Promise<Point>,
  ): Promise<MethodFound> => {
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
        gradSim: byDerivatives,
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

async function estimated(problem: Problem, device: Device): Promise<MethodFound> {
  const journal = new SimulationCount(problem.parameters!.length);
  const began = process.cpuUsage();
  const { parameters, verdict } = await estimate(problem, { device, journal });
  const each = <T>(of: (parameter: Estimate['parameters'][string]) => T): Record<string, T> =>
    Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, of(parameter)]));
  return {
    values: each((parameter) => parameter.estimate),
    sureness: { standardErrors: each(({ standardError }) => standardError), trusted: verdict.trusted },
    simulations: journal.simulations,
    seconds: secondsSince(began),
  };
}

function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}
