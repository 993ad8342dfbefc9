import { filmModel } from '@gradsim/film';
import { icosphere } from '@gradsim/mesh';
import { defineExperiment, smoothModes, textSetting, wholeSetting } from '@gradsim/optim';
import { Body, BodyVertex } from '@gradsim/rigid';
import { meshFrom } from './appearance/meshes.ts';
import { deform, scaleMesh, TRUE_SHAPE, tumblingModel, tumblingNote } from './appearance/tumbling.ts';
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
/** Prior of the amplitudes of shape modes, m: keeps a shape of which nearly nothing is seen from turning inside out. */
const PRIOR = { mean: 0, standardDeviation: 0.1 };
/** Radius of the initial ball, m; a mesh that is read is scaled to the same size. */
const RADIUS = 0.4;

/**
 * Estimates shape and mass of a body from one video, starting from a ball of another mass. The body turns, so that all
 * of it is seen, and is pushed off its centre with a known impulse, which determines its mass. Unknown are the mass and
 * the amplitudes of smooth displacements of the vertices, without those that move the whole ball. Settings: `mesh`, the
 * file of the shape to film, scaled to the ball's size (default one that the modes can represent); `functions` over the
 * surface, each of which makes three modes (5, less the constant one); `size` of pictures, `iterations`, `renderer`.
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
    const target = settings.mesh ? scaleMesh(await meshFrom(settings.mesh), RADIUS) : deform(ball, modes, TRUE_SHAPE);
    const film = await filmModel(tumblingModel(target, MASS.truth, settings), TIMELINE, { device });
    return [
      film.stage(tumblingModel(ball, MASS.initial, settings), {
        name: 'shape and mass',
        parameters: [MASS],
        arrays: [{ ...SHAPE, modes, prior: PRIOR }],
        options: {
          search: { method: 'levenberg-marquardt', iterations: settings.iterations, horizons: [0.1, 0.4, 1] },
        },
        notes: ({ arrays }) => [tumblingNote(target, deform(ball, modes, arrays.shape.estimate))],
      }),
    ];
  },
});
