import { mean } from '@gradsim/base';
import type { Estimate } from '@gradsim/optim';
import { randomBall } from './ball.ts';
import { randomBeam } from './beam.ts';
import { randomCloth } from './cloth.ts';
import type { FilmOptions, SoftInstance } from './instance.ts';
import { randomMasses } from './mass.ts';

export type SoftKind = 'beam' | 'ball' | 'mass' | 'cloth';

/** Kinds of random instances: for each, how to draw one, its picture size in pixels, and its errors. */
export const SOFT_KINDS: Readonly<
  Record<
    SoftKind,
    {
      readonly draw: (seed: number, options: FilmOptions) => SoftInstance;
      readonly size: number;
      /** Relative errors, by name, of an estimate whose parameters have true values. */
      readonly errors: (estimate: Estimate) => Readonly<Record<string, number>>;
    }
  >
> = {
  beam: { draw: randomBeam, size: 48, errors: elasticityErrors },
  ball: { draw: randomBall, size: 48, errors: elasticityErrors },
  mass: { draw: randomMasses, size: 32, errors: massErrors },
  cloth: { draw: randomCloth, size: 24, errors: velocityErrors },
};

/** Relative errors |estimate - truth| / truth of all parameters. */
function relativeErrors(estimate: Estimate): number[] {
  return Object.values(estimate.parameters).map((p) => Math.abs(p.estimate / p.truth! - 1));
}

function elasticityErrors(estimate: Estimate): Record<string, number> {
  const [mu, lambda] = relativeErrors(estimate);
  return { mu, lambda };
}

/** Mean over particles of |m - m*| / m*, where m* is the true mass, and the largest. */
function massErrors(estimate: Estimate): Record<string, number> {
  const errors = relativeErrors(estimate);
  return { mass: mean(errors), worstMass: Math.max(...errors) };
}

/**
 * Mean over particles of |v - v*| / |v*|, where v* is the true velocity, and the largest. Parameters are the components
 * x, y, z of each particle in turn.
 */
function velocityErrors(estimate: Estimate): Record<string, number> {
  const values = Object.values(estimate.parameters);
  const errors: number[] = [];
  for (let k = 0; k < values.length; k += 3) {
    const own = values.slice(k, k + 3);
    errors.push(Math.hypot(...own.map((p) => p.estimate - p.truth!)) / Math.hypot(...own.map((p) => p.truth!)));
  }
  return { velocity: mean(errors), worstVelocity: Math.max(...errors) };
}
