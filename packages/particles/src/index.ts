export { Gravity } from '@gradsim/physics';
export { Particle, ParticlePush, RestPosition } from './particle.ts';
export { particles } from './plugin.ts';
