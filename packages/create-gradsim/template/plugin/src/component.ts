import { column, defineAspect, f32 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

/**
 * Aspect of a particle that has drag: adds a column to those of `Particle`. Particles without the aspect have its
 * default, and so no drag.
 *
 * ```ts
 * scene.attach(ball, Drag, { drag: 0.3 });
 * ```
 */
export const Drag = defineAspect(Particle, 'drag', {
  /**
   * Drag force divided by the speed, opposite to the velocity, N s/m: 6 pi eta r for a ball of radius r in a fluid of
   * viscosity eta.
   */
  drag: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
});
