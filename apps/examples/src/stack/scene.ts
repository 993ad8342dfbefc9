import { ContactBox, ContactSphere, contact } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { box, icosphere } from '@gradsim/mesh';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { painted } from '../scenes/objects.ts';
import type { SceneRenderer } from '../scenes/renderers.ts';

/** Unknowns that the film determines. */
export interface StackUnknowns {
  /**
   * Mass of the ball, kg, with 1 kg for a box: scaling all masses, stiffness and damping together does not change the
   * motion.
   */
  readonly mass: number;
  /** Coulomb's coefficient of friction of all contacts. */
  readonly mu: number;
}

export const STACK_TIMELINE = { frames: 31, frameRate: 30, substeps: 32 } as const;

const SIZE = [0.5, 0.3, 0.5] as const;
/** Radius of the ball, m. */
const BALL_RADIUS = 0.18;
/** Number of boxes in the stack. */
export const BOXES = 3;
const STIFF_MATERIAL = { ke: 2500, kd: 12, kf: 15 };

/**
 * Model of three boxes stacked on a table, slightly offset from each other, and a ball that is thrown at the top one.
 */
export function stackModel(
  { mass, mu }: StackUnknowns,
  { size, renderer }: { readonly size: number; readonly renderer: SceneRenderer },
): Model {
  const scene = createScene([
    rigid(),
    contact({ bodies: { maxSpeed: 10 } }),
    render({ width: size, height: size }),
    renderer({
      softness: 3e-5,
      depthSoftness: 1e-3,
      near: 1,
      far: 20,
      drawings: ['color'],
      backgroundColor: [0.05, 0.07, 0.1],
    }),
  ]);
  const material = { ...STIFF_MATERIAL, mu };
  for (let k = 0; k < BOXES; k++) {
    const name = `box ${k + 1} of the stack`;
    const mesh = painted(box({ size: [...SIZE] }), 11 + k);
    const position = [0.02 * k, SIZE[1] * (k + 0.5), 0.015 * k];
    const turn = 0.05 * k;
    const orientation = [0, Math.sin(turn), 0, Math.cos(turn)];
    const body = scene.add(Body, { mesh, mass: 1, position, orientation }, name);
    scene.add(ContactBox, { body, size: [...SIZE], ...material }, `the shape of ${name}`);
  }
  const ball = scene.add(
    Body,
    {
      mesh: painted(icosphere({ radius: BALL_RADIUS, subdivisions: 2 }), 17),
      mass,
      position: [-1.1, 0.7, 0.1],
      velocity: [4, 1.1, 0],
    },
    'the ball',
  );
  scene.add(ContactSphere, { body: ball, radius: BALL_RADIUS, ...material }, 'the shape of the ball');
  const table = { position: [0, -0.1, 0], size: [6, 0.2, 6], ...material };
  scene.add(ContactBox, table, 'the table');
  scene.add(OrbitCamera, {
    target: [0.35, 0.4, 0],
    distance: 3.6,
    elevation: 0.25,
    azimuth: 0.2,
    fieldOfView: 0.7,
  });
  scene.add(DirectionalLight, { direction: [0.4, 1, 0.6], color: [0.7, 0.7, 0.7] });
  return buildModel(scene);
}
