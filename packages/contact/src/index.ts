export { BodyContact, ContactSphere, HalfSpace, HalfSpaceMaterial, ParticleContact } from './components.ts';
export type { Material } from './law.ts';
export { combine, contactForce } from './law.ts';
export { contact } from './plugin.ts';
export type { SurfaceContactOptions } from './proximity/plugin.ts';
export { surfaceContact } from './proximity/plugin.ts';
