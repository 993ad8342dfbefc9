export { Particle, RestPosition } from './particle.ts';
export { particles } from './plugin.ts';
