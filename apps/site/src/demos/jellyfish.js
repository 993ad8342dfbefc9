// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { addCloth, cloth, Hinge, Triangle } from 'gradsim/cloth';
import { buildModel, createScene, definePlugin, f32, field, kernel, sin } from 'gradsim/core';
import { findHinges } from 'gradsim/mesh';
import { Gravity, Particle, particles } from 'gradsim/particles';

// A bell: rings of points below its crown, each turned by half a point against the one above.
const [rings, around, points, corners] = [5, 12, [0, 0.9, 0], []];
const at = (ring, k) => 1 + (ring - 1) * around + (k % around);
for (let ring = 1; ring <= rings; ring++)
  for (let k = 0; k < around; k++) {
    const [polar, turn] = [(0.55 * Math.PI * ring) / rings, (2 * Math.PI * (k + ring / 2)) / around];
    points.push(Math.sin(polar) * Math.sin(turn), 0.9 * Math.cos(polar), Math.sin(polar) * Math.cos(turn));
    const [a, b, c, d] = [at(ring - 1, k), at(ring - 1, k + 1), at(ring, k), at(ring, k + 1)];
    corners.push(...(ring === 1 ? [0, c, d] : [a, c, b, b, c, d]));
  }
const mesh = { positions: Float64Array.from(points), triangles: Uint32Array.from(corners) };
// Muscles bend the hinges, in waves.
const start = { stroke: 0.4, pace: 9, wave: 4 };
const [stroke, pace, wave] = Object.keys(start).map((name) => field('world', name, f32));
const height = field('hinges', 'height', f32);
const pulse = kernel(
  'pulse',
  { domain: Hinge, reads: { stroke, pace, wave, height }, writes: { actuation: Hinge.actuation } },
  ({ stroke, pace, wave, height }, { time }) => ({ actuation: sin(pace.mul(time).add(wave.mul(height))).mul(stroke) }),
);
const muscles = definePlugin({
  name: 'muscles',
  contract: 1,
  requires: ['@gradsim/cloth'],
  build: ({ model }) => {
    for (const each of [stroke, pace, wave]) model.addField(each, { fill: start[each.name] });
    model.addField(height, {
      values: Array.from(findHinges(mesh)).flatMap((k, n) => (n % 4 ? [] : points[3 * k + 1])),
    });
    model.addPass('control', pulse);
  },
});

const meanHeight = (count) => Array.from({ length: count }, (_, k) => (k % 3 === 1 ? 3 / count : 0));
export default {
  title: 'A jellyfish swims',
  run: { frames: 91, frameRate: 30, substeps: 24 },
  model() {
    const scene = createScene([particles(), cloth(), muscles]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const bell = { mu: 3000, lambda: 3000, damping: 10, bendStiffness: 300, bendDamping: 1 };
    addCloth(scene, mesh, { ...bell, mass: 1, lift: 500 });
    return buildModel(scene);
  },
  sliders: [
    { name: 'stroke', unit: 'rad', field: stroke, range: [0, 0.5], value: start.stroke },
    { name: 'pace', unit: 'rad/s', field: pace, range: [2, 12], value: start.pace },
    { name: 'wave', unit: 'rad/m', field: wave, range: [-8, 8], value: start.wave },
    { name: 'lift of the water', unit: 'kg/m³', field: Triangle.lift, range: [100, 2000], value: 500 },
  ],
  output: { name: 'mean height', unit: 'm', field: Particle.position, weights: meanHeight },
  view: { centre: [0, 1, 0], width: 5, azimuth: 0.3, elevation: 0.2 },
  reads: [Particle.position],
  draw: (pen, [now]) => pen.surface(now, mesh.triangles, [200, 120, 190]),
};
