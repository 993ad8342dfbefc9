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
 * Keeps particles in the plane z = 0. A flat sheet without bending stiffness buckles under any disturbance out of its
 * plane. There is none, so it stays flat, but its derivatives across the plane grow by e every few hundred substeps,
 * and overflow.
 */
export const inPlane = definePlugin({
  name: 'in-plane',
  contract: 1,
  requires: ['@gradsim/particles'],
  build: ({ model }) => model.addPass('integrate', keepInPlane, { after: ['@gradsim/particles'] }),
});
