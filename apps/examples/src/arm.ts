import { filmModel } from '@gradsim/film';
import type { Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { armModel } from './arm/model.ts';
import { BASES, RATIOS, startOf, TRUTH, unknownsOf } from './arm/unknowns.ts';
import { pictureSettings } from './scenes/renderers.ts';

const TIMELINE = { frames: 46, frameRate: 30, substeps: 32 };
/** Constant torque of each joint's motor, N m. */
const MOTOR_TORQUES = [2.5, -0.8, 0.4, 0.15];
const OPTIONS = { search: { iterations: 80, tolerance: 1e-12, horizons: [0.1, 0.25, 0.5, 1] } };

const STAGES = [
  {
    name: 'swinging',
    motors: [0, 0, 0, 0],
    unknown: ['mass', 'centre', 'friction'],
    derived: RATIOS,
    note: 'with all masses and all friction times one factor the arm swings alike. It shows their ratios.',
  },
  {
    name: 'driven',
    motors: MOTOR_TORQUES,
    unknown: ['mass', 'centre', 'friction'],
    note: 'nothing, as the motors are known.',
  },
  {
    name: 'driven, reaches unknown',
    motors: MOTOR_TORQUES,
    unknown: ['mass', 'centre', 'friction', 'reach'],
    derived: BASES,
    note: 'mass, centre and reach of a link can change together, with the masses beyond. It shows the first moment and the inertia of each link about its joint, what hangs on its end counted there.',
  },
] as const;

/**
 * Estimates masses, centres of mass and dry friction of an arm of four joints from films, in three stages: of a freely
 * swinging arm, which determines masses and friction only up to a common factor; of one with known motor torques, which
 * determines all; and of this with the extent of each link's mass unknown too, where the report names what is not
 * determined. Settings: `size` of the pictures, `renderer`.
 */
export default defineExperiment({
  name: 'arm',
  description: 'Masses, centres of mass and friction of an arm of four joints, from its film.',
  settings: pictureSettings(48),
  film: 'own',
  stages: async ({ settings, device }) => {
    const view = { ...settings, distance: 3.6 };
    const stages: Stage[] = [];
    for (const { motors, unknown, note, ...stage } of STAGES) {
      const film = await filmModel(armModel(TRUTH, motors, view), TIMELINE, { device });
      const notes: Stage['notes'] = ({ undetermined }) =>
        undetermined.length > 0 ? [`What no such film can show: ${note}`] : [];
      const model = armModel(startOf(unknown), motors, view);
      stages.push(film.stage(model, { ...stage, ...unknownsOf(unknown), options: OPTIONS, notes }));
    }
    return stages;
  },
});
