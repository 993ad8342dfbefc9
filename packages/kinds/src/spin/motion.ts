import {
  abs,
  column,
  computed,
  cos,
  defineComponent,
  definePlugin,
  f32,
  kernel,
  max,
  min,
  sin,
  vec2,
  vec3,
} from '@gradsim/core';

/** A mark on a disc that spins about a fixed axis, and is braked. */
export const Spinner = defineComponent(
  'spinners',
  {
    /** Middle of the disc. */
    middle: column(vec3, { unit: 'm' }),
    /** From the middle to the mark at the angle 0, and at a right angle: both as long as the circle's radius. */
    right: column(vec3, { unit: 'm' }),
    up: column(vec3, { unit: 'm' }),
    /** Cosine and sine of the angle of the mark: an angle of many turns would lose digits. */
    turned: column(vec2),
    /** Rate of the angle. */
    rate: column(f32, { unit: 'rad/s' }),
    /** Deceleration a + b w + c w^2 at the rate w: dry, viscous, and of the air. */
    dry: column(f32, { unit: 'rad/s^2' }),
    viscous: column(f32, { unit: '1/s' }),
    air: column(f32, { unit: '1/rad' }),
  },
  { position: computed(vec3, { unit: 'm' }) },
);

/** Rate, rad/s, and deceleration, rad/s^2, added where one divides by them: far below what a film shows. */
const [SLOW, LITTLE] = [1e-6, 1e-6];

/** Second order in time (Heun), up to the moment in which it stops. */
const turn = kernel(
  'turnSpinners',
  {
    domain: Spinner,
    reads: {
      turned: Spinner.turned,
      rate: Spinner.rate,
      dry: Spinner.dry,
      viscous: Spinner.viscous,
      air: Spinner.air,
    },
    writes: { turned: Spinner.turned, rate: Spinner.rate },
  },
  ({ turned, rate, dry, viscous, air }, { dt }) => {
    const speed = abs(rate);
    const brakesAt = (w: typeof speed): typeof speed => dry.add(viscous.mul(w)).add(air.mul(w).mul(w));
    const first = brakesAt(speed);
    const brake = first.add(brakesAt(max(speed.sub(first.mul(dt)), 0))).mul(0.5);
    const moves = min(speed.div(max(brake, LITTLE)), dt);
    const slower = speed.sub(brake.mul(moves));
    const way = rate.div(speed.add(SLOW));
    const angle = way.mul(speed.add(slower)).mul(moves).mul(0.5);
    const [c, s] = [cos(angle), sin(angle)];
    return {
      turned: vec2(turned.x.mul(c).sub(turned.y.mul(s)), turned.x.mul(s).add(turned.y.mul(c))),
      rate: way.mul(slower),
    };
  },
);

const place = kernel(
  'placeMarks',
  {
    domain: Spinner,
    reads: { middle: Spinner.middle, right: Spinner.right, up: Spinner.up, turned: Spinner.turned },
    writes: { position: Spinner.position },
  },
  ({ middle, right, up, turned }) => ({ position: middle.add(right.mul(turned.x)).add(up.mul(turned.y)) }),
);

/** Discs that spin about fixed axes and slow down by dry friction, viscous friction and air. */
export const spinning = () =>
  definePlugin({
    name: '@gradsim/kinds/spin',
    contract: 1,
    components: [Spinner],
    build: ({ model }) => {
      model.addPass('integrate', turn);
      model.addPass('pose', place);
    },
  });
