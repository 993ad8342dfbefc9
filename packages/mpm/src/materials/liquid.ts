import { column, defineComponent, expm1, f32, log1p, mat33, traceOf, transpose } from '@gradsim/core';
import { material, POINT_COLUMNS, POINT_FIELDS } from '../material.ts';
import { deviator, spherical } from '../tensors.ts';

/** A point of a weakly compressible liquid. The first entry of its `strain` is J - 1, with the volume ratio J. */
export const LiquidPoint = defineComponent(
  'liquidPoints',
  {
    ...POINT_COLUMNS,
    /** K, Pa: with ten times the highest speed as the speed of sound sqrt(K / density), volumes change by 1 %. */
    bulkModulus: column(f32, { unit: 'Pa', range: 'positive' }),
    /** Pa s. */
    viscosity: column(f32, { default: 0, unit: 'Pa s', range: 'nonNegative' }),
  },
  POINT_FIELDS,
  { noun: 'liquid point' },
);

/** Exponent gamma of water. */
const WATER_EXPONENT = 7;

const { bulkModulus, viscosity } = LiquidPoint;

/**
 * tau = J (mu (C + C^T - 2/3 tr C) - p), with the pressure p = K / gamma (J^-gamma - 1), gamma = 7, and the gradient C
 * of the velocity; J' = J tr C. Source: J. J. Monaghan, Simulating Free Surface Flows with SPH, 1994 (the pressure).
 */
export const liquid = material({
  component: LiquidPoint,
  columns: { bulkModulus, viscosity },
  stress: ({ entries: [j] }, rate, { bulkModulus, viscosity }) => {
    const pressure = bulkModulus.mul(expm1(log1p(j).mul(-WATER_EXPONENT))).div(WATER_EXPONENT);
    const viscous = deviator(rate.add(transpose(rate))).mul(viscosity);
    return viscous.sub(spherical(pressure)).mul(j.add(1));
  },
  advance: ({ entries: [j] }, step) => mat33(j.add(traceOf(step).mul(j.add(1))), 0, 0, 0, 0, 0, 0, 0, 0),
  growth: ({ entries: [j] }) => j,
  modulus: ({ bulkModulus }) => bulkModulus,
  viscosity: ({ viscosity }) => viscosity.mul(2),
});
