export { OBJECTS, painted } from './scenes/objects.ts';
export { randomRotation, randomToss } from './scenes/random-toss.ts';
export type { ContactMaterial, Toss } from './scenes/tossed.ts';
export { PUSH_SECONDS, TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';
