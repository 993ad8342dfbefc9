import type { Component, Entity, Scene } from '@gradsim/core';
import type { CameraKind } from './cameras.ts';
import { LookAtCamera, PinholeCamera } from './cameras.ts';

/** Sine of the angle below which a camera counts as looking along its `up`. */
const LEAST_SINE = 1e-6;

/** @throws for a camera that sees nothing: one without a direction, an extent or an angle that a picture can have. */
export function checkCamera(scene: Scene, entity: Entity, kind: CameraKind): void {
  const refuse = (what: string): never => {
    throw new Error(`${scene.describe(entity)} is a camera that sees nothing: ${what}.`);
  };
  const component: Component = kind;
  if (component === PinholeCamera) {
    const [rotation, focal] = [
      scene.get(entity, PinholeCamera, 'rotation'),
      scene.get(entity, PinholeCamera, 'focalLength'),
    ];
    if (Math.hypot(...rotation) === 0) refuse('its rotation is (0, 0, 0, 0); no rotation is (0, 0, 0, 1)');
    if (focal[0] === 0 || focal[1] === 0)
      refuse(`its focalLength is (${focal.join(', ')}), and neither may be 0`);
    return;
  }
  const fieldOfView = scene.get(entity, kind, 'fieldOfView')[0];
  if (fieldOfView >= Math.PI)
    refuse(`its fieldOfView is ${fieldOfView} rad, and must be below pi; angles are radians`);
  if (component !== LookAtCamera) return;
  const [eye, target, up] = (['eye', 'target', 'up'] as const).map((name) =>
    Array.from(scene.get(entity, LookAtCamera, name)),
  );
  const ahead = target.map((x, k) => x - eye[k]);
  if (Math.hypot(...ahead) === 0) refuse(`its eye is its target, (${eye.join(', ')})`);
  const across = [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return ahead[i] * up[j] - ahead[j] * up[i];
  });
  if (Math.hypot(...across) <= LEAST_SINE * Math.hypot(...ahead) * Math.hypot(...up))
    refuse(`it looks along its up, (${up.join(', ')}); give another up, such as (0, 0, -1)`);
}
