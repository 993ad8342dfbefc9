import type { Plugin } from '@gradsim/core';
import {
  column,
  computed,
  defineComponent,
  definePlugin,
  f32,
  field,
  kernel,
  Surfaces,
  sum,
  vec3,
} from '@gradsim/core';
import { addGravity, Gravity, gravity, PointsThatTouch } from '@gradsim/dynamics';

/** Point masses of a third-party plugin, whose columns have other names than those of particles. */
export const Mote = defineComponent(
  'motes',
  {
    place: column(vec3, { unit: 'm' }),
    speed: column(vec3, { default: 0, unit: 'm/s' }),
    mass: column(f32, { default: 1, unit: 'kg', range: 'positive' }),
  },
  { push: sum(vec3, { unit: 'N' }), start: computed(vec3, { unit: 'm' }) },
);
const { place, speed, mass, push, start } = Mote;

/** Kernel that moves motes by semi-implicit Euler. */
const move = kernel(
  'moveMote',
  { domain: Mote, reads: { place, speed, mass, push, gravity }, writes: { place, speed } },
  ({ place, speed, mass, push, gravity }, { dt }) => {
    const v = speed.add(push.div(mass).add(gravity).mul(dt));
    return { speed: v, place: place.add(v.mul(dt)) };
  },
);
const remember = kernel('startOfMote', { domain: Mote, reads: { place }, writes: { start } }, ({ place }) => ({
  start: place,
}));

/** Field for the momentum of all motes, in every frame. */
export const momentum = field('world', 'motesMomentum', vec3);
const addMomentum = kernel(
  'momentumOfMote',
  { domain: Mote, reads: { speed, mass }, adds: { momentum } },
  ({ speed, mass, momentum }) => momentum.add(speed.mul(mass)),
);

const POINTS: PointsThatTouch = { component: Mote, position: place, velocity: speed, force: push };
const WITH_REST: PointsThatTouch = {
  ...POINTS,
  rest: { position: start, positionOf: (scene, mote) => scene.get(mote, Mote, 'place') },
};

/**
 * Plugin of motes, with a surface of the given triangles between them; `rest`: whether it offers their initial
 * positions as the rest shape.
 */
export function motes({ triangles = [], rest = true }: { triangles?: readonly number[]; rest?: boolean } = {}): Plugin {
  return definePlugin({
    name: 'motes',
    contract: 1,
    components: [Mote, Gravity],
    offers: [PointsThatTouch, Surfaces],
    build: (context) => {
      const { model } = context;
      addGravity(context);
      model.offer(PointsThatTouch, rest ? WITH_REST : POINTS);
      if (triangles.length > 0) model.offer(Surfaces, { position: place, triangles, describe: (t) => `veil ${t}` });
      model.addPass('setup', remember);
      model.addPass('integrate', move);
      model.addPass('observe', addMomentum);
    },
  });
}
