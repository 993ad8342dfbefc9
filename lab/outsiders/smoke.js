// Stable fluids (Stam 1999) on a periodic grid, in cells and steps. The flow (vx along rows, vy along columns) carries
// itself along and loses its divergence, then carries the density. `node smoke.js FILE` compares with a reference case.
import { readFileSync } from 'node:fs';
import * as gradsim from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';

const [, , file] = process.argv;
const { bind, f32, fieldOn, floor, kernel, repeat } = gradsim;
const domain = 'cells';
const names = ['vx', 'vy', 'density'];
const states = names.map((name) => `${domain}.${name}`);
const over = { frameRate: 1, substeps: 1, parameters: states, outputs: states };

/**
 * @typedef {{ rows: number, columns: number, steps: number, sweeps: number, parameters: Record<string, number[][]> }} Case
 * @param {Case} smoke
 */
function modelOf({ rows, columns, sweeps, parameters }) {
  /** @param {gradsim.I32} i @param {number} n */
  const wrapped = (i, n) => i.rem(n).add(n).rem(n);
  /** @param {gradsim.I32} row @param {gradsim.I32} column */
  const cell = (row, column) => wrapped(row, rows).mul(columns).add(wrapped(column, columns)).toU32();
  /** Neighbours of a cell: next and previous row, next and previous column. @param {gradsim.U32} element */
  const around = (element) => {
    const [i, j] = [element.div(columns).toI32(), element.rem(columns).toI32()];
    return [cell(i.add(1), j), cell(i.sub(1), j), cell(i, j.add(1)), cell(i, j.sub(1))];
  };

  /** Advects a field backwards along the flow: its bilinear value one step upstream, at any distance. */
  const carry = kernel(
    'carry',
    { domain, reads: { of: fieldOn(domain, f32), vx: f32, vy: f32 }, writes: { carried: f32 } },
    ({ of, vx, vy }, { element }) => {
      const row = element.div(columns).toF32().sub(vx);
      const column = element.rem(columns).toF32().sub(vy);
      const [i, j] = [floor(row).toI32(), floor(column).toI32()];
      const [s, t] = [row.sub(floor(row)), column.sub(floor(column))];
      const [a, b] = [of.at(cell(i, j)), of.at(cell(i, j.add(1)))];
      const [c, d] = [of.at(cell(i.add(1), j)), of.at(cell(i.add(1), j.add(1)))];
      const [near, far] = [a.add(b.sub(a).mul(t)), c.add(d.sub(c).mul(t))];
      return { carried: near.add(far.sub(near).mul(s)) };
    },
  );
  const diverge = kernel(
    'diverge',
    { domain, reads: { x: fieldOn(domain, f32), y: fieldOn(domain, f32) }, writes: { divergence: f32, pressure: f32 } },
    ({ x, y }, { element }) => {
      const [down, up, right, left] = around(element);
      const [alongX, alongY] = [x.at(down).sub(x.at(up)), y.at(right).sub(y.at(left))];
      return { divergence: alongX.add(alongY).mul(-0.5), pressure: f32(0) };
    },
  );
  const sweep = kernel(
    'sweep',
    { domain, reads: { pressure: fieldOn(domain, f32), divergence: f32 }, writes: { pressure: f32 } },
    ({ pressure, divergence }, { element }) => ({
      pressure: around(element)
        .reduce((sum, k) => sum.add(pressure.at(k)), divergence)
        .div(4),
    }),
  );
  const project = kernel(
    'project',
    { domain, reads: { x: f32, y: f32, pressure: fieldOn(domain, f32) }, writes: { vx: f32, vy: f32 } },
    ({ x, y, pressure }, { element }) => {
      const [down, up, right, left] = around(element).map((k) => pressure.at(k).div(2));
      return { vx: x.sub(down.sub(up)), vy: y.sub(right.sub(left)) };
    },
  );

  const model = new gradsim.Model();
  model.addDomain(domain, rows * columns);
  for (const name of names) model.addField(domain, name, f32, { values: parameters[name].flat() });
  const [carryX, carryY] = ['vx', 'vy'].map((of, k) => bind(carry, { of, carried: 'xy'[k] }));
  const carryDensity = bind(carry, { of: 'density', carried: 'density' });
  for (const pass of [carryX, carryY, diverge, repeat(sweeps, [sweep]), project, carryDensity])
    model.addPass('integrate', pass);
  return model;
}

/**
 * Returns the largest error of states and gradients, compared with a reference case.
 * @param {Case & { target: number[][], expected: any }} smoke
 */
async function errorOf({ target, expected, ...smoke }) {
  const options = { ...over, frames: smoke.steps + 1, device: gradsim.f64Device() };
  const simulation = await gradsim.createSimulation(modelOf(smoke), options);
  simulation.forward();
  const ends = await Promise.all(states.map((key) => simulation.read(key)));
  // The loss mean((density - target)^2) + 0.1 mean(vx^2 + vy^2).
  const goal = target.flat();
  const seeds = ends.map((v, s) => v.map((x, k) => (s < 2 ? 0.2 * x : 2 * (x - goal[k])) / v.length));
  simulation.backward(Object.fromEntries(states.map((key, s) => [key, seeds[s]])));
  const gradients = await Promise.all(states.map((key) => simulation.gradient(key)));
  const wanted = [expected, expected.gradient].flatMap((of) => names.flatMap((name) => of[name].flat()));
  const got = [...ends, ...gradients].flatMap((field) => [...field]);
  return Math.max(...got.map((v, k) => Math.abs(v - wanted[k])));
}

const referenceError = file ? await errorOf(JSON.parse(readFileSync(file, 'utf8'))) : 0;
if (!(referenceError < 1e-12)) throw new Error(`${file} differs by ${referenceError}.`);

// Vortices of some cells a step, and a puff of smoke.
/** @param {(i: number, j: number) => number} of */
const grid = (of) => Array.from({ length: 32 }, (_, i) => Array.from({ length: 32 }, (_, j) => of(i, j)));
const wave = Math.PI / 16;
const model = modelOf({
  rows: 32,
  columns: 32,
  steps: 10,
  sweeps: 20,
  parameters: {
    vx: grid((_, j) => 4 * Math.sin(wave * (j + 0.3)) + 0.7),
    vy: grid((i) => 3 * Math.cos(2 * wave * (i + 0.2))),
    density: grid((i, j) => Math.exp(((i - 24) ** 2 + (j - 16) ** 2) / -20)),
  },
});
const { parameters } = await checkGradients(model, { ...over, frames: 11, seed: 1 });
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));
const found = { gradientError, ...(file ? { referenceError } : {}), seconds: performance.now() / 1000 };
console.log(JSON.stringify({ program: 'smoke', ...found }));
