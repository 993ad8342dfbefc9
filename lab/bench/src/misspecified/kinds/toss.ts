import { buildModel } from '@gradsim/core';
import { Body, BodyPush, BodyVertex, Gravity, gravity, rigid } from '@gradsim/rigid';
import type { Kind } from '../kind.ts';
import { roundedBox } from './rounded-box.ts';
import { filmedScene, paintMesh, resizeMesh } from './scene.ts';
import { tieToSize } from './times-size.ts';

/** Impulse over 0.1 s, N s, and its point of application relative to the centre of mass, m. */
const [IMPULSE, PUSHED] = [[1.6, 3.2, 0.2], 0.1];
/** Coefficient of quadratic drag, 1/m, at a model error of strength 1. */
const DRAG = 1;

/** A box thrown by a known push. */
export const toss: Kind = {
  timeline: { frames: 18, frameRate: 30, substeps: 8 },
  unknowns: [
    {
      name: 'mass',
      field: Body.mass,
      transform: 'log',
      trueRange: [0.8, 1.3],
      startDeviation: 0.1,
      range: [0.1, 10],
      unit: 'kg',
    },
    {
      name: 'gravity',
      field: gravity,
      component: 1,
      trueRange: [-11, -8],
      startDeviation: 0.1,
      range: [-30, -1],
      scale: 5,
    },
    {
      name: 'spin',
      field: Body.angularVelocity,
      component: 2,
      trueRange: [-5, -2],
      startDeviation: 0.1,
      unit: 'rad/s',
    },
  ],
  options: { search: { iterations: 40 } },
  sizes: (model) => [tieToSize(model, BodyVertex.local)],
  model: (values, departures) => {
    const scene = filmedScene([rigid({ massFromShape: true })], { target: [0.05, 0, 0], distance: 2.8 }, departures);
    scene.add(Gravity, { acceleration: [0, values.gravity, 0] });
    const body = scene.add(Body, {
      mesh: paintMesh(resizeMesh(roundedBox([0.36, 0.24, 0.3]), departures), [0.6, 0.3, 0.2], departures, 0.16),
      mass: values.mass,
      position: [-0.5, -0.3, 0],
      orientation: [0.18, 0.1, 0.27, 0.94],
      angularVelocity: [0.6, 0.4, values.spin],
      drag: DRAG * departures.drag,
    });
    scene.add(BodyPush, {
      body,
      force: IMPULSE.map((j) => j / PUSHED),
      point: [0, 0.03, 0.02],
      start: 0,
      end: PUSHED,
    });
    return buildModel(scene);
  },
};
