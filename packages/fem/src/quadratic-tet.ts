import { column, defineComponent, f32, made, mat33, reference } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

/**
 * A quadratic tetrahedron of stable neo-Hookean material: four corners of positive volume, as of a `Tet`, then the nodes in the
 * middle of its edges 01, 12, 02, 03, 13, 23. It bends without locking, where a `Tet`, of constant strain, is too stiff.
 */
export const QuadraticTet = defineComponent(
  'quadraticTets',
  {
    nodes: reference(Particle, 10),
    /** Resistance to shear. */
    mu: column(f32, { unit: 'Pa', range: 'nonNegative' }),
    /** Resistance to changes of volume. */
    lambda: column(f32, { unit: 'Pa', range: 'positive' }),
    /** Kelvin-Voigt, on the Green strain. */
    damping: column(f32, { default: 0, unit: 'Pa s', range: 'nonNegative' }),
    /** Positive expands the element. */
    actuation: column(f32, { default: 0 }),
    /** Gives 1/36 of the element's mass to each corner, 4/27 to each other node. */
    density: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
  },
  {
    /** dxi/dX of the rest shape at each of the four points of quadrature. */
    restInverse0: made(mat33, { unit: '1/m' }),
    restInverse1: made(mat33, { unit: '1/m' }),
    restInverse2: made(mat33, { unit: '1/m' }),
    restInverse3: made(mat33, { unit: '1/m' }),
    /** The part of the rest volume at each of them. */
    restVolume0: made(f32, { unit: 'm^3' }),
    restVolume1: made(f32, { unit: 'm^3' }),
    restVolume2: made(f32, { unit: 'm^3' }),
    restVolume3: made(f32, { unit: 'm^3' }),
    /** Of `quadraticTetEnergy`, where that is added. */
    energy: made(f32, { unit: 'J' }),
  },
);
