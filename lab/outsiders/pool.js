// Waves on a shallow pool with walls around it: heights of the water in cells, flow through the faces between them. The
// wave equation of shallow water, whose volume stays the same to rounding (Mesinger and Arakawa 1976, grid C).
import { createSimulation, f32, f64Device, field, fieldOn, kernel, Model, vec2 } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { grid } from '@gradsim/dynamics';

const SIDE = 20;
const nodes = { size: /** @type {[number, number]} */ ([SIDE, SIDE]), spacing: 0.5 };
const gravity = field('world', 'gravity', f32, { unit: 'm/s^2' });
/** Height above the level at rest and depth below it, m; flow along x and y through the faces after a cell, m/s. */
const [height, depth] = ['height', 'depth'].map((name) => field('cells', name, f32, { unit: 'm' }));
const flow = field('faces', 'flow', vec2, { unit: 'm/s' });

const model = new Model();
// Beyond a wall the height is that before it, so that it pushes no flow through, and the flow is 0.
const cells = grid(model, 'cells', { ...nodes, edge: 'clamp' });
const faces = grid(model, 'faces', { ...nodes, edge: 'zero' });
const push = kernel(
  'push',
  { domain: faces, reads: { flow, gravity, height: fieldOn(height) }, writes: { flow } },
  ({ flow, gravity, height }, { element, dt }) => {
    const here = cells.at(element);
    const rise = vec2(here.shift(height, [1, 0]), here.shift(height, [0, 1])).sub(vec2(1, 1).mul(height.at(element)));
    return { flow: flow.sub(rise.mul(gravity.mul(dt).div(nodes.spacing))) };
  },
);
const fill = kernel(
  'fill',
  { domain: cells, reads: { height, depth, flow: fieldOn(flow) }, writes: { height } },
  ({ height, depth, flow }, { element, dt }) => {
    const [here, between] = [cells.at(element), faces.at(element)];
    const water = (/** @type {[number, number]} */ by) => here.shift(height, by).add(here.shift(depth, by));
    const own = water([0, 0]);
    const [out, back] = [flow.at(element), { x: between.shift(flow, [-1, 0]).x, y: between.shift(flow, [0, -1]).y }];
    const through = [
      out.x.mul(own.add(water([1, 0]))),
      out.y.mul(own.add(water([0, 1]))),
      back.x.mul(own.add(water([-1, 0]))).neg(),
      back.y.mul(own.add(water([0, -1]))).neg(),
    ].reduce((a, b) => a.add(b));
    return { height: height.sub(through.mul(dt.div(2 * nodes.spacing))) };
  },
);
const drop = Array.from({ length: SIDE ** 2 }, (_, k) =>
  Math.exp(((k % SIDE) - 12) ** 2 / -6 + (Math.floor(k / SIDE) - 6) ** 2 / -6),
);
model.addField(gravity, { fill: 9.81 });
model.addField(height, { values: drop.map((d) => 0.1 * d) });
model.addField(depth, { values: drop.map((_, k) => 0.4 + 0.03 * (k % SIDE)) });
model.addField(flow, { fill: 0 });
model.addPass('force', push);
model.addPass('integrate', fill);

// No water is lost.
const simulation = await createSimulation(model, { device: f64Device(), frames: 11, frameRate: 10, substeps: 10 });
simulation.forward();
const volume = (/** @type {ArrayLike<number>} */ heights) => Array.from(heights).reduce((sum, h) => sum + h, 0);
const lost = volume(await simulation.read(height)) / volume(drop.map((d) => 0.1 * d)) - 1;
if (!(Math.abs(lost) < 1e-12)) throw new Error(`The volume changes by ${lost} of that of the drop.`);
simulation.dispose();

const run = { frames: 11, frameRate: 10, substeps: 10, parameters: [gravity, depth, height], outputs: [height] };
const { parameters } = await checkGradients(model, { ...run, seed: 1 });
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));
console.log(JSON.stringify({ program: 'pool', gradientError, seconds: performance.now() / 1000 }));
