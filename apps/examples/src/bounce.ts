import { ContactSphere, contact, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import { filmModel } from '@gradsim/film';
import { icosphere } from '@gradsim/mesh';
import { defineExperiment, parametersOf } from '@gradsim/optim';
import { Body, Gravity, gravity, rigid } from '@gradsim/rigid';
import type { View } from './scenes/pendula.ts';
import { filmedScene } from './scenes/pendula.ts';
import { pictureSettings } from './scenes/renderers.ts';

/** Timeline of 2 s, in which the ball bounces three times. */
const TIMELINE = { frames: 61, frameRate: 30, substeps: 48 };
const [RADIUS, MASS] = [0.14, 0.5];
/** Moment of inertia of a solid ball, 2/5 m r^2, kg m^2. */
const MOMENT = 0.4 * MASS * RADIUS ** 2;
const MATERIAL = { ke: 4000, kd: 8, kf: 40, mu: 0.3 };

/** Model of a ball that is thrown along x with `speed`, m/s, under `gravity` along y, m/s^2. */
function ballModel(thrown: { readonly speed: number; readonly gravity: number }, view: View): Model {
  const scene = filmedScene([rigid(), contact()], view);
  scene.add(Gravity, { acceleration: [0, thrown.gravity, 0] });
  const ball = scene.add(Body, {
    mesh: icosphere({ radius: RADIUS, subdivisions: 2 }),
    mass: MASS,
    inertia: [MOMENT, 0, 0, 0, MOMENT, 0, 0, 0, MOMENT],
    position: [-0.9, 0.9, 0],
    velocity: [thrown.speed, 0, 0],
  });
  scene.add(ContactSphere, { body: ball, radius: RADIUS, ...MATERIAL });
  scene.add(HalfSpace, {});
  return buildModel(scene);
}

const TRUTH = { speed: 1.2, gravity: -9.81 };
const UNKNOWNS = {
  speed: { field: Body.velocity, component: 0, range: [0, 3], initial: 0.4 },
  gravity: { field: gravity, component: 1, range: [-20, -2], scale: 5, initial: -6 },
} as const;
const START = { speed: UNKNOWNS.speed.initial, gravity: UNKNOWNS.gravity.initial };

/**
 * Estimates speed and gravity of a ball that is thrown along the ground and bounces, from its film. Known are its
 * contact material and its radius, which sets the scale of the film. Settings: `size` of the pictures, `renderer`.
 */
export default defineExperiment({
  name: 'bounce',
  description: 'Speed and gravity of a ball that bounces, from its film.',
  settings: pictureSettings(48),
  film: 'own',
  stages: async ({ settings, device }) => {
    const view = { ...settings, distance: 3.4, target: [0.1, 0.5, 0] } as const;
    const film = await filmModel(ballModel(TRUTH, view), TIMELINE, { device });
    const parameters = parametersOf(UNKNOWNS, { truth: TRUTH });
    const options = { search: { iterations: 60, tolerance: 1e-12, horizons: [0.15, 0.3, 0.6, 1] } };
    return [film.stage(ballModel(START, view), { name: 'speed and gravity', parameters, options })];
  },
});
