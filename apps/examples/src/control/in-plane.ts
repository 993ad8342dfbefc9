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
 * Plugin that keeps particles in the plane z = 0. A flat sheet without bending stiffness is unstable across its plane:
 * it stays flat as long as nothing disturbs it, but its derivatives across the plane grow by a factor of e every few
 * hundred substeps, and overflow.
 */
export const inPlane = definePlugin({
  name: 'in-plane',
  contract: 1,
  requires: ['@gradsim/particles'],
  build: ({ model }) => model.addPass('integrate', keepInPlane, { after: ['@gradsim/particles'] }),
});
