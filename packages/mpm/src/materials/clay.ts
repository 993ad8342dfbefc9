import { column, defineComponent, expm1, f32, traceOf } from '@gradsim/core';
import { material, POINT_COLUMNS, POINT_FIELDS } from '../material.ts';
import { henckyAfter } from '../tensors.ts';
import { lameOf, MODULI, pressureModulus } from './moduli.ts';
import { henckyStress, shortenStrain } from './plastic.ts';

/** A point of clay, plasticine or soft metal. Its `strain` is the elastic Hencky strain. */
export const ClayPoint = defineComponent(
  'clayPoints',
  {
    ...POINT_COLUMNS,
    ...MODULI,
    /** Tensile stress at which it yields, Pa. */
    yieldStress: column(f32, { unit: 'Pa', range: 'nonNegative' }),
  },
  POINT_FIELDS,
  { noun: 'clay point' },
);

const { youngsModulus, poissonRatio, yieldStress } = ClayPoint;

/**
 * Von Mises: |2 G dev(e)| <= sqrt(2/3) yieldStress, with stress of the Hencky strain e, and flow at constant volume.
 * Source: Simo, Hughes, Computational Inelasticity, 1998, chapter 9.
 */
export const clay = material({
  component: ClayPoint,
  columns: { youngsModulus, poissonRatio, yieldStress },
  stress: (strain, _, own) => henckyStress(strain, traceOf(strain), lameOf(own)),
  advance: (strain, step, own) =>
    shortenStrain(henckyAfter(strain, step), own.yieldStress.mul(Math.sqrt(2 / 3)).div(lameOf(own).G.mul(2))),
  growth: (strain) => expm1(traceOf(strain)),
  modulus: (own) => pressureModulus(lameOf(own)),
});
