import { articulated, Link } from '@gradsim/articulated';
import type { Model } from '@gradsim/core';
import { buildModel } from '@gradsim/core';
import { filmModel } from '@gradsim/film';
import { defineExperiment, parametersOf } from '@gradsim/optim';
import type { View } from './scenes/pendula.ts';
import { ball, DOWNWARD_ORIENTATION, filmedScene, rod } from './scenes/pendula.ts';
import { pictureSettings } from './scenes/renderers.ts';

const TIMELINE = { frames: 50, frameRate: 30, substeps: 32 };
/** Initial angles of both rods from straight down, rad. */
const ANGLES = [(3 * Math.PI) / 7, (3 * Math.PI) / 4] as const;

/** Model of two massless rods with a ball at the end of each; only the last 0.3 m of each rod are drawn. */
function doublePendulum(upperLength: number, lowerLength: number, view: View): Model {
  const scene = filmedScene([articulated()], view);
  const hinge = { joint: 'revolute', axis: [0, 0, 1], mesh: rod(0.3) } as const;
  const bob = { joint: 'fixed', mass: 1, mesh: ball } as const;
  const upper = scene.add(Link, { ...hinge, restOrientation: DOWNWARD_ORIENTATION, coordinate: ANGLES[0] });
  const middle = scene.add(Link, { ...bob, parent: upper, anchor: [0, upperLength, 0] });
  const lower = scene.add(Link, { ...hinge, parent: middle, coordinate: ANGLES[1] - ANGLES[0] });
  scene.add(Link, { ...bob, parent: lower, anchor: [0, lowerLength, 0] });
  return buildModel(scene);
}

/** Distances of the balls (links 1 and 3) from their rods' joints, m, as unknowns. */
const length = { field: Link.anchor, component: 1, transform: 'log', range: [0.4, 2] } as const;
const parameters = parametersOf(
  {
    'upper length': { ...length, elements: [1], initial: 1.5 },
    'lower length': { ...length, elements: [3], initial: 0.5 },
  },
  { truth: { 'upper length': 1, 'lower length': 1 } },
);

/**
 * Estimates the lengths of both rods of a double pendulum from its film. Settings: `size` of the pictures, `renderer`.
 */
export default defineExperiment({
  name: 'double-pendulum',
  description: 'Both lengths of a double pendulum from its film.',
  settings: pictureSettings(48),
  film: 'own',
  stages: async ({ settings, device }) => {
    const view = { ...settings, distance: 6 };
    const film = await filmModel(doublePendulum(1, 1, view), TIMELINE, { device });
    return [
      film.stage(doublePendulum(1.5, 0.5, view), {
        name: 'lengths',
        parameters,
        options: { search: { iterations: 60, tolerance: 1e-12, horizons: [0.02, 0.1, 0.3, 1], scan: 63, starts: 2 } },
      }),
    ];
  },
});
