import { articulated, Gravity, gravity, Link } from '@gradsim/articulated';
import type { Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import { filmModel } from '@gradsim/film';
import { defineExperiment, parametersOf } from '@gradsim/optim';
import { damping, swingDamping } from './pendulum/damping.ts';
import { ratioNote } from './pendulum/note.ts';
import type { View } from './scenes/pendula.ts';
import { ball, DOWNWARD_ORIENTATION, filmedScene, rod } from './scenes/pendula.ts';
import { pictureSettings } from './scenes/renderers.ts';

const TIMELINE = { frames: 151, frameRate: 30, substeps: 16 };
/** True values of the film: length, m, gravity along y, m/s^2, and damping, 1/s. */
const TRUTH = { length: 1, gravity: -9.81, damping: 0.5 };
const UNKNOWNS = {
  length: { field: Link.centre, elements: [0], component: 1, transform: 'log', initial: 0.5, range: [0.3, 2] },
  gravity: { field: gravity, component: 1, initial: -5, range: [-20, -2], scale: 5 },
  damping: { field: damping, transform: 'log', initial: 0.1, range: [0.05, 2] },
} as const;
const ALL = parametersOf(UNKNOWNS, { truth: TRUTH });
/** Distance below the joint at which the mass is drawn, m, for any length, so that the film shows no scale. */
const DRAWN = 0.7;

function pendulumModel(swung: typeof TRUTH, view: View): Model {
  const scene = filmedScene([articulated(), swingDamping(swung.damping)], view);
  scene.add(Gravity, { acceleration: [0, swung.gravity, 0] });
  const hung = { joint: 'revolute', axis: [0, 0, 1], restOrientation: DOWNWARD_ORIENTATION, rate: 3 } as const;
  const swinging = scene.add(Link, { ...hung, mass: 1, centre: [0, swung.length, 0], mesh: rod(DRAWN) });
  scene.add(Link, { parent: swinging, joint: 'fixed', anchor: [0, DRAWN, 0], mesh: ball });
  return buildModel(scene);
}

/**
 * Estimates length, gravity and damping of a pendulum from its film, each with the other two known; then length and
 * gravity together, of which theta'' = -(g/L) sin(theta) - c theta' determines only the ratio, as the report says.
 * Settings: `size` of the pictures, `renderer`.
 */
export default defineExperiment({
  name: 'pendulum',
  description: 'Length, gravity and damping of a pendulum from its film.',
  settings: pictureSettings(48),
  film: 'own',
  stages: async ({ settings, device }) => {
    const view = { ...settings, distance: 2.6 };
    const film = await filmModel(pendulumModel(TRUTH, view), TIMELINE, { device });
    const options = { search: { iterations: 60, tolerance: 1e-12, horizons: [0.1, 0.3, 1], scan: 31 } };
    return [['length'], ['gravity'], ['damping'], ['length', 'gravity']].map((names) => {
      const parameters = ALL.filter(({ name }) => names.includes(name));
      const start = Object.fromEntries(parameters.map(({ name, initial }) => [name, initial]));
      return film.stage(pendulumModel({ ...TRUTH, ...start }, view), {
        name: names.join(' and '),
        parameters,
        options,
        notes: ({ parameters: { length: l, gravity: g } }) =>
          l && g ? [ratioNote(g.estimate / l.estimate, TRUTH)] : [],
      });
    });
  },
});
