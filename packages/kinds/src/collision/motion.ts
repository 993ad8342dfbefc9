import {
  column,
  computed,
  defineComponent,
  definePlugin,
  dot,
  f32,
  field,
  kernel,
  max,
  min,
  norm,
  sqrt,
  vec3,
} from '@gradsim/core';

/** One of two things that move straight before and after they touch. */
export const Collider = defineComponent(
  'colliders',
  {
    /** Place of its middle when they touch. */
    place: column(vec3, { unit: 'm' }),
    /** Velocity just before the touch, and just after. */
    before: column(vec3, { unit: 'm/s' }),
    after: column(vec3, { unit: 'm/s' }),
    /** Deceleration by friction, against the velocity. */
    braking: column(f32, { unit: 'm/s^2', range: 'nonNegative' }),
  },
  { position: computed(vec3, { unit: 'm' }) },
);

/** Moment of the touch, s, and the time since the first frame. */
export const touchTime = field('world', 'touchTime', f32, { unit: 's' });
const elapsed = field('world', 'elapsed', f32, { unit: 's' });

/** Speed, m/s, far below which friction fades: what rests is not braked. */
const FADING_SPEED = 5e-3;
/** Deceleration, m/s^2, added where one divides by it. */
const MIN_DECELERATION = 1e-6;

const pass = kernel(
  'passTime',
  { domain: 'world', reads: { elapsed }, writes: { elapsed } },
  ({ elapsed }, { dt }) => ({ elapsed: elapsed.add(dt) }),
);

/** With t from the touch: place + v t - a t |t| / 2 along v, up to where it stops. */
const move = kernel(
  'moveColliders',
  {
    domain: Collider,
    reads: {
      place: Collider.place,
      before: Collider.before,
      after: Collider.after,
      braking: Collider.braking,
      elapsed,
      touchTime,
    },
    writes: { position: Collider.position },
  },
  ({ place, before, after, braking, elapsed, touchTime }) => {
    const t = elapsed.sub(touchTime);
    const earlier = min(t, 0);
    const speedBefore = sqrt(dot(before, before).add(FADING_SPEED ** 2));
    const speedAfter = sqrt(dot(after, after).add(FADING_SPEED ** 2));
    const later = min(max(t, 0), norm(after).add(1e-9).div(braking.add(MIN_DECELERATION)));
    const a = braking.mul(0.5);
    return {
      position: place
        .add(before.mul(earlier.sub(a.mul(earlier).mul(earlier).div(speedBefore))))
        .add(after.mul(later.sub(a.mul(later).mul(later).div(speedAfter)))),
    };
  },
);

/** Two things that move straight and evenly, but for friction, before and after the moment in which they touch. */
export const collision = () =>
  definePlugin({
    name: '@gradsim/kinds/collision',
    contract: 1,
    components: [Collider],
    build: ({ model }) => {
      model.addField(touchTime, { fill: 0 });
      model.addField(elapsed, { fill: 0 });
      model.addPass('integrate', pass);
      model.addPass('pose', move);
    },
  });
