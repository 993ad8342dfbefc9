import { articulated, Link } from '@gradsim/articulated';
import type { Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import type { ExperimentContext, ParameterSpec, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import type { View } from './scenes/pendula.ts';
import { ball, DOWNWARDS, filmedScene, filmedStage, refuseFilm, rod } from './scenes/pendula.ts';
import { rendererOf } from './scenes/renderers.ts';
import { numberSetting, refuseUnknownSettings } from './scenes/settings.ts';

const TRUTH = [1, 1] as const;
const START = [1.5, 0.5] as const;
const TIMELINE = { frames: 50, frameRate: 30, substeps: 32 };
/** From straight down. */
const ANGLES = [(3 * Math.PI) / 7, (3 * Math.PI) / 4] as const;

/** Two rods without mass, and on each a ball, as far from its joint as it is long; of a rod 0.3 m are drawn. */
function doublePendulum([first, second]: readonly [number, number], view: View): Model {
  const scene = filmedScene([articulated()], view);
  const hinge = { joint: 'revolute', axis: [0, 0, 1], mesh: rod(0.3) } as const;
  const bob = { joint: 'fixed', mass: 1, mesh: ball } as const;
  const upper = scene.add(Link, { ...hinge, restOrientation: DOWNWARDS, coordinate: ANGLES[0] });
  const middle = scene.add(Link, { ...bob, parent: upper, anchor: [0, first, 0] });
  const lower = scene.add(Link, { ...hinge, parent: middle, coordinate: ANGLES[1] - ANGLES[0] });
  scene.add(Link, { ...bob, parent: lower, anchor: [0, second, 0] });
  return buildModel(scene);
}

/** Both lengths of a double pendulum from a film of it. Settings: `size` of the pictures, `renderer`. */
export default defineExperiment({
  name: 'double-pendulum',
  description: 'Both lengths of a double pendulum from its film.',
  stages: async ({ settings, device, video }: ExperimentContext): Promise<Stage[]> => {
    refuseUnknownSettings('double-pendulum', settings, ['renderer', 'size']);
    refuseFilm('double-pendulum', video);
    const size = numberSetting(settings, 'size', { otherwise: 48, least: 16, whole: true });
    const view = { renderer: await rendererOf(settings.renderer), size, distance: 6 };
    const unknown = (k: 0 | 1): ParameterSpec => ({
      name: k === 0 ? 'upper length' : 'lower length',
      field: Link.anchor,
      elements: [2 * k + 1],
      component: 1,
      transform: 'log',
      range: [0.4, 2],
      unit: 'm',
      initial: START[k],
      truth: TRUTH[k],
    });
    return [
      await filmedStage(
        'lengths',
        {
          model: doublePendulum(START, view),
          truth: doublePendulum(TRUTH, view),
          timeline: TIMELINE,
          device,
        },
        {
          parameters: [unknown(0), unknown(1)],
          options: { iterations: 60, tolerance: 1e-12, horizons: [0.02, 0.1, 0.3, 1], scan: 63, starts: 2 },
        },
      ),
    ];
  },
});
