import type { Plugin } from '@gradsim/core';
import {
  column,
  computed,
  cos,
  cross,
  defineComponent,
  definePlugin,
  f32,
  field,
  index,
  kernel,
  quat,
  sin,
  sum,
  vec3,
} from '@gradsim/core';
import { addGravity, BodiesThatTouch, Gravity, gravity } from '@gradsim/dynamics';

/**
 * Rods that rotate about a hinge with its axis along z: the simplest articulated bodies. A rod's pose and velocity are
 * computed from its angle in every substep, and forces are reduced to a torque about the hinge.
 */
export const Flap = defineComponent(
  'flaps',
  {
    hinge: column(vec3, { unit: 'm' }),
    length: column(f32, { unit: 'm', range: 'positive' }),
    mass: column(f32, { unit: 'kg', range: 'positive' }),
    /** Angle of the rod from the x axis towards y, rad. */
    angle: column(f32, { default: 0, unit: 'rad' }),
    rate: column(f32, { default: 0, unit: 'rad/s' }),
  },
  {
    centre: computed(vec3, { unit: 'm' }),
    turn: computed(quat),
    speed: computed(vec3, { unit: 'm/s' }),
    spin: computed(vec3, { unit: 'rad/s' }),
    load: sum(vec3, { unit: 'N' }),
    moment: sum(vec3, { unit: 'N m' }),
  },
);
const { hinge, length, mass, angle, rate, centre, turn, speed, spin, load, moment } = Flap;

/** The two ends of every rod: `flap` is the rod, `end` the position in its own axes. */
const flap = field('flapEnds', 'flap', index('flaps'));
const end = field('flapEnds', 'end', vec3, { unit: 'm' });

const pose = kernel(
  'poseFlap',
  { domain: Flap, reads: { hinge, length, angle, rate }, writes: { centre, turn, speed, spin } },
  ({ hinge, length, angle, rate }) => {
    const arm = vec3(cos(angle), sin(angle), 0).mul(length.mul(0.5));
    const half = angle.mul(0.5);
    const spin = vec3(0, 0, rate);
    return {
      centre: hinge.add(arm),
      turn: quat(0, 0, sin(half), cos(half)),
      speed: cross(spin, arm),
      spin,
    };
  },
);

/** Kernel that integrates I a' = M about the hinge, with I = m l^2 / 3, by semi-implicit Euler. */
const swing = kernel(
  'swingFlap',
  {
    domain: Flap,
    reads: { hinge, centre, length, mass, angle, rate, load, moment, gravity },
    writes: { angle, rate },
  },
  ({ hinge, centre, length, mass, angle, rate, load, moment, gravity }, { dt }) => {
    const all = moment.add(cross(centre.sub(hinge), load.add(gravity.mul(mass))));
    const next = rate.add(all.z.mul(3).div(mass.mul(length).mul(length)).mul(dt));
    return { rate: next, angle: angle.add(next.mul(dt)) };
  },
);

const RODS: BodiesThatTouch = {
  component: Flap,
  position: centre,
  velocity: speed,
  orientation: turn,
  angularVelocity: spin,
  force: load,
  torque: moment,
};
const WITH_ENDS: BodiesThatTouch = { ...RODS, vertices: { body: flap, local: end } };

/** Plugin of flaps; with `ends` false, only contact spheres on flaps touch half-spaces, not their ends. */
export function flaps({ ends = true } = {}): Plugin {
  return definePlugin({
    name: 'flaps',
    contract: 1,
    components: [Flap, Gravity],
    offers: [BodiesThatTouch],
    build: (context) => {
      const { model } = context;
      addGravity(context);
      const lengths = Array.from(model.field(length).values!);
      model.addDomain('flapEnds', 2 * lengths.length);
      model.addIndex(
        flap,
        lengths.flatMap((_, k) => [k, k]),
      );
      model.addField(end, { values: lengths.flatMap((l) => [-l / 2, 0, 0, l / 2, 0, 0]) });
      model.offer(BodiesThatTouch, ends ? WITH_ENDS : RODS);
      model.addPass('control', pose);
      model.addPass('integrate', swing);
    },
  });
}
