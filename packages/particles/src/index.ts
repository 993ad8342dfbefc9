export { Gravity } from '@gradsim/physics';
export { Particle, ParticlePush, RestPosition, restPositionOf } from './particle.ts';
export { particles } from './plugin.ts';
