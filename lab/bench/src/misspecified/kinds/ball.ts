import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import { buildModel } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { Body, BodyVertex, Gravity, gravity, rigid } from '@gradsim/rigid';
import type { Kind } from '../kind.ts';
import { filmedScene, paintMesh, resizeMesh } from './scene.ts';
import { tieToSize } from './times-size.ts';

/** Radius of the ball in the model, m. */
const RADIUS = 0.14;
/** Quadratic drag, 1/m, and Coulomb's coefficient, at a model error of strength 1. */
const [DRAG, FRICTION] = [0.5, 0.5];
const { radius: reach, restitution } = impactOf(Body);

/** A ball that bounces without friction. */
export const ball: Kind = {
  timeline: { frames: 24, frameRate: 20, substeps: 8 },
  unknowns: [
    { name: 'speed', field: Body.velocity, component: 0, trueRange: [0.8, 1.3], startDeviation: 0.1, unit: 'm/s' },
    {
      name: 'gravity',
      field: gravity,
      component: 1,
      trueRange: [-11, -8],
      startDeviation: 0.05,
      range: [-30, -1],
      scale: 5,
    },
    { name: 'restitution', field: restitution, trueRange: [0.6, 0.85], startDeviation: 0.05, range: [0.1, 1] },
  ],
  options: { search: { iterations: 40 } },
  sizes: (model) => [tieToSize(model, BodyVertex.local), tieToSize(model, reach)],
  model: (values, departures) => {
    const radius = RADIUS * (1 + departures.size);
    const scene = filmedScene([rigid(), impacts()], { target: [0, 0.5, 0], distance: 2.4 }, departures);
    scene.add(Gravity, { acceleration: [0, values.gravity, 0] });
    const body = scene.add(Body, {
      mesh: paintMesh(
        resizeMesh(icosphere({ radius: RADIUS, subdivisions: 2 }), departures),
        [0.2, 0.35, 0.6],
        departures,
        0.14,
      ),
      mass: 0.5,
      position: [-0.55, 0.9, 0],
      velocity: [values.speed, 0, 0],
      drag: DRAG * departures.drag,
    });
    scene.attach(body, impactOf(Body), { radius, restitution: values.restitution, mu: FRICTION * departures.friction });
    scene.add(HalfSpace, {});
    return buildModel(scene);
  },
};
