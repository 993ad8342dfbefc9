import type { Plugin } from '@gradsim/core';
import {
  clamp,
  column,
  defineComponent,
  definePlugin,
  f32,
  fieldOn,
  index,
  kernel,
  reference,
  vec3,
} from '@gradsim/core';

/**
 * A body that is held until a time and then released, under gravity of its own, a downward acceleration (a scene's
 * gravity is a vector). Give the body no velocity and the scene no gravity.
 */
export const Release = defineComponent('releases', {
  body: reference('bodies'),
  gravity: column(f32, { unit: 'm/s^2' }),
  time: column(f32, { unit: 's' }),
});

/**
 * Applies the weight from the release on; in the substep of the release for its remaining part, so that the time has a
 * derivative.
 */
export const weighAfterRelease = kernel(
  'weighAfterRelease',
  {
    domain: 'releases',
    reads: { body: index('bodies'), gravity: f32, time: f32, totalMass: fieldOn('bodies', f32) },
    adds: { force: fieldOn('bodies', vec3) },
  },
  ({ body, gravity, time, totalMass, force }, { time: now, dt }) => {
    const free = clamp(now.add(dt).sub(time), 0, dt).div(dt);
    force.add(body, vec3(0, totalMass.at(body).mul(gravity).mul(free).neg(), 0));
  },
);

/** Lets scenes {@link Release} bodies. */
export function release(): Plugin {
  return definePlugin({
    name: 'ball-drop/release',
    contract: 1,
    requires: ['@gradsim/rigid'],
    components: [Release],
    build: ({ model }) => model.addPass('force', weighAfterRelease),
  });
}
