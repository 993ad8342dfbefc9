import { column, defineComponent, f32, traceOf, transpose } from '@gradsim/core';
import { material, POINT_COLUMNS, POINT_FIELDS } from '../material.ts';
import { growthOf, leftStrain, spherical } from '../tensors.ts';
import { lameOf, MODULI, pressureModulus } from './moduli.ts';

/** A point of a rubber-like body. Its `strain` is F - 1, with the deformation gradient F. */
export const ElasticPoint = defineComponent(
  'elasticPoints',
  {
    ...POINT_COLUMNS,
    ...MODULI,
    /** Viscosity of the strain's rate (Kelvin-Voigt), Pa s. */
    viscosity: column(f32, { default: 0, unit: 'Pa s', range: 'nonNegative' }),
  },
  POINT_FIELDS,
  { noun: 'elastic point' },
);

const { youngsModulus, poissonRatio, viscosity } = ElasticPoint;

/**
 * psi = mu/2 (Ic - 3) + lambda/2 (J - alpha)^2 - mu/2 log(Ic + 1), with mu = 4/3 G and lambda = L + 5/6 G, as in
 * `@gradsim/fem`: tau = mu (1 - 1/(Ic + 1)) F F^T + lambda (J - alpha) J. With B = F F^T - 1, t = tr B, j = J - 1 and
 * s = t / (4 (4 + t)) this is mu ((3/4 + s) B + s) + (lambda j (1 + j) - 3/4 mu j), in which nothing cancels at small
 * strain. Source: Smith, de Goes, Kim, Stable Neo-Hookean Flesh Simulation, 2018.
 */
export const elastic = material({
  component: ElasticPoint,
  columns: { youngsModulus, poissonRatio, viscosity },
  stress: (strain, rate, own) => {
    const { G, L } = lameOf(own);
    const [mu, lambda] = [G.mul(4 / 3), L.add(G.mul(5 / 6))];
    const B = leftStrain(strain);
    const t = traceOf(B);
    const s = t.div(t.add(4).mul(4));
    const j = growthOf(strain);
    const pressure = lambda.mul(j).mul(j.add(1)).sub(mu.mul(j).mul(0.75));
    const viscous = rate.add(transpose(rate)).mul(own.viscosity.mul(j.add(1)));
    return B.mul(mu.mul(s.add(0.75)))
      .add(spherical(mu.mul(s).add(pressure)))
      .add(viscous);
  },
  // F becomes (1 + step) F.
  advance: (strain, step) => strain.add(step).add(step.mul(strain)),
  growth: growthOf,
  modulus: (own) => pressureModulus(lameOf(own)),
  viscosity: ({ viscosity }) => viscosity.mul(2),
});
