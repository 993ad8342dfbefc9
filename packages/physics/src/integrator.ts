import { refuseUnknownChoice, refuseUnknownOptions } from '@gradsim/core';

/** Who moves what a physics package adds. */
export interface IntegratorOptions {
  /**
   * `semiImplicit` (default): the package's own, semi-implicit Euler. `none`: another plugin's, which reads the forces
   * and masses, and writes positions and velocities in phase `stage` or `integrate`.
   */
  readonly integrator?: 'semiImplicit' | 'none';
}

/**
 * Whether a package moves what it adds.
 * @throws for other options, and an integrator that there is not.
 */
export function movesItself(who: string, options: IntegratorOptions): boolean {
  refuseUnknownOptions<IntegratorOptions>(who, options, { integrator: 'semiImplicit' });
  const { integrator = 'semiImplicit' } = options;
  refuseUnknownChoice(`${who}: integrator`, integrator, ['semiImplicit', 'none']);
  return integrator === 'semiImplicit';
}
