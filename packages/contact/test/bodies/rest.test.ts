import { ContactBox, ContactMesh, ContactSphere } from '@gradsim/contact';
import type { Scene, SimulationOptions } from '@gradsim/core';
import { buildModel, cpuDevice, createSimulation } from '@gradsim/core';
import { bowl, icosphere } from '@gradsim/mesh';
import { Body } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { emptyScene, throwBody } from './scenes.ts';

const G = 9.81;
const RECORD = ['bodies.position', 'bodies.velocity', 'bodies.orientation'];

async function run(scene: Scene, options: Pick<SimulationOptions, 'frames' | 'frameRate' | 'substeps'>) {
  const simulation = await createSimulation(buildModel(scene), {
    device: cpuDevice(),
    record: RECORD,
    ...options,
  });
  const { dt, ownDt } = await simulation.stableStep();
  console.info(`substep ${ownDt} s, largest stable one ${dt} s`);
  expect(ownDt).toBeLessThan(dt);
  simulation.forward();
  const [x, v, q] = await Promise.all(RECORD.map((field) => simulation.readFrames(field)));
  simulation.dispose();
  return { x, v, q };
}

it('a box on a slope of angle a creeps for 10 s at m g sin(a) / (4 kf), where friction kf v of 4 corners holds it', async () => {
  const angle = 0.2;
  const material = { ke: 5000, kd: 20, kf: 50, mu: 0.5 };
  const tilt = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
  const scene = emptyScene([0, -G, 0]);
  scene.add(ContactBox, { size: [2, 0.2, 2], orientation: tilt as never, ...material });
  const sunk = (G * Math.cos(angle)) / (4 * material.ke);
  const up = 0.2 - sunk;
  throwBody(
    scene,
    {
      shape: 'box',
      size: [0.2, 0.2, 0.2],
      orientation: tilt,
      position: [-up * Math.sin(angle), up * Math.cos(angle), 0],
    },
    material,
  );
  const { x } = await run(scene, { frames: 301, frameRate: 30, substeps: 48 });
  const last = x.length - 3;
  const crept = Math.hypot(x[last] - x[0], x[last + 1] - x[1], x[last + 2] - x[2]);
  // Friction of four sticking corners: kf v each.
  const expected = (10 * G * Math.sin(angle)) / (4 * material.kf);
  expect(crept / expected).toBeGreaterThan(0.97);
  expect(crept / expected).toBeLessThan(1.01);
});

it('ten boxes, none exactly above the other, stay stacked for 10 s: drift < 10 mm, sinking < 5 mm', async () => {
  const seed = 5;
  const next = randomNumbers(seed);
  // Friction creeps, and a leaning column creeps on: the stiffer its corners, the less it leans.
  const material = { ke: 80_000, kd: 60, kf: 100, mu: 0.5 };
  const scene = emptyScene([0, -G, 0]);
  scene.add(ContactBox, { size: [2, 0.2, 2], position: [0, -0.1, 0], ...material });
  const starts = Array.from({ length: 10 }, (_, k) => {
    const turn = 0.1 * (next() - 0.5);
    const position = [0.01 * (next() - 0.5), 0.1 + 0.2 * k, 0.01 * (next() - 0.5)];
    throwBody(
      scene,
      { shape: 'box', size: [0.2, 0.2, 0.2], position, orientation: [0, Math.sin(turn), 0, Math.cos(turn)] },
      material,
    );
    return position;
  });
  const { x, v } = await run(scene, { frames: 301, frameRate: 30, substeps: 112 });
  const last = x.length - 30;
  for (const [k, start] of starts.entries()) {
    const at = last + 3 * k;
    const drift = Math.hypot(x[at] - start[0], x[at + 2] - start[2]);
    // By compression of the corners, and by leaning.
    const sunk = start[1] - x[at + 1];
    console.info(`box ${k}: drift ${drift.toExponential(2)} m, sunk ${sunk.toExponential(2)} m`);
    expect(drift).toBeLessThan(0.01);
    expect(sunk).toBeLessThan(0.005);
    expect(Math.hypot(v[at], v[at + 1], v[at + 2])).toBeLessThan(2e-3);
  }
});

// While a pile settles single balls still roll into gaps: of eight runs two had one at 50 mm/s after 10 or 20 s.
it('a hundred balls dropped into a bowl are in it after 15 s, all slower than 10 mm/s', async () => {
  const next = randomNumbers(1);
  const material = { ke: 2000, kd: 8, kf: 8, mu: 0.4 };
  const scene = emptyScene([0, -G, 0], { maxSpeed: 4, refresh: 6 });
  const [inside, radius, count] = [0.5, 0.05, 100];
  scene.add(ContactMesh, { mesh: bowl({ radius: inside, wall: 0.1 }), resolution: 48, ...material });
  for (let k = 0; k < count; k++) {
    const at = [(k % 5) - 2, Math.floor(k / 25) - 1.5, (Math.floor(k / 5) % 5) - 2];
    const position = at.map((c, axis) => 0.105 * c + 0.004 * (next() - 0.5) - (axis === 1 ? 0.05 : 0));
    const ball = scene.add(Body, {
      mesh: icosphere({ radius, subdivisions: 1 }),
      mass: 0.1,
      position: position as never,
    });
    scene.add(ContactSphere, { body: ball, radius, ...material });
  }
  const { x, v } = await run(scene, { frames: 451, frameRate: 30, substeps: 64 });
  const last = x.length - 3 * count;
  const speeds = Array.from({ length: count }, (_, k) => Math.hypot(...v.slice(last + 3 * k, last + 3 * k + 3)));
  const heights = Array.from({ length: count }, (_, k) => x[last + 3 * k + 1]);
  console.info(`fastest ${Math.max(...speeds)}, lowest ${Math.min(...heights)}, highest ${Math.max(...heights)}`);
  expect(Math.max(...speeds)).toBeLessThan(0.01);
  for (let k = 0; k < count; k++) {
    const from = Math.hypot(...x.slice(last + 3 * k, last + 3 * k + 3));
    expect(from).toBeLessThan(inside - radius + 0.01);
  }
});
