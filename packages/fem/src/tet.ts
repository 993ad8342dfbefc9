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
    /** Shear modulus of the energy. */
    mu: column(f32, { unit: 'Pa', range: 'nonNegative' }),
    /** Resistance to changes of volume. */
    lambda: column(f32, { unit: 'Pa', range: 'positive' }),
    /** Kelvin-Voigt damping c on the Green strain: stress c F (F'^T F + F^T F'), F' the rate of F. Zero in rigid motions. */
    damping: column(f32, { default: 0, unit: 'Pa s', range: 'nonNegative' }),
    /** Actuation; positive values expand the element. */
    actuation: column(f32, { default: 0 }),
    /** Mass density; each particle gets a quarter of the element's mass. */
    density: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
  },
  {
    /** Inverse of the matrix of its edges in the rest shape. */
    restInverse: computed(mat33, { unit: '1/m' }),
    restVolume: computed(f32, { unit: 'm^3' }),
    /** Output of `tetEnergy`, if that pass is added. */
    energy: computed(f32, { unit: 'J' }),
  },
  { noun: 'tetrahedron' },
);
