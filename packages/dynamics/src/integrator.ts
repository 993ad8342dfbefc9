import type { Component } from '@gradsim/core';
import { defineOffer, refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';

/** Options of plugins whose elements another plugin may integrate. */
export interface IntegratorOptions {
  /**
   * `semiImplicit` (default): the package's own semi-implicit Euler. `none`: another plugin integrates; it reads the
   * forces and masses, and writes positions and velocities in phase `stage` or `integrate`.
   */
  readonly integrator?: 'semiImplicit' | 'none';
}

/**
 * Returns whether a package integrates its own elements.
 *
 * @throws for other options, and an unknown integrator.
 */
export function isOwnIntegrator(caller: string, options: IntegratorOptions): boolean {
  refuseUnknownOptions<IntegratorOptions>(caller, options, { integrator: 'semiImplicit' });
  const { integrator = 'semiImplicit' } = options;
  refuseUnknownChoice(`${caller}: integrator`, integrator, ['semiImplicit', 'none']);
  return integrator === 'semiImplicit';
}

/** A plugin that integrates the elements of a component instead of the component's own package. */
export interface Integrator {
  /** Component whose elements it integrates. */
  readonly component: Component;
  /**
   * True if it evaluates forces at the end of a substep: then no substep is reported as the largest stable one, and
   * forces of contact stand for the substep that ends at the state (see {@link PointsThatTouch}).
   */
  readonly isImplicit: boolean;
}

/**
 * Offer of integrators: registering the plugin of one switches it on, and the package of that component stops
 * integrating.
 *
 * ```ts
 * definePlugin({ ...midpoint, offers: [Integrators], build: ({ model }) => model.offer(Integrators, { of: Stone,
 * isImplicit: false }) });
 * ```
 */
export const Integrators = defineOffer<Integrator>('integrators', ({ component }, before) =>
  before.some((other) => other.component === component)
    ? `of ${component.name}, which another plugin moves already; register one of them`
    : undefined,
);
