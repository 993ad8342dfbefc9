import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { DirectionalLight, LookAtCamera, render } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { RENDERERS } from '../scenes/renderers.ts';

/** Edge length (`width`), m, and mass, kg, of the cube. */
export const CUBE = { width: 0.1, mass: 0.4 } as const;
/** Physics substeps per frame. */
export const SUBSTEPS = 60;
/** Acceleration of gravity, m/s^2, with z up as in the recordings. */
export const GRAVITY = [0, 0, -9.81];

/** True contact material of the sample; `duration` is that of a contact, s. */
export const TRUTH = { mu: 0.22, restitution: 0.35, duration: 0.016 } as const;
export type Material = Readonly<Record<keyof typeof TRUTH, number>>;
export const SAMPLE_TOSS = {
  start: {
    position: [0.2, -0.1, 0.16],
    orientation: [0.2, -0.4, 0.3, 0.84],
    velocity: [-1.1, 0.5, 0.2],
    angularVelocity: [2, -4, 3],
  },
  frames: 90,
  frameRate: 120,
  /** Standard deviations of the noise in the tracked positions, m, and orientations, rad. */
  noise: { position: 0.0004, orientation: 0.004 },
} as const;

/** Camera view of a toss. */
export interface CubePicture {
  /** Point in the middle of the picture, m. */
  readonly target: readonly number[];
  /** Distance of the camera from `target`, m. */
  readonly distance: number;
}

/** Width and height of the rendered pictures, px. */
export const PICTURE = { width: 240, height: 180 } as const;
/** Direction from the middle of the picture to the camera, of unit length: in front and above. */
const EYE = [0.28, -0.8, 0.53];

/** Model of a cube above a table with a given initial state, optionally with a camera and renderer. */
export function cubeModel(
  start: Readonly<Record<keyof typeof SAMPLE_TOSS.start, readonly number[]>>,
  material: Material,
  picture?: CubePicture,
): Model {
  const { width, mass } = CUBE;
  const drawn = picture && [
    render({ ...PICTURE, camera: LookAtCamera, ambient: [0.25, 0.25, 0.25] }),
    RENDERERS.softras({
      softness: 3e-5,
      depthSoftness: 1e-3,
      near: 0.01,
      far: 50,
      drawings: ['color'],
      backgroundColor: [0.05, 0.07, 0.1],
    }),
  ];
  const scene = createScene([rigid(), contact(), ...(drawn ?? [])]);
  const cube = scene.add(Body, { mesh: box({ size: [width, width, width] }), mass, ...start }, 'cube');
  scene.attach(cube, contactOf(Body), material);
  scene.add(HalfSpace, { normal: [0, 0, 1] });
  scene.add(Gravity, { acceleration: GRAVITY });
  if (picture) {
    const { target, distance } = picture;
    const eye = target.map((c, k) => c + distance * EYE[k]);
    scene.add(LookAtCamera, { eye, target, up: [0, 0, 1], fieldOfView: 0.7 });
    scene.add(DirectionalLight, { direction: [0.5, -0.5, 1], color: [0.7, 0.7, 0.7] });
  }
  return buildModel(scene);
}
