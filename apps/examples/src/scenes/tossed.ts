import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { hiddenBelow } from './hidden-below.ts';
import type { SceneRenderer } from './renderers.ts';
import { RENDERERS } from './renderers.ts';

/**
 * Contact material, as in the paper: stiffness ke, N/m, damping kd and friction stiffness kf, N s/m, friction
 * coefficient mu.
 */
export interface ContactMaterial {
  readonly ke: number;
  readonly kd: number;
  readonly kf: number;
  readonly mu: number;
}

/** An object that is pushed once and falls onto the ground, filmed by one camera. */
export interface Toss {
  readonly mesh: TriangleMesh;
  /** Mass, kg. */
  readonly mass: number;
  readonly material: ContactMaterial;
  readonly position: readonly number[];
  readonly orientation: readonly number[];
  readonly velocity: readonly number[];
  readonly angularVelocity: readonly number[];
  /** Impulse of the push, N s, spread evenly over the first 0.1 s; it acts at `pushPoint`, m, in body axes. */
  readonly impulse: readonly number[];
  readonly pushPoint: readonly number[];
  readonly camera: {
    readonly target: readonly number[];
    readonly distance: number;
    readonly elevation: number;
    readonly azimuth: number;
  };
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
}

/** Duration of the push that tosses the object, s. */
export const PUSH_SECONDS = 0.1;

/** Timeline of the paper's rigid-body experiments: 60 frames at 30 Hz. */
export const TOSS_TIMELINE = { frames: 60, frameRate: 30, substeps: 32 } as const;

/** Vertical field of view of the camera, rad. */
export const TOSS_FIELD_OF_VIEW = 0.7;

/** Options of the pictures of a toss. */
export interface TossPicture {
  /** Softness of outlines, see {@link SceneDrawing}; the default is one pixel of pictures of 180 x 180 pixels. */
  readonly softness?: number;
  readonly renderer?: SceneRenderer;
  /**
   * `color` draws `pixels.rgba`; `silhouette` draws `pixels.alpha` only, of the part of the object above an opaque
   * ground.
   */
  readonly drawing?: 'color' | 'silhouette';
}

/** Model of a toss: a body that is pushed once, the ground, a camera and a light. */
export function tossModel(
  toss: Toss,
  { softness = 3e-5, renderer = RENDERERS.softras, drawing = 'color' }: TossPicture = {},
): Model {
  const { size, camera } = toss;
  const scene = createScene([
    rigid(),
    contact(),
    ...(drawing === 'silhouette' ? [hiddenBelow()] : []),
    render({ width: size, height: size }),
    renderer({
      softness,
      depthSoftness: 1e-3,
      near: 1,
      far: 50,
      drawings: [drawing],
      backgroundColor: [0.05, 0.07, 0.1],
    }),
  ]);
  const body = scene.add(
    Body,
    {
      mesh: toss.mesh,
      mass: toss.mass,
      position: toss.position,
      orientation: toss.orientation,
      velocity: toss.velocity,
      angularVelocity: toss.angularVelocity,
    },
    'the object',
  );
  scene.attach(body, contactOf(Body), { ...toss.material });
  scene.add(HalfSpace, {}, 'the ground');
  scene.add(BodyPush, {
    body,
    force: toss.impulse.map((j) => j / PUSH_SECONDS),
    point: toss.pushPoint,
    start: 0,
    end: PUSH_SECONDS,
  });
  scene.add(OrbitCamera, { ...camera, fieldOfView: TOSS_FIELD_OF_VIEW });
  scene.add(DirectionalLight, { direction: [0.4, 1, 0.6], color: [0.7, 0.7, 0.7] });
  return buildModel(scene);
}
