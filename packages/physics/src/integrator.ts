/** Who moves what a physics package adds. */
export interface IntegratorOptions {
  /**
   * `semiImplicit` (default): the package's own, semi-implicit Euler. `none`: another plugin's, which reads the forces
   * and masses, and writes positions and velocities in phase `stage` or `integrate`.
   */
  readonly integrator?: 'semiImplicit' | 'none';
}
