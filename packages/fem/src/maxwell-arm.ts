import type { F32, Mat33, Surroundings } from '@gradsim/core';
import {
  column,
  computed,
  defineComponent,
  expm1,
  f32,
  identity,
  mat33,
  reference,
  select,
  transpose,
} from '@gradsim/core';
import { Particle } from '@gradsim/particles';
import { QuadraticTet } from './quadratic-tet.ts';
import { Tet } from './tet.ts';

const ARM_COLUMNS = {
  /** Shear modulus of the arm's spring over that of the element, dimensionless. */
  ratio: column(f32, { range: 'nonNegative' }),
  /** Relaxation time tau of the arm, s: at constant strain its stress falls by a factor e in this time. */
  relaxationTime: column(f32, { unit: 's', range: 'positive' }),
} as const;

/**
 * A Maxwell arm of a linear tetrahedron: a spring and a dashpot in series, beside the element's own spring and damping.
 * An element with one arm is a standard linear solid, one with several a Prony series.
 */
export const TetArm = defineComponent(
  'tetArms',
  { element: reference(Tet), vertices: reference(Particle, 4), ...ARM_COLUMNS },
  {
    /** Part of the spring's strain that the past leaves, q - g E: {@link springStrain}. */
    past: computed(mat33),
  },
  { noun: 'Maxwell arm' },
);

/** A Maxwell arm of a quadratic tetrahedron, as a {@link TetArm} is of a linear one. */
export const QuadraticTetArm = defineComponent(
  'quadraticTetArms',
  { element: reference(QuadraticTet), nodes: reference(Particle, 10), ...ARM_COLUMNS },
  {
    /** Part of the spring's strain that the past leaves, at each of the four quadrature points: `past0` to `past3`. */
    past0: computed(mat33),
    past1: computed(mat33),
    past2: computed(mat33),
    past3: computed(mat33),
  },
  { noun: 'Maxwell arm' },
);

/** Material of a Maxwell arm, as values of the traced kernel. */
export interface ArmMaterial {
  /** Parameter mu of the element, Pa: 4/3 of its shear modulus. */
  readonly mu: F32;
  readonly ratio: F32;
  /** Relaxation time, s. */
  readonly relaxationTime: F32;
}

/** Green strain E = 1/2 (F^T F - 1). */
export const greenStrain = (F: Mat33): Mat33 => transpose(F).mul(F).sub(identity(3)).mul(0.5);

/*
 * The arm's spring has the strain q = E - (strain of its dashpot), with q' = E' - q / tau. While E changes at a constant
 * rate over a substep dt, h = dt / tau, exactly
 *
 *   q_n+1 = e^-h q_n + g (E_n+1 - E_n),  g = (1 - e^-h) / h,
 *
 * which is stable for every h: a spring for small h, nothing for large h (Simo, Hughes, Computational Inelasticity,
 * 1998, section 10.3, with the rate instead of the middle of the substep). Kept is `pastStrain`, p = q - g E, so that the
 * force is a function of the current strain: q = p + g E, and p_n+1 = e^-h q_n - g E_n = p_n + (e^-h - 1) q_n. It is 0
 * at the start: an initial shape that differs from the rest shape counts as strained within the substep before.
 */

/** Strain q of the arm's spring in the current shape, which a substep of duration dt led to. */
export const springStrain = (F: Mat33, pastStrain: Mat33, relaxationTime: F32, dt: F32): Mat33 =>
  pastStrain.add(greenStrain(F).mul(springShare(dt.div(relaxationTime))));

/** Part g of the strain of a substep by which the spring is strained. */
const springShare = (h: F32): F32 => expm1(h.neg()).neg().div(h);

type Durations = Pick<Surroundings, 'dt' | 'previousDt'>;

/** Returns the part of the spring's strain a substep later that is due to the past. */
export function nextPastStrain(F: Mat33, pastStrain: Mat33, relaxationTime: F32, { dt, previousDt }: Durations): Mat33 {
  const [h, before] = [dt.div(relaxationTime), previousDt.div(relaxationTime)];
  // Where the next substep has another duration, p = q - g E changes with g.
  const share = select(previousDt.eq(dt), f32(0), springShare(before).sub(springShare(h)));
  const kept = pastStrain.add(greenStrain(F).mul(share));
  return kept.add(springStrain(F, pastStrain, relaxationTime, previousDt).mul(expm1(h.neg())));
}

/** First Piola-Kirchhoff stress of an arm, F 2 G q, with the shear modulus of its spring G = ratio 3/4 mu. */
export const armStress = (F: Mat33, q: Mat33, { mu, ratio }: ArmMaterial): Mat33 =>
  F.mul(q).mul(mu.mul(ratio).mul(3 / 2));
