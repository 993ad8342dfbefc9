import { column, defineComponent, f32, reference } from '@gradsim/core';
import { Particle } from '@gradsim/particles';

/** A damped spring between two particles. */
export const Spring = defineComponent(
  'springs',
  {
    ends: reference(Particle, 2),
    stiffness: column(f32, { unit: 'N/m', range: 'nonNegative' }),
    /** Damping c, N s/m: force c l' along the spring, against the rate l' of its length. */
    damping: column(f32, { default: 0, unit: 'N s/m', range: 'nonNegative' }),
    restLength: column(f32, { unit: 'm', range: 'nonNegative' }),
    /** Relative change a of the rest length l0, dimensionless: l0 (1 + a). */
    actuation: column(f32, { default: 0 }),
  },
  {},
  { noun: 'spring' },
);
