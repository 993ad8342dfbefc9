import { column, computed, defineComponent, f32, mat33, reference } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

/**
 * A quadratic tetrahedron of stable neo-Hookean material: four corners of positive volume, as of a `Tet`, then the
 * nodes in the middle of its edges 01, 12, 02, 03, 13, 23. It bends without locking, where a `Tet`, of constant strain,
 * is too stiff.
 */
export const QuadraticTet = defineComponent(
  'quadraticTets',
  {
    nodes: reference(Particle, 10),
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
    /** Mass density, kg/m^3; each corner gets 1/36 of the element's mass, each mid-edge node 4/27. */
    density: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
  },
  {
    /**
     * dxi/dX of the rest shape, 1/m: a matrix for each of the four quadrature points, `restInverse0` to `restInverse3`.
     */
    restInverse0: computed(mat33, { unit: '1/m' }),
    restInverse1: computed(mat33, { unit: '1/m' }),
    restInverse2: computed(mat33, { unit: '1/m' }),
    restInverse3: computed(mat33, { unit: '1/m' }),
    /** Rest volume that belongs to each quadrature point, m^3: `restVolume0` to `restVolume3`. */
    restVolume0: computed(f32, { unit: 'm^3' }),
    restVolume1: computed(f32, { unit: 'm^3' }),
    restVolume2: computed(f32, { unit: 'm^3' }),
    restVolume3: computed(f32, { unit: 'm^3' }),
    /** Elastic energy, J: output of `quadraticTetEnergy`, if that pass is added. */
    energy: computed(f32, { unit: 'J' }),
  },
  { noun: 'quadratic tetrahedron' },
);
