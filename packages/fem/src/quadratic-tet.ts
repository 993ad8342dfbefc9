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
    /** Shear modulus of the energy. */
    mu: column(f32, { unit: 'Pa', range: 'nonNegative' }),
    /** Resistance to changes of volume. */
    lambda: column(f32, { unit: 'Pa', range: 'positive' }),
    /** Kelvin-Voigt damping c on the Green strain: stress c F (F'^T F + F^T F'), F' the rate of F. Zero in rigid motions. */
    damping: column(f32, { default: 0, unit: 'Pa s', range: 'nonNegative' }),
    /** Actuation; positive values expand the element. */
    actuation: column(f32, { default: 0 }),
    /** Mass density; each corner gets 1/36 of the element's mass, each other node 4/27. */
    density: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
  },
  {
    /** dxi/dX of the rest shape at each of the four quadrature points. */
    restInverse0: computed(mat33, { unit: '1/m' }),
    restInverse1: computed(mat33, { unit: '1/m' }),
    restInverse2: computed(mat33, { unit: '1/m' }),
    restInverse3: computed(mat33, { unit: '1/m' }),
    /** Rest volume that belongs to each of them. */
    restVolume0: computed(f32, { unit: 'm^3' }),
    restVolume1: computed(f32, { unit: 'm^3' }),
    restVolume2: computed(f32, { unit: 'm^3' }),
    restVolume3: computed(f32, { unit: 'm^3' }),
    /** Output of `quadraticTetEnergy`, if that pass is added. */
    energy: computed(f32, { unit: 'J' }),
  },
  { noun: 'quadratic tetrahedron' },
);
