// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { ContactBox, ContactSphere, contact } from 'gradsim/contact';
import { buildModel, createScene } from 'gradsim/core';
import { box, icosphere } from 'gradsim/mesh';
import { Body, BodyVertex, rigid } from 'gradsim/rigid';

const size = [0.5, 0.3, 0.5];
const brick = box({ size });
const ball = icosphere({ radius: 0.18, subdivisions: 2 });
const corners = brick.positions.length;

export default {
  title: 'A ball hits a stack',
  run: { frames: 31, frameRate: 30, substeps: 32 },
  model() {
    const scene = createScene([rigid(), contact({ bodies: { maxSpeed: 12 } })]);
    const material = { ke: 2500, kd: 12, kf: 15, mu: 0.4 };
    for (let k = 0; k < 3; k++) {
      const body = scene.add(Body, { mesh: brick, mass: 1, position: [0.02 * k, 0.3 * k + 0.15, 0.015 * k] });
      scene.add(ContactBox, { body, size, ...material });
    }
    const thrown = scene.add(Body, { mesh: ball, mass: 1.5, position: [-1.3, 0.7, 0.1], velocity: [4, 1.1, 0] });
    scene.add(ContactSphere, { body: thrown, radius: 0.18, ...material });
    scene.add(ContactBox, { position: [0, -0.1, 0], size: [8, 0.2, 8], ...material });
    return buildModel(scene);
  },
  sliders: [
    {
      name: 'speed',
      unit: 'm/s',
      field: Body.velocity,
      component: 0,
      elements: [3],
      range: [2, 7],
      value: 4,
      isStart: true,
    },
    { name: 'mass of the ball', unit: 'kg', field: Body.mass, elements: [3], range: [0.3, 4], value: 1.5 },
    { name: 'mass of the top box', unit: 'kg', field: Body.mass, elements: [2], range: [0.3, 3], value: 1 },
  ],
  output: {
    name: 'x of the top box',
    unit: 'm',
    field: Body.position,
    weights: (count) => Array.from({ length: count }, (_, k) => (k === 6 ? 1 : 0)),
  },
  view: { centre: [0.3, 0.5, 0], width: 4, azimuth: 0.3, elevation: 0.3 },
  reads: [BodyVertex.position],
  draw(pen, [points]) {
    pen.floor();
    for (let k = 0; k < 3; k++)
      pen.surface(points.subarray(k * corners, (k + 1) * corners), brick.triangles, [40 + 50 * k, 150 - 20 * k, 150]);
    pen.surface(points.subarray(3 * corners), ball.triangles);
  },
};
