import { f32, field, index, vec2 } from '@gradsim/core';

const domain = 'smoke';

/** Cells a step^2, upwards, of density 1. */
export const buoyancy = field('world', 'buoyancy', f32);

// What does not change, one for all worlds; each is there only where something needs it. See `Neighbours`.
export const place = field(domain, 'place', vec2);
export const around = field(domain, 'around', index(domain, 4));
export const open = field(domain, 'open', vec2);
export const free = field(domain, 'free', f32);
export const nearestFree = field(domain, 'nearestFree', index(domain));
