import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { OrbitCamera, render } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { SceneRenderer } from '../scenes/renderers.ts';
import { BALL_RADIUS, START } from './parameters.ts';
import { Release, release } from './release.ts';
import { ShownBall, shownBalls } from './shown-ball.ts';
import type { Size } from './window.ts';
import { pictureWindow } from './window.ts';

/** How the drop is drawn. */
export interface DropPicture {
  /** The whole picture, in pixels of the scale at which it is drawn. */
  readonly whole: Size;
  /** Where only a window of it is drawn: its size, and its first column and row frame by frame. */
  readonly window?: { readonly size: Size; readonly corners: ArrayLike<number> };
  /** Softness of the outline, in pixels of the picture's height. */
  readonly softness: number;
  readonly hasFloor: boolean;
  /** How fine the ball's outline is. */
  readonly subdivisions: number;
  readonly renderer: SceneRenderer;
}

/** Physics substeps in a frame of the video: a bounce is short, and needs fine ones. */
export const substepsPerFrame = (hasFloor: boolean): number => (hasFloor ? 48 : 12);

/**
 * A ball that is held, let go, falls through air and bounces, seen by one camera. Its mass does not show: it is 1 kg
 * here, so contact stiffness and damping are those per kilogram.
 */
export function dropModel(picture: DropPicture): Model {
  const { whole, window, softness, hasFloor, subdivisions, renderer } = picture;
  const size = window?.size ?? whole;
  const scene = createScene([
    rigid(),
    contact(),
    release(),
    shownBalls(subdivisions),
    render({ ...size, camera: OrbitCamera }),
    ...(window ? [pictureWindow(whole, size, window.corners)] : []),
    renderer({ drawings: ['silhouette'], softness: ((2 * softness) / size.height) ** 2, doubleSided: false }),
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
  scene.add(ShownBall, { body: ball, radius: BALL_RADIUS }, 'the look of the ball');
  if (hasFloor) {
    scene.add(
      ContactSphere,
      { body: ball, radius: BALL_RADIUS, ke: START.stiffness, kd: START.damping, kf: 100, mu: 1 },
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
