import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { projectedOutline } from '@gradsim/film';
import { OrbitCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { HALF_SIZE } from './footage.ts';
import { BALL_RADIUS, START } from './parameters.ts';
import { Release, release } from './release.ts';

/**
 * Physics substeps per frame: 12 without a floor; 96 with it, 58 of a touch, which brings the height after the touch
 * within 1 mm, and its derivative by gravity, .04, within .01.
 */
export const substepsPerFrame = (hasFloor: boolean): number => (hasFloor ? 96 : 12);

/**
 * Model of a ball that is held, released, falls through air and bounces, seen by one camera. The mass has no effect; it
 * is set to 1 kg.
 */
export function dropModel(hasFloor: boolean): Model {
  const scene = createScene([
    ...[rigid(), contact(), release()],
    projectedOutline({ ...HALF_SIZE, camera: OrbitCamera, centre: Body.position, radius: BALL_RADIUS }),
  ]);
  const moment = 0.4 * BALL_RADIUS ** 2;
  const ball = scene.add(
    Body,
    {
      mass: 1,
      inertia: [moment, 0, 0, 0, moment, 0, 0, 0, moment],
      position: [START.sideways, START.height, 0],
      drag: START.drag,
    },
    'the ball',
  );
  scene.add(Release, { body: ball, gravity: 10, time: START.releaseTime }, 'the hand');
  if (hasFloor) {
    scene.add(
      ContactSphere,
      { body: ball, radius: BALL_RADIUS, restitution: START.restitution, duration: START.touch, mu: 1 },
      'the skin of the ball',
    );
    scene.add(HalfSpace, {}, 'the carpet');
  }
  scene.add(
    OrbitCamera,
    {
      target: [0, START.aim, 0],
      distance: START.distance,
      elevation: START.tilt,
      fieldOfView: START.fieldOfView,
    },
    'the phone',
  );
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return buildModel(scene);
}
