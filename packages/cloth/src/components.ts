import { column, computed, defineComponent, f32, mat22, reference, vec3 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

/** A triangle of membrane between three particles, with air on both sides. */
export const Triangle = defineComponent(
  'triangles',
  {
    vertices: reference(Particle, 3),
    /** Energy parameter mu, N/m: resistance to shear in the plane. */
    mu: column(f32, { unit: 'N/m', range: 'nonNegative' }),
    /** Energy parameter lambda, N/m: resistance to changes of area. */
    lambda: column(f32, { unit: 'N/m', range: 'positive' }),
    /**
     * Kelvin-Voigt damping c on the Green strain, N s/m: stress c F (F'^T F + F^T F'), F' the rate of F; zero in rigid
     * motions.
     */
    damping: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
    /**
     * Actuation a, dimensionless: added to the area ratio J that the energy prefers, so positive values expand the
     * triangle.
     */
    actuation: column(f32, { default: 0 }),
    /** Area density, kg/m^2; each particle of the triangle gets a third of its mass. */
    density: column(f32, { default: 0, unit: 'kg/m^2', range: 'nonNegative' }),
    /** Coefficient kd of the drag -kd A |n.v| v, kg/m^3. */
    drag: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
    /** Coefficient kl of the lift -kl A (n.v) |v| n, kg/m^3. */
    lift: column(f32, { default: 0, unit: 'kg/m^3', range: 'nonNegative' }),
  },
  {
    /**
     * Inverse of the 2 x 2 matrix whose columns are the triangle's two edges from its first corner, in its plane, in
     * the rest shape, 1/m.
     */
    restInverse: computed(mat22, { unit: '1/m' }),
    restArea: computed(f32, { unit: 'm^2' }),
    /**
     * Dot products of the triangle's two edges in the rest shape, m^2: `restMetric` rounded to a grid, `restMetricLeft`
     * the remainder; see `metricOf`.
     */
    restMetric: computed(vec3, { unit: 'm^2' }),
    restMetricLeft: computed(vec3, { unit: 'm^2' }),
    /** Elastic energy of the membrane, J: output of `membraneEnergy`, if that pass is added. */
    energy: computed(f32, { unit: 'J' }),
  },
  { noun: 'triangle' },
);

/**
 * Resistance to bending along an edge x3 x4 that two triangles share, with the opposite vertices x1 and x2. Its angle
 * is 0 if both triangles lie in a plane.
 */
export const Hinge = defineComponent(
  'hinges',
  {
    /** Particles at the vertices x1, x2 (opposite to the edge), x3, x4 (on the edge). */
    vertices: reference(Particle, 4),
    stiffness: column(f32, { default: 0, unit: 'N m', range: 'nonNegative' }),
    /**
     * Damping c, N s: force -c |e| (sum of u_j . v_j) u_i on vertex i, with the hinge's edge e and the gradient u_i of
     * its angle.
     */
    damping: column(f32, { default: 0, unit: 'N s', range: 'nonNegative' }),
    restAngle: column(f32, { default: 0, unit: 'rad' }),
    /** Actuation a, rad: added to half of the angle's difference from rest. */
    actuation: column(f32, { default: 0, unit: 'rad' }),
  },
  {
    /** Angle of the hinge, rad: output of `hingeAngle`, if that pass is added. */
    angle: computed(f32, { unit: 'rad' }),
  },
  { noun: 'hinge' },
);
