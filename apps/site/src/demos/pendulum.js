// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { articulated, Link } from 'gradsim/articulated';
import { buildModel, createScene } from 'gradsim/core';

export default {
  title: 'A double pendulum',
  // Let it run longer, and the derivative grows without bound: this motion is chaotic.
  run: { frames: 61, frameRate: 30, substeps: 32 },
  model() {
    const scene = createScene([articulated()]);
    const arm = { joint: 'revolute', axis: [0, 0, 1], mass: 1, centre: [0, -0.5, 0], damping: 0.02 };
    const upper = scene.add(Link, { ...arm, coordinate: 1.2 });
    scene.add(Link, { ...arm, parent: upper, anchor: [0, -0.5, 0], coordinate: 0.4 });
    return buildModel(scene);
  },
  sliders: [
    {
      name: 'upper angle',
      unit: 'rad',
      field: Link.coordinate,
      elements: [0],
      range: [-3, 3],
      value: 1.2,
      isStart: true,
    },
    {
      name: 'lower angle',
      unit: 'rad',
      field: Link.coordinate,
      elements: [1],
      range: [-3, 3],
      value: 0.4,
      isStart: true,
    },
    { name: 'upper mass', unit: 'kg', field: Link.mass, elements: [0], range: [0.2, 3], value: 1 },
    { name: 'friction in joints', unit: 'N m s/rad', field: Link.damping, range: [0, 0.2], value: 0.02 },
  ],
  output: { name: 'lower angle after two seconds', unit: 'rad', field: Link.coordinate, weights: () => [0, 1] },
  view: { centre: [0, -0.25, 0], width: 3 },
  reads: [Link.coordinate],
  draw(pen, [[upper, lower]]) {
    const [x, y] = [0.5 * Math.sin(upper), -0.5 * Math.cos(upper)];
    const end = [x + 0.5 * Math.sin(upper + lower), y - 0.5 * Math.cos(upper + lower), 0];
    pen.trail(end);
    pen.line([0, 0, 0, x, y, 0, ...end], [130, 140, 145], 5);
    pen.ball([x, y, 0], 0.07);
    pen.ball(end, 0.07);
  },
};
