// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { addCloth, cloth, Hinge, Triangle, wind } from 'gradsim/cloth';
import { buildModel, createScene } from 'gradsim/core';
import { plane } from 'gradsim/mesh';
import { Particle, particles } from 'gradsim/particles';

// A flag of 12 x 8 cells, upright, with its left edge on a pole.
const [across, down] = [12, 8];
const sheet = plane({ size: [0.9, 0.6], segments: [across, down] });
const positions = Float64Array.from(sheet.positions, (x, k) =>
  k % 3 === 0 ? x + 0.45 : k % 3 === 1 ? -sheet.positions[k + 1] : 0.02 * Math.sin(9 * sheet.positions[k - 2]),
);
const pole = [...positions.keys()].filter((k) => k % 3 === 0 && positions[k] < 1e-9).map((k) => k / 3);
const corner = positions.findIndex((x, k) => k % 3 === 0 && x > 0.899 && positions[k + 1] < -0.299) / 3;

export default {
  title: 'A flag in the wind',
  run: { frames: 31, frameRate: 30, substeps: 40 },
  model() {
    const scene = createScene([particles(), cloth({ wind: [3, 0, 1] })]);
    addCloth(
      scene,
      { ...sheet, positions },
      {
        mu: 60,
        lambda: 60,
        damping: 0.02,
        density: 0.2,
        bendStiffness: 2e-4,
        bendDamping: 2e-5,
        drag: 1,
        lift: 0.5,
        fixed: pole,
      },
    );
    return buildModel(scene);
  },
  sliders: [
    { name: 'wind along', unit: 'm/s', field: wind, component: 0, range: [0, 6], value: 3 },
    { name: 'wind across', unit: 'm/s', field: wind, component: 2, range: [-4, 4], value: 1 },
    { name: 'drag', unit: 'kg/m³', field: Triangle.drag, range: [0.2, 2], value: 1 },
    { name: 'bending', unit: 'N m', field: Hinge.stiffness, range: [1e-5, 2e-3], value: 2e-4, isLogarithmic: true },
  ],
  output: {
    name: 'height of the free corner',
    unit: 'm',
    field: Particle.position,
    weights: (count) => Array.from({ length: count }, (_, k) => (k === 3 * corner + 1 ? 1 : 0)),
  },
  view: { centre: [0.45, -0.15, 0], width: 1.9, azimuth: 0.5, elevation: 0.25 },
  reads: [Particle.position],
  draw(pen, [points]) {
    pen.line([0, 0.45, 0, 0, -0.6, 0], [130, 140, 145], 5);
    pen.surface(points, sheet.triangles);
  },
};
