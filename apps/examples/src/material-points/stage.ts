import { standardNormal } from '@gradsim/base';
import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import type { PointComponent } from '@gradsim/mpm';
import type { ParameterSpec, Stage } from '@gradsim/optim';
import { randomNumbers } from '@gradsim/optim';

/** A motion of material points in two dimensions, and the unknown that it depends on. */
export interface PointMotion {
  readonly of: PointComponent;
  /** Returns the model with a value of the unknown. */
  readonly modelOf: (value: number) => Model;
  readonly timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number };
  readonly parameter: ParameterSpec & { readonly truth: number };
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
