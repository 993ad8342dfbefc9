import { filmModel } from '@gradsim/film';
import { icosphere } from '@gradsim/mesh';
import { defineExperiment, smoothModes, textSetting, wholeSetting } from '@gradsim/optim';
import { Body, BodyVertex } from '@gradsim/rigid';
import { meshFrom } from './appearance/meshes.ts';
import { moved, scaled, TRUE_SHAPE, tumblingModel, tumblingNote } from './appearance/tumbling.ts';
import { pictureSettings } from './scenes/renderers.ts';

const TIMELINE = { frames: 24, frameRate: 30, substeps: 16 } as const;
const MASS = { name: 'mass', field: Body.mass, transform: 'log', range: [0.2, 10], initial: 0.6, truth: 1.7 } as const;
const SHAPE = {
  name: 'shape',
  field: BodyVertex.local,
  initial: 0,
  scale: 0.05,
  unit: 'm',
  range: [-0.2, 0.2],
} as const;
/** It keeps a shape that has nearly no picture from turning inside out, and has no weight beside a film that fits. */
const PRIOR = { mean: 0, standardDeviation: 0.1 };
/** Radius of the initial ball, and scale of a mesh that is read, m. */
const RADIUS = 0.4;

/**
 * Shape and mass of a body from one video, from a ball of another mass on. It turns, so that all of it comes into view, and
 * is pushed off its centre with a known impulse, which tells its mass; inertia and centre of mass follow from the shape.
 * Unknown are the mass and the amounts of smooth modes of the vertices, those that move the whole ball left out: where
 * the centre of mass begins is known. Settings: `mesh`, the file of a shape to film (default one that the modes can
 * make), brought to the size of the ball; `functions`, how many functions over the surface make modes, three each (5 with
 * the one that is left out); `size` of the pictures, `iterations`, `renderer`.
 */
export default defineExperiment({
  name: 'shape-and-mass',
  description: 'Shape and mass of a turning body that is pushed, from one video, from a ball on.',
  settings: {
    ...pictureSettings(48, 1),
    mesh: textSetting,
    functions: wholeSetting(5, { least: 2 }),
    iterations: wholeSetting(40),
  },
  film: 'own',
  stages: async ({ settings, device }) => {
    const ball = icosphere({ radius: RADIUS, subdivisions: 1 });
    const modes = smoothModes(ball.triangles, { count: settings.functions }).slice(3);
    const target = settings.mesh ? scaled(await meshFrom(settings.mesh), RADIUS) : moved(ball, modes, TRUE_SHAPE);
    const film = await filmModel(tumblingModel(target, MASS.truth, settings), TIMELINE, { device });
    return [
      film.stage(tumblingModel(ball, MASS.initial, settings), {
        name: 'shape and mass',
        parameters: [MASS],
        arrays: [{ ...SHAPE, modes, prior: PRIOR }],
        options: {
          search: { method: 'levenberg-marquardt', iterations: settings.iterations, horizons: [0.1, 0.4, 1] },
        },
        notes: ({ arrays }) => [tumblingNote(target, moved(ball, modes, arrays.shape.estimate))],
      }),
    ];
  },
});
