import { f32, field, index, vec2 } from '@gradsim/core';

const domain = 'smoke';

/** Buoyancy b, cells per step^2 per unit of density: density d is accelerated by b d upwards. */
export const buoyancy = field('world', 'buoyancy', f32);

// Constant fields, shared by all worlds; each exists only if something needs it. See `CellsAround`.
export const cellPlace = field(domain, 'place', vec2);
export const neighbours = field(domain, 'around', index(domain, 4));
export const flowMask = field(domain, 'open', vec2);
export const isFree = field(domain, 'free', f32);
export const nearestFree = field(domain, 'nearestFree', index(domain));
