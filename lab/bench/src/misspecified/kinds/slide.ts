import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, BodyVertex, Gravity, rigid } from '@gradsim/rigid';
import type { Kind } from '../kind.ts';
import { filmedScene, paintMesh, resizeMesh } from './scene.ts';
import { tieToSize } from './times-size.ts';

/** Angle of the incline, rad, and size of the box along the slope, normal to it and across, m. */
const [SLOPE, SIZES] = [0.42, [0.3, 0.2, 0.24]] as const;
const [MASS, GRAVITY] = [1, 9.81];
/** Contact material of each of the four corners. */
const MATERIAL = { ke: 3000, kd: 15, kf: 60 };
/** Coefficient of quadratic drag, 1/m, at a model error of strength 1. */
const DRAG = 1;
const { mu } = contactOf(Body);
/** Depth to which the four corners of the box sink into the incline, m. */
const STATIC_PENETRATION = (MASS * GRAVITY * Math.cos(SLOPE)) / (4 * MATERIAL.ke);
const startOf = (height: number): number[] => [-0.75, height / 2 - STATIC_PENETRATION, 0];

/** A box that slides down an incline; the axes of the scene and its camera are rotated so that x points downhill. */
export const slide: Kind = {
  timeline: { frames: 18, frameRate: 20, substeps: 24 },
  unknowns: [
    { name: 'friction', field: mu, transform: 'log', trueRange: [0.15, 0.3], startDeviation: 0.15, range: [0.01, 2] },
    {
      name: 'speed',
      field: Body.velocity,
      component: 0,
      trueRange: [0.3, 0.7],
      startDeviation: 0.15,
      range: [-5, 5],
      unit: 'm/s',
    },
  ],
  options: { search: { iterations: 40 } },
  sizes: (model) => [
    tieToSize(model, BodyVertex.local),
    { field: Body.position, compute: ({ size }) => startOf(SIZES[1] * size) },
  ],
  model: (values, departures) => {
    const scene = filmedScene([rigid(), contact()], { target: [0, 0.1, 0], distance: 2.3 }, departures);
    scene.add(Gravity, { acceleration: [GRAVITY * Math.sin(SLOPE), -GRAVITY * Math.cos(SLOPE), 0] });
    const mesh = resizeMesh(box({ size: [...SIZES] }), departures);
    const height = 2 * Math.max(...mesh.positions.filter((_, k) => k % 3 === 1));
    const body = scene.add(Body, {
      mesh: paintMesh(mesh, [0.25, 0.5, 0.3], departures, 0.16),
      mass: MASS,
      position: startOf(height),
      velocity: [values.speed, 0, 0],
      drag: DRAG * departures.drag,
    });
    scene.attach(body, contactOf(Body), { ...MATERIAL, mu: values.friction });
    scene.add(HalfSpace, {});
    return buildModel(scene);
  },
};
