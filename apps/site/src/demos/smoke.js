// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { buildModel, createScene } from 'gradsim/core';
import { addSmoke, buoyancy, SmokeCell, smoke } from 'gradsim/smoke';

const [rows, columns] = [40, 64];
// It comes in at the left, low down, and rises past a round pillar.
const row = (k) => Math.floor(k / columns);
const inlet = (k) => (k % columns > 2 && k % columns < 6 && row(k) > 26 && row(k) < 34 ? 1 : 0);
const pillar = (k) => (Math.hypot(row(k) - 24, (k % columns) - 26) < 5 ? 1 : 0);
const cells = (of) => Array.from({ length: rows * columns }, (_, k) => of(k));

export default {
  title: 'Smoke around a pillar',
  run: { frames: 76, frameRate: 30, substeps: 1 },
  model() {
    const scene = createScene([smoke({ sweeps: 16 })]);
    addSmoke(scene, {
      rows,
      columns,
      rim: { rows: 'closed', columns: 'periodic' },
      buoyancy: 0.02,
      obstacle: cells(pillar),
      inflow: cells(inlet),
      inflowDensity: 1,
      inflowVelocity: [0.1, 0.8],
    });
    return buildModel(scene);
  },
  sliders: [
    { name: 'buoyancy', field: buoyancy, range: [-0.02, 0.06], value: 0.02 },
    { name: 'wind', field: SmokeCell.inflowVelocity, component: 1, range: [0.2, 1.4], value: 0.8 },
    { name: 'wind upwards', field: SmokeCell.inflowVelocity, component: 0, range: [-0.5, 0.5], value: 0.1 },
  ],
  output: {
    name: 'smoke in the right half',
    unit: 'cells',
    field: SmokeCell.density,
    weights: (count) => Array.from({ length: count }, (_, k) => (k % columns > 31 ? 1 : 0)),
  },
  view: { centre: [0, 0, 0], width: columns },
  reads: [SmokeCell.density],
  draw(pen, [density]) {
    pen.cells(density, rows, columns);
    pen.ball([26.5 - columns / 2, rows / 2 - 24.5, 0], 5, [130, 140, 145]);
  },
};
