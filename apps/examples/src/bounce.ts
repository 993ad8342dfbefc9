import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import type { ExperimentContext, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { View } from './scenes/pendula.ts';
import { filmedScene, filmedStage, refuseFilm } from './scenes/pendula.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';

interface Throw {
  /** m/s, along x. */
  readonly speed: number;
  /** m/s^2, downwards. */
  readonly gravity: number;
}
const TRUTH: Throw = { speed: 1.2, gravity: 9.81 };
const START: Throw = { speed: 0.4, gravity: 6 };
/** Three touches in 2 s. */
const TIMELINE = { frames: 61, frameRate: 30, substeps: 48 };
const [RADIUS, MASS] = [0.14, 0.5];
/** Of a solid ball, 2/5 m r^2. */
const MOMENT = 0.4 * MASS * RADIUS ** 2;
const MATERIAL = { ke: 4000, kd: 8, kf: 40, mu: 0.3 };
const skin = icosphere({ radius: RADIUS, subdivisions: 2 });

function ballModel({ speed, gravity }: Throw, view: View): Model {
  const scene = filmedScene([rigid(), contact()], view);
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  const ball = scene.add(Body, {
    mesh: skin,
    mass: MASS,
    inertia: [MOMENT, 0, 0, 0, MOMENT, 0, 0, 0, MOMENT],
    position: [-0.9, 0.9, 0],
    velocity: [speed, 0, 0],
  });
  scene.add(ContactSphere, { body: ball, radius: RADIUS, ...MATERIAL });
  scene.add(HalfSpace, {});
  return buildModel(scene);
}

/**
 * Speed and gravity of a ball that is thrown along the ground and bounces, from a film of it; how it bounces is known, and
 * so is its size, which gives the film its scale. Settings: `size` of the pictures, `renderer`.
 */
export default defineExperiment({
  name: 'bounce',
  description: 'Speed and gravity of a ball that bounces, from its film.',
  stages: async ({ settings, device, video }: ExperimentContext): Promise<Stage[]> => {
    refuseUnknownSettings('bounce', settings, ['renderer', 'size']);
    refuseFilm('bounce', video);
    const size = numberSetting(settings, 'size', { otherwise: 48, least: 16, whole: true });
    const target = [0.1, 0.5, 0] as const;
    const view: View = { renderer: await rendererOf(settings.renderer), size, distance: 3.4, target };
    return [
      await filmedStage(
        'speed and gravity',
        { model: ballModel(START, view), truth: ballModel(TRUTH, view), timeline: TIMELINE, device },
        {
          parameters: [
            {
              name: 'speed',
              field: Body.velocity,
              component: 0,
              unit: 'm/s',
              range: [0, 3],
              initial: START.speed,
              truth: TRUTH.speed,
            },
            {
              // Downwards is negative: the estimate is of the y of gravity.
              name: 'gravity',
              field: 'world.gravity',
              component: 1,
              unit: 'm/s^2',
              range: [-20, -2],
              scale: 5,
              initial: -START.gravity,
              truth: -TRUTH.gravity,
            },
          ],
          options: { iterations: 60, tolerance: 1e-12, horizons: [0.15, 0.3, 0.6, 1] },
        },
      ),
    ];
  },
});
