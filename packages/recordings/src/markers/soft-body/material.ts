import type { ParameterSpec } from '@gradsim/optim';

/** Material that estimates start from, or that is known. */
export interface SoftMaterial {
  /** Young's modulus, Pa. */
  readonly youngsModulus: number;
  /** Viscosity of the dashpot over the shear modulus, s: its damping c is 3/4 mu times this, Pa s. */
  readonly dashpot: number;
  /** Shear modulus of a Maxwell arm over that of the body; 0 for none. */
  readonly armRatio: number;
  /** Relaxation time of that arm, s. */
  readonly relaxationTime: number;
  /** Poisson's ratio. */
  readonly poissonRatio: number;
}

/**
 * Relaxation time of the arm that stands for the dashpot, s. Below 30 Hz it is Kelvin-Voigt damping within (omega tau)^2
 * = 1 %; explicit substeps need not resolve its viscosity, which grows with frequency without bound.
 */
export const DASHPOT_TIME = 5e-4;

/** Search of each parameter of a material. */
export const MATERIAL: Readonly<
  Record<keyof SoftMaterial, Pick<ParameterSpec, 'transform' | 'range' | 'unit' | 'scale'>>
> = {
  youngsModulus: { transform: 'log', range: [1e3, 1e8], scale: 0.3, unit: 'Pa' },
  dashpot: { transform: 'log', range: [1e-6, 0.05], scale: 1, unit: 's' },
  armRatio: { transform: 'log', range: [1e-3, 5], scale: 1, unit: '' },
  relaxationTime: { transform: 'log', range: [2e-3, 2], scale: 1, unit: 's' },
  poissonRatio: { transform: 'bounded', range: [0.3, 0.497], scale: 1, unit: '' },
};
