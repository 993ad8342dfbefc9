import { articulated, Gravity, Link } from '@gradsim/articulated';
import { buildModel } from '@gradsim/core';
import { cylinder, icosphere } from '@gradsim/mesh';
import type { Kind } from '../kind.ts';
import { jointDamping, linearDamping } from './joint-damping.ts';
import { linkColors } from './link-colors.ts';
import { filmedScene, paintMesh, resizeMesh } from './scene.ts';
import { tieToSize } from './times-size.ts';

/** Length of the drawn rod and radius of the drawn ball, m. */
const [ROD, RADIUS] = [0.7, 0.14];
/** Typical angular velocity of the swing, rad/s, at which linear and quadratic damping are equal. */
const TYPICAL = 2;
/** Quadratic drag, N m s^2/rad^2, and dry friction, N m, at a model error of strength 1. */
const [DRAG, FRICTION] = [0.1, 0.3];

/** A rod with a ball on a hinge, with linear damping; the position of its mass is not visible. */
export const pendulum: Kind = {
  timeline: { frames: 30, frameRate: 15, substeps: 16 },
  unknowns: [
    {
      name: 'length',
      field: Link.centre,
      elements: [0],
      component: 1,
      transform: 'log',
      trueRange: [0.6, 0.8],
      startDeviation: 0.1,
      range: [0.2, 3],
      unit: 'm',
    },
    {
      name: 'damping',
      field: linearDamping,
      transform: 'log',
      trueRange: [0.1, 0.3],
      startDeviation: 0.3,
      range: [0.001, 5],
      unit: 'N m s/rad',
    },
    { name: 'rate', field: Link.rate, elements: [0], trueRange: [2, 3], startDeviation: 0.1, unit: 'rad/s' },
  ],
  options: { search: { iterations: 40 } },
  sizes: (model) => [tieToSize(model, 'linkVertices.local'), tieToSize(model, Link.anchor)],
  model: (values, departures) => {
    const linear = values.damping * (1 - departures.damping);
    const quadratic = (values.damping * departures.damping) / TYPICAL + DRAG * departures.drag;
    const length = ROD * (1 + departures.size);
    const cut = cylinder({ radius: 0.04, height: length - RADIUS, segments: 16 });
    const hung = { ...cut, positions: cut.positions.map((x, k) => (k % 3 === 1 ? x + (length - RADIUS) / 2 : x)) };
    const rod = paintMesh(hung, [0.25, 0.25, 0.28], departures, 0.1);
    const bob = paintMesh(
      resizeMesh(icosphere({ radius: RADIUS, subdivisions: 2 }), departures),
      [0.6, 0.2, 0.15],
      departures,
      0.14,
    );
    const scene = filmedScene(
      [articulated(), jointDamping({ linear, quadratic }), linkColors([rod, bob])],
      { target: [0, -0.35, 0], distance: 2.3 },
      departures,
    );
    scene.add(Gravity, { acceleration: [0, -9.81, 0] });
    const swinging = scene.add(Link, {
      joint: 'revolute',
      axis: [0, 0, 1],
      // With y down, lengths are above 0.
      restOrientation: [0, 0, 1, 0],
      coordinate: 0.3,
      rate: values.rate,
      mass: 1,
      centre: [0, values.length, 0],
      mesh: rod,
      dryFriction: FRICTION * departures.friction,
      frictionStiffness: 10 * FRICTION * departures.friction,
    });
    scene.add(Link, { parent: swinging, joint: 'fixed', anchor: [0, length, 0], mesh: bob });
    return buildModel(scene);
  },
};
