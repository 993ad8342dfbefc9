import type { Component, Entity, FieldOf, Kernel, Quat, Scene } from '@gradsim/core';
import { column, kernel, normalize, quat } from '@gradsim/core';

/** The column `orientation`: a quaternion (x, y, z, w), from own axes to those around; see {@link unitOrientation}. */
export const orientation = column(quat, { default: [0, 0, 0, 1] });

/** @throws when the orientation of an entity is no rotation. */
export function checkOrientation(scene: Scene, entity: Entity, component: Component): void {
  if (scene.get(entity, component, 'orientation').every((c) => c === 0))
    throw new Error(
      `${scene.describe(entity)}: ${component.name}.orientation is (0, 0, 0, 0), which is no rotation; none is (0, 0, 0, 1).`,
    );
}

/** Gives orientations unit length: for phase `setup`. */
export const unitOrientation = (orientation: FieldOf<Quat>): Kernel =>
  kernel(
    `unitOrientation_${orientation.domain}`,
    { domain: orientation.domain, reads: { orientation }, writes: { orientation } },
    ({ orientation }) => ({ orientation: normalize(orientation) }),
  );
