import { definePlugin, kernel, vec3 } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

const keepInPlane = kernel(
  'keepInPlane',
  {
    domain: Particle,
    reads: { position: Particle.position, velocity: Particle.velocity },
    writes: { position: Particle.position, velocity: Particle.velocity },
  },
  ({ position: p, velocity: v }) => ({ position: vec3(p.x, p.y, 0), velocity: vec3(v.x, v.y, 0) }),
);

/**
 * Keeps particles in the plane z = 0.
 *
 * A flat sheet without bending stiffness buckles out of its plane as soon as anything pushes it there. Nothing does, so
 * it stays flat, but its derivatives see what a push would come to: across the plane they grow by e every few hundred
 * substeps, and overflow.
 */
export const inPlane = definePlugin({
  name: 'in-plane',
  contract: 1,
  requires: ['@gradsim/particles'],
  build: ({ model }) => model.addPass('integrate', keepInPlane, { after: ['@gradsim/particles'] }),
});
