export { BodyContact, ContactSphere, HalfSpace, HalfSpaceMaterial, ParticleContact } from './components.ts';
export type { Material } from './law.ts';
export { combine, contactForce } from './law.ts';
export { contact } from './plugin.ts';
