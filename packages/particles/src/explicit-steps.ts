import type { F32, Plugin, Vec3 } from '@gradsim/core';
import { definePlugin, select, vec3 } from '@gradsim/core';
import type { Composition, Tableau } from '@gradsim/dynamics';
import { gravity, Integrators, rungeKutta, symplectic } from '@gradsim/dynamics';
import { Particle } from './particle.ts';

const { position, velocity, force, inverseMass, fixed } = Particle;
const loadReads = { force, inverseMass, fixed, gravity };

interface ParticleLoads {
  readonly force: Vec3;
  readonly inverseMass: F32;
  readonly fixed: F32;
  readonly gravity: Vec3;
}
/** Acceleration, m/s^2: 0 for a particle that never moves. */
const acceleration = ({ force, inverseMass, fixed, gravity }: ParticleLoads): Vec3 =>
  select(fixed.gt(0), vec3(0, 0, 0), gravity.add(force.mul(inverseMass)));

/**
 * Moves particles by a Runge-Kutta method or a symplectic composition, in place of semi-implicit Euler: forces of all
 * plugins are evaluated once a stage. Smooth motion needs fewer substeps for the same error; touches are sampled at each
 * stage, and there every method is of first order.
 *
 * ```ts
 * const scene = createScene([particles(), explicitSteps(classical), springs()]);
 * ```
 *
 * Register it before the plugins of forces, which may differ in stages, as contact does. The largest stable substep that
 * is reported is that of semi-implicit Euler, of `leapfrog` too; `midpoint` and `heun` gain energy at any substep where
 * nothing damps.
 * @param method its coefficients: `classical`, `forestRuth`, or those of your own.
 * @throws when the coefficients are not those of an explicit method, or another integrator is registered.
 */
export const explicitSteps = (method: Tableau | Composition): Plugin =>
  definePlugin({
    name: '@gradsim/particles/explicit-steps',
    contract: 1,
    offers: [Integrators],
    build: ({ model }) => {
      model.offer(Integrators, { component: Particle, isImplicit: false });
      if ('kicks' in method)
        symplectic(model, {
          elements: Particle,
          composition: method,
          position,
          velocity,
          reads: loadReads,
          acceleration,
        });
      else
        rungeKutta(model, {
          elements: Particle,
          tableau: method,
          states: { position, velocity },
          reads: loadReads,
          rates: (s) => ({ position: s.velocity, velocity: acceleration(s) }),
        });
    },
  });
