// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { HalfSpace, impactOf, impacts } from 'gradsim/contact';
import { buildModel, createScene } from 'gradsim/core';
import { icosphere } from 'gradsim/mesh';
import { Body, rigid } from 'gradsim/rigid';

const radius = 0.12;

export default {
  title: 'A ball bounces',
  run: { frames: 61, frameRate: 30, substeps: 8 },
  model() {
    const scene = createScene([rigid(), impacts()]);
    const ball = scene.add(Body, {
      mesh: icosphere({ radius }),
      mass: 0.1,
      position: [-1.6, 1.3, 0],
      velocity: [1.2, 0, 0],
      angularVelocity: [0, 0, 30],
    });
    // It meets the floor at an instant within a substep: the derivative moves with that instant.
    scene.attach(ball, impactOf(Body), { radius, restitution: 0.8, mu: 0.06 });
    scene.add(HalfSpace, {});
    return buildModel(scene);
  },
  sliders: [
    { name: 'restitution', field: 'bodies.restitution', range: [0.3, 0.98], value: 0.8 },
    { name: 'friction', field: 'bodies.mu', range: [0, 0.3], value: 0.06 },
    { name: 'speed', unit: 'm/s', field: Body.velocity, component: 0, range: [0, 2], value: 1.2, isStart: true },
    {
      name: 'spin',
      unit: 'rad/s',
      field: Body.angularVelocity,
      component: 2,
      range: [-40, 40],
      value: 30,
      isStart: true,
    },
    { name: 'height', unit: 'm', field: Body.position, component: 1, range: [0.5, 1.6], value: 1.3, isStart: true },
  ],
  output: { name: 'x after two seconds', unit: 'm', field: Body.position, weights: () => [1, 0, 0] },
  view: { centre: [0, 0.8, 0], width: 4 },
  reads: [Body.position, Body.orientation],
  draw(pen, [[x, y], [, , qz, qw]]) {
    pen.floor();
    pen.trail([x, y, 0]);
    pen.ball([x, y, 0], radius);
    // A stroke from the middle shows how it spins.
    const turn = 2 * Math.atan2(qz, qw);
    pen.line([x, y, 0, x + radius * Math.cos(turn), y + radius * Math.sin(turn), 0], [60, 40, 20]);
  },
};
