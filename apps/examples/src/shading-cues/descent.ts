import type { Device, Model } from '@gradsim/core';
import type { ModelFilm } from '@gradsim/film';
import { filmModel } from '@gradsim/film';
import type { Estimate, Stage } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import type { SceneRenderer } from '../scenes/renderers.ts';
import type { CueLook } from './thrown.ts';
import { randomThrown, THROW_TIMELINE, thrownModel } from './thrown.ts';

/** Options of the descent from a film with one look. */
export interface CueOptions {
  readonly renderer: SceneRenderer;
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  readonly iterations: number;
  /** Step in the logarithm of the mass per derivative of the mean squared pixel error with respect to it. */
  readonly learningRate: number;
}
export const CUE_DEFAULTS = { size: 32, iterations: 300, learningRate: 6 } as const;

/** Relative error below which a mass counts as found. */
export const MAX_FOUND_ERROR = 1e-3;

/**
 * Stage that estimates the mass of a thrown body from its film in one look, by plain gradient descent. The step size is
 * the same for all looks and seeds, so the number of steps shows how much a look tells about the mass. The film has no
 * mask.
 */
export async function cueStage(
  seed: number,
  look: CueLook,
  { renderer, size, iterations, learningRate }: CueOptions,
  device: Device,
): Promise<Stage> {
  const thrown = randomThrown(seed);
  const modelOf = (as: CueLook, exposure: number): Model => thrownModel(thrown, as, { renderer, size, exposure });
  const filmed = (model: Model): Promise<ModelFilm> => filmModel(model, THROW_TIMELINE, { device, hasAlpha: false });
  // As bright in the mean as by colour only: a loss of pixels is steeper the more they stand out from what is behind.
  const inLook = async (as: CueLook): Promise<number> => brightness((await filmed(modelOf(as, 1))).rgba);
  const exposure = look === 'color' ? 1 : (await inLook('color')) / (await inLook(look));
  const model = modelOf(look, exposure);
  const { mass: truth, start: initial } = thrown;
  return (await filmed(model)).stage(model, {
    name: look,
    parameters: [{ name: 'mass', field: Body.mass, transform: 'log', initial, truth }],
    options: {
      search: { method: 'sgd', momentum: 0, iterations, learningRate, tolerance: 0 },
      uncertainty: { standardErrors: true },
    },
  });
}

/** Mean value of red, green and blue over the pixels that the body covers fully. */
function brightness(film: Float64Array): number {
  const covered = film.filter((_, k) => film[k | 3] > 0.99);
  return covered.reduce((sum, value, k) => sum + (k % 4 === 3 ? 0 : value), 0) / covered.length;
}

/**
 * Result of a descent: relative error of the mass at each iteration, and the number of iterations after which the error
 * stays below {@link MAX_FOUND_ERROR}.
 */
export interface CueDescent {
  readonly errors: readonly number[];
  /** Number of iterations after which the mass stays found; null if it does not. */
  readonly iterations: number | null;
}

/** Runs the descent from the film with one look. */
export async function cueDescent(
  seed: number,
  look: CueLook,
  options: CueOptions,
  device: Device,
): Promise<CueDescent> {
  const { problem } = await cueStage(seed, look, options, device);
  return descentOf(await estimate(problem, { device }));
}

export function descentOf({ history, parameters }: Pick<Estimate, 'history' | 'parameters'>): CueDescent {
  const truth = parameters.mass.truth!;
  const errors = history.map(({ parameters: at }) => Math.abs(at.mass / truth - 1));
  const found = errors.findLastIndex((error) => !(error < MAX_FOUND_ERROR)) + 1;
  return { errors, iterations: found === errors.length ? null : found };
}
