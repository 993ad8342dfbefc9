// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { buildModel, createScene } from 'gradsim/core';
import { box } from 'gradsim/mesh';
import { Body, BodyVertex, gravity, rigid } from 'gradsim/rigid';

const brick = box({ size: [0.6, 0.18, 0.3] });

export default {
  title: 'A brick is thrown',
  // A second and a half of flight through air.
  run: { frames: 46, frameRate: 30, substeps: 16 },
  model() {
    const scene = createScene([rigid()]);
    scene.add(Body, {
      mesh: brick,
      density: 400,
      position: [-2.4, 0.2, 0],
      velocity: [3, 6, 0],
      angularVelocity: [1, 0, -5],
    });
    return buildModel(scene);
  },
  sliders: [
    { name: 'speed along', unit: 'm/s', field: Body.velocity, component: 0, range: [0, 5], value: 3, isStart: true },
    { name: 'speed upwards', unit: 'm/s', field: Body.velocity, component: 1, range: [3, 9], value: 6, isStart: true },
    { name: 'drag', unit: '1/m', field: Body.drag, range: [0, 0.5], value: 0.05 },
    { name: 'gravity', unit: 'm/s²', field: gravity, component: 1, range: [-12, -1.6], value: -9.81 },
  ],
  // How far it has come, and what moves that.
  output: { name: 'x at the end', unit: 'm', field: Body.position, weights: () => [1, 0, 0] },
  view: { centre: [0, 0.7, 0], width: 6.4 },
  reads: [Body.position, BodyVertex.position],
  draw(pen, [centre, corners]) {
    pen.trail(centre);
    pen.surface(corners, brick.triangles);
  },
};
