import { column, defineAspects, f32 } from '@gradsim/core';
import { bounce } from '../bounce.ts';
import { material } from '../material.ts';

/**
 * Component that gives bodies instantaneous impacts on half-spaces: as spheres about their centres of mass, or with the
 * vertices of their meshes. The bodies are those of any component that a plugin offers as `BodiesThatTouch`.
 *
 * ```ts
 * scene.attach(marble, impactOf(Body), { radius: 0.008, restitution: 0.9, mu: 0.2 });
 * scene.attach(brick, impactOf(Body), { restitution: 0.4, mu: 0.5 });
 * ```
 */
export const impactOf = defineAspects('impactOf', {
  /** Radius of the sphere, m; 0 for a body that collides with its vertices. */
  radius: column(f32, { default: 0, unit: 'm', range: 'nonNegative' }),
  /** Coefficient of restitution: normal speed after an impact over the normal speed before. */
  restitution: bounce.restitution,
  /** Coulomb's friction coefficient. */
  mu: material.mu,
});
