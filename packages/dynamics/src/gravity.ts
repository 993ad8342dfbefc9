import type { BuildContext, Model } from '@gradsim/core';
import { defineComponent, field, GradsimError, resource, vec3 } from '@gradsim/core';

/** Default gravity of a scene without {@link Gravity}, m/s^2. */
const EARTH_GRAVITY = [0, -9.81, 0];

/**
 * The gravity of a scene, at most one; without one, it is (0, -9.81, 0). All plugins whose elements have weight share
 * it: it becomes the field `world.gravity` (m/s^2), which can be a parameter, with a value for each world.
 *
 * ```ts
 * scene.add(Gravity, { acceleration: [0, -1.62, 0] });
 * ```
 */
export const Gravity = defineComponent(
  'gravity',
  {
    /**
     * Gravitational acceleration: three components, m/s^2, world axes. A `resource` column, because its field belongs
     * to the world.
     */
    acceleration: resource<readonly number[]>(),
  },
  {},
  { noun: 'gravity' },
);

/**
 * Gravitational acceleration of the scene, m/s^2, from {@link Gravity}: the field that kernels read and that estimates
 * may have as an unknown.
 */
export const gravity = field('world', 'gravity', vec3, { unit: 'm/s^2' });

/** Models that already have `world.gravity`: the first plugin that calls {@link addGravity} adds it. */
const modelsWithGravity = new WeakSet<Model>();

/**
 * Adds `world.gravity` to a model, once, however many plugins call it. A plugin whose elements have weight has {@link
 * Gravity} among its components, calls this in `build`, and reads {@link gravity} in its kernels.
 *
 * @throws for a second entity with {@link Gravity}, or an acceleration that is not three finite numbers.
 */
export function addGravity({ scene, model, entities }: BuildContext): void {
  if (modelsWithGravity.has(model)) return;
  const [own, second] = entities(Gravity);
  if (second !== undefined)
    throw new GradsimError('dynamics/second-gravity', 'is a second gravity; a scene has at most one.', {
      element: scene.describe(second),
      hint: 'Remove one of them.',
    });
  const values = own === undefined ? EARTH_GRAVITY : (scene.object(own, Gravity, 'acceleration') as readonly number[]);
  if (values.length !== 3)
    throw new GradsimError('dynamics/wrong-size', `gravity.acceleration takes 3 numbers, got ${values.length}.`, {
      field: 'gravity.acceleration',
      element: scene.describe(own),
    });
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined)
    throw new GradsimError('dynamics/value-out-of-range', `gravity.acceleration is ${wrong}.`, {
      field: 'gravity.acceleration',
      element: scene.describe(own),
      hint: 'It must be a finite number.',
    });
  model.as({ name: '@gradsim/dynamics' }, () => {
    model.addField(gravity, { values });
  });
  modelsWithGravity.add(model);
}
