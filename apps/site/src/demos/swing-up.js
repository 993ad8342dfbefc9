// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { articulated, Link } from 'gradsim/articulated';
import { buildModel, cos, createScene, definePlugin, f32, field, kernel, tanh } from 'gradsim/core';

const [length, mass, gravity] = [0.6, 1, 9.81];
const gain = field('world', 'gain', f32, { unit: 's' });
const most = field('world', 'most', f32, { unit: 'N m' });
// The motor pushes along while the energy of a rod that stands is not reached, and against it above: Astrom, Furuta (2000).
const pump = kernel(
  'pump',
  { domain: Link, reads: { angle: Link.coordinate, rate: Link.rate, gain, most }, writes: { drive: Link.drive } },
  ({ angle, rate, gain, most }) => {
    const kinetic = rate.mul(rate).mul((mass * length ** 2) / 6);
    const missing = cos(angle)
      .add(1)
      .mul((mass * gravity * length) / 2)
      .sub(kinetic);
    return { drive: tanh(missing.mul(rate).mul(gain).div(most)).mul(most) };
  },
);
const motor = definePlugin({
  name: 'motor',
  contract: 1,
  requires: ['@gradsim/articulated'],
  build: ({ model }) => {
    model.addField(gain, { fill: 1 });
    model.addField(most, { fill: 0.9 });
    model.addPass('control', pump);
  },
});

export default {
  title: 'A weak motor swings up',
  run: { frames: 78, frameRate: 30, substeps: 16 },
  model() {
    const scene = createScene([articulated(), motor]);
    const across = (mass * length ** 2) / 12;
    const inertia = [across, 0, 0, 0, across / 100, 0, 0, 0, across];
    const rod = { joint: 'revolute', axis: [0, 0, 1], mass, inertia, centre: [0, -length / 2, 0] };
    scene.add(Link, { ...rod, coordinate: 0.1, damping: 0.01 });
    return buildModel(scene);
  },
  sliders: [
    { name: 'most torque', unit: 'N m', field: most, range: [0.3, 3], value: 0.9 },
    { name: 'gain', unit: 's', field: gain, range: [0.1, 4], value: 1, isLogarithmic: true },
    { name: 'friction', unit: 'N m s/rad', field: Link.damping, range: [0, 0.1], value: 0.01 },
    { name: 'first angle', unit: 'rad', field: Link.coordinate, range: [0.02, 1], value: 0.1, isStart: true },
  ],
  output: { name: 'angle at the end', unit: 'rad', field: Link.coordinate, weights: () => [1] },
  view: { centre: [0, 0, 0], width: 2.4 },
  reads: [Link.coordinate, Link.drive],
  draw(pen, [[angle], [drive]]) {
    const tip = [length * Math.sin(angle), -length * Math.cos(angle), 0];
    pen.trail(tip);
    pen.line([0, 0, 0, ...tip], [130, 140, 145], 9);
    pen.ball([0, 0, 0], 0.03 + 0.06 * Math.abs(drive));
    pen.ball(tip, 0.05);
  },
};
