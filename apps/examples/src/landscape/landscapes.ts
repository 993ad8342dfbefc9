import { mean } from '@gradsim/base';
import type { Device, Model } from '@gradsim/core';
import { Tet } from '@gradsim/fem';
import { randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { between } from '../scenes/draws.ts';
import { randomRotation } from '../scenes/random-toss.ts';
import { RENDERERS } from '../scenes/renderers.ts';
import type { Toss } from '../scenes/tossed.ts';
import { TOSS_TIMELINE, tossModel } from '../scenes/tossed.ts';
import { beamModel, SWING } from '../soft/beam.ts';
import { SAMPLE } from '../toss/scene.ts';
import type { Point } from './sweep.ts';
import { normalisedLosses, pointLosses, sweepLosses } from './sweep.ts';

/** Loss as a function of a parameter, scaled to a maximum of 1, with the name that the paper's data use. */
export interface LossCurve {
  readonly name: string;
  readonly values: readonly number[];
  readonly losses: readonly number[];
}

export interface Landscape {
  readonly title: string;
  readonly unit: string;
  readonly truth: number;
  readonly curves: readonly LossCurve[];
}

/** Evenly spaced numbers from `low` to `high`, both included. */
const evenlySpaced = (low: number, high: number, count: number): number[] =>
  Array.from({ length: count }, (_, k) => low + ((high - low) * k) / (count - 1));

/** Indices of the frames that each loss curve uses, by the names of the published curves. */
const COMPARED_FRAMES: Readonly<Record<string, (count: number) => number[]>> = {
  losses_skip1: (count) => [...Array(count).keys()],
  losses_skip5: (count) => [...Array(count).keys()].filter((k) => k % 5 === 0),
  losses_first_and_mid: (count) => [0, Math.floor(count / 2)],
  losses_first_and_last: (count) => [0, count - 1],
};

/**
 * Loss as a function of the mass of a box that is pushed with a known impulse in the air and falls for 0.8 s, from all
 * frames or some of them. It does not reach the ground, where the beginning of each contact would make a step in the
 * loss.
 *
 * @param seed of orientation, spin and impulse; 0 for fixed ones.
 */
export async function massLandscape(device: Device, points: number, seed = 0): Promise<Landscape> {
  const truth = 1;
  const model = tossModel({
    ...SAMPLE,
    mass: truth,
    position: [-0.5, 4.5, 0],
    impulse: [0.5, 0.4, 0.1],
    ...(seed === 0 ? {} : randomPush(seed)),
    camera: { target: [0, 3.2, 0], distance: 9, elevation: 0.2, azimuth: 0.25 },
    size: 48,
  });
  const frames = 25;
  const values = evenlySpaced(0.1, 5, points);
  const [losses] = await sweepLosses(model, { ...TOSS_TIMELINE, frames }, [{ field: Body.mass, values }], device);
  const curves = Object.entries(COMPARED_FRAMES).map(([name, chosen]) => ({
    name,
    values,
    losses: normalisedLosses(losses, chosen(frames)),
  }));
  return { title: 'Mass of a box pushed in the air', unit: 'kg', truth, curves };
}

/** Orientation, spin and impulse of the box, drawn from a seed. */
function randomPush(seed: number): Pick<Toss, 'orientation' | 'angularVelocity' | 'impulse'> {
  const random = randomNumbers(seed);
  return {
    orientation: randomRotation(random),
    angularVelocity: [0, 1, 2].map(() => between(random, -1, 1)),
    impulse: [between(random, 0.3, 0.7), between(random, 0.2, 0.6), between(random, -0.2, 0.2)],
  };
}

/** True value of mu and of lambda of the hanging beam, Pa. */
export const BEAM_TRUTH = 1000;

/** The hanging beam of the landscapes over mu and lambda; the seed draws its paint and moves the camera around it. */
const landscapeBeam = (seed: number): Model =>
  beamModel(
    { cells: [10, 2, 2], size: [1, 0.2, 0.2], density: 1, mu: BEAM_TRUTH, lambda: BEAM_TRUTH },
    {
      target: [0, -0.3, 0],
      distance: 1.9,
      elevation: 0.3,
      azimuth: seed === 1 ? 0.3 : between(randomNumbers(seed), -0.6, 0.6),
      fieldOfView: 0.7,
    },
    { size: 48, renderer: RENDERERS.softras, seed },
  );

/**
 * Losses of the hanging beam at one mu, Pa, and each of the given values of lambda, Pa: the mean over all frames.
 */
export async function beamMapRow(device: Device, mu: number, lambdas: readonly number[]): Promise<number[]> {
  const points = lambdas.map(
    (lambda): Point => [
      { field: Tet.mu, value: mu },
      { field: Tet.lambda, value: lambda },
    ],
  );
  const losses = await pointLosses(landscapeBeam(1), SWING, points, device);
  return lambdas.map((_, k) => mean(losses.map((ofFrame) => ofFrame[k])));
}

/**
 * Loss of a hanging beam as a function of mu, and as one of lambda, with the other at its true value of 1000, as in the
 * paper.
 *
 * @param seed of its paint and of the camera's place around it.
 */
export async function beamLandscape(device: Device, points: number, seed = 1): Promise<Landscape> {
  const truth = BEAM_TRUTH;
  const model = landscapeBeam(seed);
  const values = evenlySpaced(50, 1490, points);
  const fields = { kmu: Tet.mu, klambda: Tet.lambda };
  const swept = await sweepLosses(
    model,
    SWING,
    Object.values(fields).map((field) => ({ field, values })),
    device,
  );
  const all = [...Array(SWING.frames).keys()];
  const curves = Object.keys(fields).map((name, k) => ({
    name,
    values,
    losses: normalisedLosses(swept[k], all),
  }));
  return { title: 'mu and lambda of a hanging beam', unit: 'Pa', truth, curves };
}

/**
 * Number of steps along a curve in which the loss rises towards the truth: 0 if gradient descent works from everywhere.
 */
export function risesTowardsTruth({ values, losses }: LossCurve, truth: number): number {
  return values.slice(1).filter((value, k) => {
    const [from, to] = value <= truth ? [losses[k], losses[k + 1]] : [losses[k + 1], losses[k]];
    return (value <= truth || values[k] >= truth) && to > from;
  }).length;
}
