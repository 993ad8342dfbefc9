import { articulated, Gravity, Link } from '@gradsim/articulated';
import { buildModel } from '@gradsim/core';
import { capsule } from '@gradsim/mesh';
import type { Kind } from '../kind.ts';
import { jointDamping, linearDamping } from './joint-damping.ts';
import { linkColors } from './link-colors.ts';
import { filmedScene, paintMesh, resizeMesh } from './scene.ts';
import { tieToSize } from './times-size.ts';

/** Length of each link of the arm, and distance of its centre of mass from the joint, m. */
const [LENGTH, CENTRE] = [0.45, 0.22];
/**
 * Torque of a motor at the first joint, N m, and the angular velocity at which linear and quadratic damping are equal,
 * rad/s.
 */
const [MOTOR, TYPICAL] = [2, 2];
/** Quadratic drag, N m s^2/rad^2, and dry friction, N m, at a model error of strength 1. */
const [DRAG, FRICTION] = [0.05, 0.2];

/** An arm of two links, driven from rest by a known motor. */
export const arm: Kind = {
  timeline: { frames: 20, frameRate: 20, substeps: 16 },
  unknowns: [
    {
      name: 'mass',
      field: Link.mass,
      elements: [1],
      transform: 'log',
      trueRange: [0.4, 0.7],
      startDeviation: 0.15,
      range: [0.05, 5],
      unit: 'kg',
    },
    {
      name: 'damping',
      field: linearDamping,
      transform: 'log',
      trueRange: [0.05, 0.12],
      startDeviation: 0.3,
      range: [0.001, 5],
      unit: 'N m s/rad',
    },
    {
      name: 'gravity',
      field: 'world.gravity',
      component: 1,
      trueRange: [-11, -8],
      startDeviation: 0.05,
      range: [-30, -1],
      scale: 5,
    },
  ],
  options: { search: { iterations: 40 } },
  sizes: (model) => [
    tieToSize(model, 'linkVertices.local'),
    tieToSize(model, Link.anchor),
    tieToSize(model, Link.centre),
  ],
  model: (values, departures) => {
    const linear = values.damping * (1 - departures.damping);
    const quadratic = (values.damping * departures.damping) / TYPICAL + DRAG * departures.drag;
    const { size } = departures;
    const bar = resizeMesh(capsule({ radius: 0.06, height: LENGTH, segments: 12, rings: 4 }), departures);
    const hung = { ...bar, positions: bar.positions.map((y, k) => (k % 3 === 1 ? y + (LENGTH / 2) * (1 + size) : y)) };
    const upper = paintMesh(hung, [0.25, 0.3, 0.5], departures, 0.14);
    const fore = paintMesh(hung, [0.6, 0.4, 0.15], departures, 0.14);
    const scene = filmedScene(
      [articulated(), jointDamping({ linear, quadratic }), linkColors([upper, fore])],
      { target: [0, -0.2, 0], distance: 3 },
      departures,
    );
    scene.add(Gravity, { acceleration: [0, values.gravity, 0] });
    const shared = {
      joint: 'revolute',
      axis: [0, 0, 1],
      centre: [0, CENTRE * (1 + size), 0],
      dryFriction: FRICTION * departures.friction,
      frictionStiffness: 10 * FRICTION * departures.friction,
    } as const;
    const driven = scene.add(Link, {
      ...shared,
      restOrientation: [0, 0, 1, 0],
      coordinate: -0.8,
      drive: MOTOR,
      mass: 0.8,
      mesh: upper,
    });
    scene.add(Link, {
      ...shared,
      parent: driven,
      anchor: [0, LENGTH * (1 + size), 0],
      coordinate: 0.5,
      mass: values.mass,
      mesh: fore,
    });
    return buildModel(scene);
  },
};
