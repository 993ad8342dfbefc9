import { standardNormal } from '@gradsim/base';
import type { Device, Model, Plugin } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { CoverageOptions, PointComponent } from '@gradsim/mpm';
import { Coverage, coverage, coverageOf } from '@gradsim/mpm';
import type { ParameterSpec, Stage } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';
import { filmOf } from './film.ts';

/** A motion of material points in two dimensions, and the unknown that it depends on. */
export interface PointMotion {
  readonly of: PointComponent;
  /** Returns the model with a value of the unknown, and more plugins; `distance` of its points at first, m. */
  readonly modelOf: (value: number, more?: readonly Plugin[], distance?: number) => Model;
  readonly timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number };
  readonly parameter: ParameterSpec & { readonly initial: number; readonly truth: number };
  /** Distance between points of the estimate's model at first, m. */
  readonly distance: number;
  /** Cells in which a film is compared. */
  readonly picture: CoverageOptions;
}

/** Standard deviation of observed positions, m. */
const NOISE = 5e-4;

/** Returns the stage that finds the unknown from the points' positions in every frame, made with its truth and noise. */
export async function stageOf(motion: PointMotion, seed: number, device: Device): Promise<Stage> {
  const { of, modelOf, timeline, parameter } = motion;
  const { position } = of;
  const simulation = await createSimulation(modelOf(parameter.truth), { device, ...timeline, record: [position] });
  simulation.forward();
  const seen = await simulation.readFrames(position);
  simulation.dispose();
  const random = randomNumbers(seed);
  const target = Float64Array.from(seen, (x, k) => (k % 3 === 2 ? x : x + NOISE * standardNormal(random)));
  return {
    name: parameter.name,
    problem: {
      model: modelOf(parameter.initial),
      ...timeline,
      parameters: [parameter],
      // z plays no part.
      observations: [{ field: position, target, noise: NOISE, weights: [1, 1, 0] }],
      options: { search: { horizons: [0.4, 1] } },
    },
  };
}

/** Pixels of a film along a cell, and the standard deviation of their noise, black to white. */
const PIXELS = 5;
const PIXEL_NOISE = 0.3;
/** Standard deviation of what points and a drawn surface differ by in a cell. */
const DRAWING = 0.02;

/** Factor by which points of a filmed body are closer to one another than those of the model. */
const FINER = 3;
/** Radius of a metaball, in distances between points of the model: wider ones round the thin rim of a drop off. */
const REACH = 1.2;

/** Returns the stage that finds the unknown from a noisy film of the motion with its truth. */
export async function filmStageOf(motion: PointMotion, seed: number, device: Device): Promise<Stage> {
  const { of, modelOf, timeline, parameter, distance, picture } = motion;
  const { size, spacing, origin = [0, 0] } = picture;
  const body = modelOf(parameter.truth, [], distance / FINER);
  const simulation = await createSimulation(body, { device, ...timeline, record: [of.position] });
  simulation.forward();
  const seen = await simulation.readFrames(of.position);
  const points = simulation.model.domain(of.domain).size;
  simulation.dispose();
  const drawn = { points, distance: distance / FINER, reach: REACH * distance };
  const film = filmOf(seen, drawn, {
    left: origin[0] - spacing / 2,
    top: origin[1] + (size[1] - 0.5) * spacing,
    width: size[0] * PIXELS,
    height: size[1] * PIXELS,
    pixel: spacing / PIXELS,
    noise: PIXEL_NOISE,
    seed,
  });
  // The spline's weights, squared, sum to (11/20)^2.
  const noise = Math.hypot(((PIXEL_NOISE / PIXELS) * 11) / 20, DRAWING);
  return {
    name: parameter.name,
    problem: {
      model: modelOf(parameter.initial, [coverage(picture)]),
      ...timeline,
      parameters: [parameter],
      // What a drawn surface differs by is common to neighbouring cells: it does not show as scatter.
      observations: [{ field: Coverage.share, ...coverageOf(film, picture), noise, leastShare: 1 }],
      options: { search: { horizons: [0.4, 1] } },
    },
  };
}
