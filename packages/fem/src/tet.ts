import { column, computed, defineComponent, f32, mat33, reference } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

/**
 * A tetrahedron of stable neo-Hookean material between four particles. Its volume (x1 - x0) . ((x2 - x0) x (x3 - x0)) /
 * 6 in the rest shape must be positive.
 */
export const Tet = defineComponent(
  'tets',
  {
    vertices: reference(Particle, 4),
    /** Energy parameter mu, Pa: 4/3 of Lame's shear modulus G at small strain. */
    mu: column(f32, { unit: 'Pa', range: 'nonNegative' }),
    /** Energy parameter lambda, Pa: resistance to changes of volume, Lame's lambda plus 5/6 G at small strain. */
    lambda: column(f32, { unit: 'Pa', range: 'positive' }),
    /**
     * Kelvin-Voigt damping c on the Green strain, Pa s: stress c F (F'^T F + F^T F'), F' the rate of F; zero in rigid
     * motions.
     */
    damping: column(f32, { default: 0, unit: 'Pa s', range: 'nonNegative' }),
    /**
     * Actuation a, dimensionless: added to the volume ratio J that the energy prefers, so positive values expand the
     * element.
     */
    actuation: column(f32, { default: 0 }),
    /** Mass density, kg/m^3; each particle gets a quarter of the element's mass. */
    density: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
  },
  {
    /** Inverse of the matrix whose columns are the three edges from the first vertex in the rest shape, 1/m. */
    restInverse: computed(mat33, { unit: '1/m' }),
    restVolume: computed(f32, { unit: 'm^3' }),
    /** Elastic energy, J: output of `tetEnergy`, if that pass is added. */
    energy: computed(f32, { unit: 'J' }),
  },
  { noun: 'tetrahedron' },
);
