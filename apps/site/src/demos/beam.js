// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { buildModel, createScene } from 'gradsim/core';
import { addSoftBody, fem, Tet } from 'gradsim/fem';
import { surfaceTriangles, tetBox } from 'gradsim/mesh';
import { gravity, Particle, particles } from 'gradsim/particles';

// A beam of 60 x 10 x 10 cm, held at its left end.
const beam = tetBox({ size: [0.6, 0.1, 0.1], cells: [9, 2, 2] });
const skin = surfaceTriangles(beam.tets);
const points = Array.from({ length: beam.positions.length / 3 }, (_, k) => k);
const held = points.filter((k) => beam.positions[3 * k] < -0.299);
const tip = points.filter((k) => beam.positions[3 * k] > 0.299);

export default {
  title: 'A soft beam sags',
  run: { frames: 46, frameRate: 30, substeps: 48 },
  model() {
    const scene = createScene([particles(), fem()]);
    addSoftBody(scene, beam, { mu: 2e4, lambda: 4e4, damping: 30, density: 1000, fixed: held });
    return buildModel(scene);
  },
  sliders: [
    { name: 'shear stiffness', unit: 'Pa', field: Tet.mu, range: [8e3, 6e4], value: 2e4, isLogarithmic: true },
    { name: 'volume stiffness', unit: 'Pa', field: Tet.lambda, range: [1e4, 8e4], value: 4e4, isLogarithmic: true },
    { name: 'damping', unit: 'Pa s', field: Tet.damping, range: [1, 100], value: 30, isLogarithmic: true },
    { name: 'gravity', unit: 'm/s²', field: gravity, component: 1, range: [-12, 0], value: -9.81 },
  ],
  output: {
    name: 'height of the tip',
    unit: 'm',
    field: Particle.position,
    weights: (count) => {
      const all = new Float64Array(count);
      for (const k of tip) all[3 * k + 1] = 1 / tip.length;
      return all;
    },
  },
  view: { centre: [0.02, -0.1, 0], width: 0.85, azimuth: -0.4, elevation: 0.3 },
  reads: [Particle.position],
  draw(pen, [now]) {
    pen.surface(now, skin);
  },
};
