import type { F32, Mat33 } from '@gradsim/core';
import { column, defineComponent, expm1, f32, max, min, sin, traceOf } from '@gradsim/core';
import { material, POINT_COLUMNS, POINT_FIELDS } from '../material.ts';
import { henckyAfter } from '../tensors.ts';
import { lameOf, MODULI, pressureModulus } from './moduli.ts';
import { henckyStress, shortenStrain } from './plastic.ts';

/**
 * A point of dry sand. Its `strain` is the elastic Hencky strain, and where its trace is above 0 it is by how much the
 * sand is looser than where its grains touch (the logarithm of the volume ratio), without stress.
 */
export const SandPoint = defineComponent(
  'sandPoints',
  {
    ...POINT_COLUMNS,
    ...MODULI,
    /** Angle of internal friction, rad. */
    frictionAngle: column(f32, {
      unit: 'rad',
      range: {
        requirement: 'be at least 0 and below pi / 2',
        isMet: ([angle]: readonly number[]) => angle >= 0 && angle < Math.PI / 2,
      },
    }),
  },
  POINT_FIELDS,
  { noun: 'sand point' },
);

const { youngsModulus, poissonRatio, frictionAngle } = SandPoint;

/** Volumetric strain under pressure, at most 0. */
const pressedStrain = (strain: Mat33): F32 => min(traceOf(strain), 0);

/**
 * Drucker-Prager: |2 G dev(e)| <= alpha (3 L + 2 G) (-tr e), alpha = sqrt(2/3) 2 sin(phi) / (3 - sin(phi)), with stress
 * of the Hencky strain e, and flow at constant volume. Sources: G. Klar et al., Drucker-Prager Elastoplasticity for Sand
 * Animation, 2016; A. P. Tampubolon et al., Multi-species simulation of porous sand and water mixtures, 2017 (sand that
 * was loosened takes pressure only when it has its volume again).
 */
export const sand = material({
  component: SandPoint,
  columns: { youngsModulus, poissonRatio, frictionAngle },
  stress: (strain, _, own) => henckyStress(strain, pressedStrain(strain), lameOf(own)),
  advance: (strain, step, own) => {
    const { G, L } = lameOf(own);
    const trial = henckyAfter(strain, step);
    const sine = sin(own.frictionAngle);
    const alpha = sine.mul(2 * Math.sqrt(2 / 3)).div(sine.neg().add(3));
    const pressure = max(trial.trace.neg(), 0).mul(L.mul(3).add(G.mul(2)));
    return shortenStrain(trial, alpha.mul(pressure).div(G.mul(2)));
  },
  growth: (strain) => expm1(traceOf(strain)),
  modulus: (own) => pressureModulus(lameOf(own)),
});
