export { Gravity, gravity } from '@gradsim/dynamics';
export type { ParticleOptions } from './add-particles.ts';
export { addParticles, PARTICLE_OPTIONS } from './add-particles.ts';
export { ParticleDrag } from './drag.ts';
export { MassShares } from './mass-shares.ts';
export { Particle, ParticlePush, RestPosition, restPositionOf } from './particle.ts';
export type { OneOrEach } from './per-element.ts';
export { perElement } from './per-element.ts';
export { particles } from './plugin.ts';
