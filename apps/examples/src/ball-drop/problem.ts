import { outlineObservation } from '@gradsim/film';
import type { ExperimentContext, ParameterSpec, Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import type { Footage } from './footage.ts';
import { FRAME_RATE } from './footage.ts';
import { dropModel, substepsPerFrame } from './model.ts';
import { dropParameters, LEAD_FRAMES } from './parameters.ts';
import { TOUCHDOWN, touchdown } from './touchdown.ts';

/**
 * Standard deviation of the ball's centre due to camera motion that stabilising leaves, px of the half-size picture.
 */
const POSITION_UNCERTAINTY = 0.25;

/**
 * Estimation problem of the fall, until the ball touches the floor.
 *
 * @param gravity initial value of gravity, m/s^2.
 */
export const fallProblem = (footage: Footage, gravity: number): Problem =>
  dropProblem(footage, false, dropParameters(gravity, false));

/**
 * Estimation problem of the whole drop, which starts at the estimate of the fall: from further away, the bounce would
 * compensate a wrong fall.
 */
export async function reboundProblem(
  footage: Footage,
  gravity: number,
  { device, log }: Pick<ExperimentContext, 'device' | 'log'>,
): Promise<Problem> {
  const { parameters } = await estimate(fallProblem(footage, gravity), { device });
  log(`the fall alone: gravity ${parameters.gravity.estimate.toFixed(2)} m/s^2`);
  const starts = dropParameters(gravity, true).map((spec) =>
    spec.name in parameters ? { ...spec, start: parameters[spec.name].estimate } : spec,
  );
  return dropProblem(footage, true, starts);
}

function dropProblem({ seen }: Footage, hasFloor: boolean, parameters: readonly ParameterSpec[]): Problem {
  const frames = hasFloor ? LEAD_FRAMES + seen.length : TOUCHDOWN + 1;
  const shown = Array.from({ length: frames }, (_, frame) => seen[frame - LEAD_FRAMES]);
  return {
    model: dropModel(hasFloor),
    frames,
    frameRate: FRAME_RATE,
    substeps: substepsPerFrame(hasFloor),
    parameters,
    observations: [
      // Sizes do not count: how red the ball is depends on the light.
      { ...outlineObservation(shown, { hasSizes: false }), noise: POSITION_UNCERTAINTY },
      ...(hasFloor ? [] : [touchdown()]),
    ],
    options: { search: { iterations: 100 } },
  };
}
