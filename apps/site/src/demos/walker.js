// @ts-nocheck: plain JavaScript for visitors to change; a test runs each demo and checks its derivatives.
import { contact, contactOf, HalfSpace } from 'gradsim/contact';
import { buildModel, createScene, definePlugin, f32, field, kernel, sin } from 'gradsim/core';
import { addSoftBody, fem, Tet } from 'gradsim/fem';
import { surfaceTriangles, tetBox } from 'gradsim/mesh';
import { Particle, particles } from 'gradsim/particles';

// A soft bar of 14 cells, bent to an arch that stands on its ends.
const { positions: straight, tets } = tetBox({ size: [Math.PI, 0.4, 0.5], cells: [14, 2, 1] });
const skin = surfaceTriangles(tets);
const positions = straight.map((value, k) => {
  const [turn, radius] = [straight[k - (k % 3)], 0.8 + straight[k - (k % 3) + 1]];
  return k % 3 === 0 ? radius * Math.sin(turn) : k % 3 === 1 ? radius * Math.cos(turn) + 0.01 : value;
});
const places = Array.from(tets).flatMap((k, at) => (at % 4 ? [] : straight[3 * k]));

// A wave of swelling elements passes along the arch.
const start = { push: 0.35, pace: 9, wave: -1.5 };
const [push, pace, wave] = Object.keys(start).map((name) => field('world', name, f32));
const place = field('tets', 'place', f32);
const swell = kernel(
  'swell',
  { domain: Tet, reads: { push, pace, wave, place }, writes: { actuation: Tet.actuation } },
  ({ push, pace, wave, place }, { time }) => ({ actuation: sin(pace.mul(time).add(wave.mul(place))).mul(push) }),
);
const gait = definePlugin({
  name: 'gait',
  contract: 1,
  requires: ['@gradsim/fem'],
  build: ({ model }) => {
    for (const each of [push, pace, wave]) model.addField(each, { fill: start[each.name] });
    model.addField(place, { values: places });
    model.addPass('control', swell);
  },
});

const distance = (count) => Array.from({ length: count }, (_, k) => (k % 3 ? 0 : 3 / count));
export default {
  title: 'A soft arch walks',
  run: { frames: 91, frameRate: 30, substeps: 48 },
  model() {
    const scene = createScene([particles(), fem(), contact(), gait]);
    const body = addSoftBody(scene, { positions, tets }, { mu: 6e3, lambda: 6e3, damping: 10, density: 30 });
    const touch = { ke: 2e3, kd: 5, kf: 20, mu: 0.5 };
    for (const each of body.particles) scene.attach(each, contactOf(Particle), touch);
    scene.add(HalfSpace, {});
    return buildModel(scene);
  },
  sliders: [
    { name: 'push', field: push, range: [0, 0.4], value: start.push },
    { name: 'pace', unit: 'rad/s', field: pace, range: [3, 15], value: start.pace },
    { name: 'wave', field: wave, range: [-3, 3], value: start.wave },
    { name: 'friction', field: contactOf(Particle).mu, range: [0.1, 1], value: 0.5 },
  ],
  output: { name: 'distance walked', unit: 'm', field: Particle.position, weights: distance },
  view: { centre: [0, 0.5, 0], width: 4, azimuth: 0.4, elevation: 0.2 },
  reads: [Particle.position],
  draw: (pen, [now]) => [pen.floor(), pen.surface(now, skin)],
};
