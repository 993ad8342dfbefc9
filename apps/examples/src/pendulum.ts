import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Model } from '@gradsim/core';
import { buildModel, definePlugin, dot, f32, field, kernel } from '@gradsim/core';
import type { ExperimentContext, ParameterSpec, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import type { View } from './scenes/pendula.ts';
import { ball, DOWNWARDS, filmedScene, filmedStage, refuseFilm, rod } from './scenes/pendula.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';

interface Pendulum {
  /** m, m/s^2, 1/s. */
  readonly length: number;
  readonly gravity: number;
  readonly damping: number;
}
const TRUTH: Pendulum = { length: 1, gravity: 9.81, damping: 0.5 };
const START: Pendulum = { length: 0.5, gravity: 5, damping: 0.1 };
const TIMELINE = { frames: 151, frameRate: 30, substeps: 16 };
/** What is drawn hangs this far below the joint, wherever the mass is: the film has no scale. */
const DRAWN = 0.7;

const damping = field('world', 'swingDamping', f32, { unit: '1/s' });
/** theta'' = ... - c theta' of a point mass at the centre: a torque of -c m L^2 theta'. */
const dampSwing = kernel(
  'dampSwing',
  {
    domain: Link,
    reads: { mass: Link.mass, centre: Link.centre, rate: Link.rate, damping },
    adds: { effort: Link.effort },
  },
  ({ mass, centre, rate, damping, effort }) => effort.add(rate.mul(damping).mul(mass).mul(dot(centre, centre)).neg()),
);
const swingDamping = (value: number) =>
  definePlugin({
    name: 'swing-damping',
    contract: 1,
    requires: ['@gradsim/articulated'],
    build: ({ model }) => {
      model.addField(damping, { fill: value });
      model.addPass('force', dampSwing);
    },
  });

function pendulumModel({ length, gravity, damping: c }: Pendulum, view: View): Model {
  const scene = filmedScene([articulated(), swingDamping(c)], view);
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  const hung = { joint: 'revolute', axis: [0, 0, 1], restOrientation: DOWNWARDS, rate: 3 } as const;
  const swinging = scene.add(Link, { ...hung, mass: 1, centre: [0, length, 0], mesh: rod(DRAWN) });
  scene.add(Link, { parent: swinging, joint: 'fixed', anchor: [0, DRAWN, 0], mesh: ball });
  return buildModel(scene);
}

const UNKNOWNS = {
  length: { field: Link.centre, elements: [0], component: 1, transform: 'log', range: [0.3, 2], unit: 'm' },
  // Downwards is negative: the estimate is of the y of gravity.
  gravity: { field: 'world.gravity', component: 1, range: [-20, -2], scale: 5, unit: 'm/s^2' },
  damping: { field: damping, transform: 'log', range: [0.05, 2], unit: '1/s' },
} as const;
type Name = keyof typeof UNKNOWNS;
const signed = (name: Name, { [name]: value }: Pendulum): number => (name === 'gravity' ? -value : value);

/**
 * A pendulum from a film of it: its length with gravity known, gravity with the length known, and its damping; then
 * length and gravity together, of which theta'' = -(g/L) sin(theta) - c theta' tells the ratio alone, as the report says.
 * Settings: `size` of the pictures, `renderer`.
 */
export default defineExperiment({
  name: 'pendulum',
  description: 'Length, gravity and damping of a pendulum from its film.',
  stages: async ({ settings, device, video }: ExperimentContext): Promise<Stage[]> => {
    refuseUnknownSettings('pendulum', settings, ['renderer', 'size']);
    refuseFilm('pendulum', video);
    const size = numberSetting(settings, 'size', { otherwise: 48, least: 16, whole: true });
    const view = { renderer: await rendererOf(settings.renderer), size, distance: 2.6 };
    const truth = pendulumModel(TRUTH, view);
    const stage = (name: string, names: readonly Name[]): Promise<Stage> => {
      const unknown = (one: Name): ParameterSpec => ({
        name: one,
        ...UNKNOWNS[one],
        initial: signed(one, START),
        truth: signed(one, TRUTH),
      });
      const start = Object.fromEntries(names.map((one) => [one, START[one]]));
      const model = pendulumModel({ ...TRUTH, ...start }, view);
      return filmedStage(
        name,
        { model, truth, timeline: TIMELINE, device },
        {
          parameters: names.map(unknown),
          options: { iterations: 60, tolerance: 1e-12, horizons: [0.1, 0.3, 1], scan: 31 },
          notes: ({ parameters }) =>
            names.length < 2
              ? []
              : [
                  `gravity / length is ${(-parameters.gravity.estimate / parameters.length.estimate).toFixed(6)} 1/s^2, in truth ${TRUTH.gravity / TRUTH.length}; of the two alone, the film tells nothing.`,
                ],
        },
      );
    };
    return [
      await stage('length', ['length']),
      await stage('gravity', ['gravity']),
      await stage('damping', ['damping']),
      await stage('length and gravity', ['length', 'gravity']),
    ];
  },
});
