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
 * Holds a body until a time, and then releases it under a downward acceleration `gravity`, m/s^2, a scalar unlike the
 * scene's vector. The body must have no initial velocity and the scene no gravity.
 */
export const Release = defineComponent('releases', {
  body: reference('bodies'),
  gravity: column(f32, { unit: 'm/s^2' }),
  time: column(f32, { unit: 's' }),
});

/**
 * Kernel that applies the weight from the release on. In the substep of the release it applies it for the remaining
 * fraction, so that the motion has a derivative with respect to the time.
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

/** Plugin for the component {@link Release}. */
export function release(): Plugin {
  return definePlugin({
    name: 'ball-drop/release',
    contract: 1,
    requires: ['@gradsim/rigid'],
    components: [Release],
    build: ({ model }) => model.addPass('force', weighAfterRelease),
  });
}
