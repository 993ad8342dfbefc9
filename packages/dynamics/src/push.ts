import type { Component, Entity, Scene } from '@gradsim/core';
import { column, f32, GradsimError, vec3 } from '@gradsim/core';

/**
 * Columns shared by components that apply a force over a time window; such a component adds the element that the force
 * acts on. Over a window of T seconds, `force` gives the impulse force * T, N s; a kernel multiplies it by
 * `windowShare` of the window.
 */
export const push = {
  /** Force, N, world axes. */
  force: column(vec3, { unit: 'N' }),
  start: column(f32, { default: 0, unit: 's' }),
  end: column(f32, { default: 1e9, unit: 's' }),
};

/**
 * Checks the time window of an entity whose component has the columns {@link push}.
 * @throws when a push ends before it starts, and so would do nothing.
 */
export function checkPush(scene: Scene, entity: Entity, component: Component): void {
  const [start, end] = ['start', 'end'].map((name) => scene.get(entity, component, name)[0]);
  if (end < start)
    throw new GradsimError(
      'dynamics/end-before-start',
      `${component.name}.end is ${end}, before ${component.name}.start at ${start}.`,
      { field: `${component.name}.end`, element: scene.describe(entity) },
    );
}
