// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { contact, contactOf, HalfSpace } from 'gradsim/contact';
import { buildModel, createScene, definePlugin, f32, field, kernel, sin } from 'gradsim/core';
import { addSoftBody, fem, Tet } from 'gradsim/fem';
import { surfaceTriangles } from 'gradsim/mesh';
import { gravity, Particle, particles } from 'gradsim/particles';

// A soft ring about the z axis with eight teeth: 24 cells of six tetrahedra each.
const angles = Array.from({ length: 24 }, (_, k) => (2 * Math.PI * k) / 24);
const layer = (inner, outer, z) =>
  angles.flatMap((turn, k) => {
    const radius = k % 3 ? outer : inner;
    return [radius * Math.cos(turn), 1.1 + radius * Math.sin(turn), z];
  });
const layers = [layer(0.5, 0.5, -0.3), layer(0.75, 1, -0.3), layer(0.5, 0.5, 0.3), layer(0.75, 1, 0.3)];
const corner = (k, bits) => 24 * (2 * (bits >> 2) + (bits & 1)) + ((k + ((bits >> 1) & 1)) % 24);
const tets = angles.flatMap((_, k) => Array.from('013703270267064704570517', (bits) => corner(k, bits)));
const mesh = { positions: Float64Array.from(layers.flat()), tets: Uint32Array.from(tets) };
const skin = surfaceTriangles(mesh.tets);

// A wave of swelling elements runs around the ring.
const start = { push: 0.3, pace: 6 };
const [push, pace] = Object.keys(start).map((name) => field('world', name, f32));
const turn = field('tets', 'turn', f32);
const swell = kernel(
  'swell',
  { domain: Tet, reads: { push, pace, turn }, writes: { actuation: Tet.actuation } },
  ({ push, pace, turn }, { time }) => ({ actuation: sin(pace.mul(time).add(turn)).mul(push) }),
);
const drive = definePlugin({
  name: 'drive',
  contract: 1,
  requires: ['@gradsim/fem'],
  build: ({ model }) => {
    for (const each of [push, pace]) model.addField(each, { fill: start[each.name] });
    model.addField(turn, { values: angles.flatMap((angle) => Array(6).fill(angle)) });
    model.addPass('control', swell);
  },
});

const distance = (count) => Array.from({ length: count }, (_, k) => (k % 3 ? 0 : 3 / count));
export default {
  title: 'A soft gear rolls itself',
  run: { frames: 61, frameRate: 30, substeps: 32 },
  model() {
    const scene = createScene([particles(), fem(), contact(), drive]);
    const body = addSoftBody(scene, mesh, { mu: 4e3, lambda: 4e3, damping: 10, density: 10 });
    for (const each of body.particles) scene.attach(each, contactOf(Particle), { ke: 1e3, kd: 2, kf: 20, mu: 0.6 });
    scene.add(HalfSpace, {});
    return buildModel(scene);
  },
  sliders: [
    { name: 'push', field: push, range: [0, 0.5], value: start.push },
    { name: 'pace', unit: 'rad/s', field: pace, range: [-12, 12], value: start.pace },
    { name: 'gravity', unit: 'm/s²', field: gravity, component: 1, range: [-12, -2], value: -9.81 },
  ],
  output: { name: 'distance rolled', unit: 'm', field: Particle.position, weights: distance },
  view: { centre: [0, 0.9, 0], width: 5, azimuth: 0.4, elevation: 0.2 },
  reads: [Particle.position],
  draw: (pen, [now]) => [pen.floor(), pen.surface(now, skin)],
};
