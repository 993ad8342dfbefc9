// A body in contact from tracked poses, from the outside: a CSV of a brick that is thrown, tracked with noise.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { standardNormal } from '@gradsim/base';
import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { expect, it, onTestFinished } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { gradsim } from '../support.ts';

const SIZE = [0.12, 0.08, 0.06] as const;
const TRUTH = { mu: 0.25, restitution: 0.4, duration: 0.012 };
const [FRAMES, RATE, NOISE, TURN] = [32, 120, 2e-4, 0.002];

/** Poses of a brick of 0.3 kg, from a simulation of finer steps. */
async function tossed(): Promise<string> {
  const scene = createScene([rigid(), contact()]);
  const start = { position: [0, 0, 0.2], velocity: [0.8, 0.3, -0.4], angularVelocity: [2, -5, 1] };
  const brick = scene.add(Body, { mesh: box({ size: [...SIZE] }), mass: 0.3, ...start });
  scene.attach(brick, contactOf(Body), TRUTH);
  scene.add(HalfSpace, { normal: [0, 0, 1] });
  scene.add(Gravity, { acceleration: [0, 0, -9.81] });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: FRAMES,
    frameRate: RATE,
    substeps: 60,
    record: [Body.position, Body.orientation],
  });
  simulation.forward();
  const [positions, orientations] = [
    await simulation.readFrames(Body.position),
    await simulation.readFrames(Body.orientation),
  ];
  simulation.dispose();
  const random = randomNumbers(1);
  const lines = Array.from({ length: FRAMES }, (_, f) => {
    const position = [...positions.subarray(3 * f, 3 * f + 3)].map((x) => x + NOISE * standardNormal(random));
    const turned = [...orientations.subarray(4 * f, 4 * f + 4)].map((x) => x + (TURN / 2) * standardNormal(random));
    const length = Math.hypot(...turned);
    return [f / RATE, ...position, ...turned.map((x) => x / length)].join(',');
  });
  return ['time,x,y,z,qx,qy,qz,qw', ...lines].join('\n');
}

it('finds friction and restitution of a thrown brick from its poses, and writes its motion as glTF', async () => {
  const folder = mkdtempSync(fileURLToPath(new URL('../../.new-body-', import.meta.url)));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../..', import.meta.url)), join(folder, 'node_modules/gradsim'), 'junction');
  const poses = join(folder, 'poses.csv');
  writeFileSync(poses, await tossed());
  const made = join(folder, 'body');
  const settings = { size: SIZE.join(','), mass: 0.3, positionNoise: NOISE, angleNoise: (TURN * 180) / Math.PI };
  const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  expect((await gradsim(['new', 'body', '--poses', poses, ...set, '--out', made])).code).toBe(0);

  const out = join(folder, 'result');
  const experiment = join(made, 'body.ts');
  await gradsim(['estimate', experiment, '--device', 'cpu', '--quiet', '--out', out]);
  const [{ parameters, verdict }] = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).stages;
  expect(verdict).toMatchObject({ trusted: true, findings: [] });
  for (const name of ['mu', 'restitution'] as const) {
    const { estimate, standardError } = parameters[name];
    expect(Math.abs(estimate - TRUTH[name]), name).toBeLessThan(4 * standardError);
    expect(standardError, name).toBeLessThan(0.15 * TRUTH[name]);
  }

  const scene = join(folder, 'scene.glb');
  const { stderr } = await gradsim(['render', experiment, '--from', out, '--device', 'cpu', '--out', scene]);
  expect(stderr.join('\n')).toContain('frames of 1 mesh');
  expect(readFileSync(scene).subarray(0, 4).toString()).toBe('glTF');
});

it('refuses options of other kinds, and poses that are not there', async () => {
  expect((await gradsim(['new', 'body'])).stderr.join('\n')).toContain('--poses FILE');
  expect((await gradsim(['new', 'ball', '--poses', 'a.csv'])).stderr.join('\n')).toContain(
    'gradsim/options-contradict',
  );
  expect((await gradsim(['new', 'body', '--video', 'a.mp4'])).stderr.join('\n')).toContain(
    'It takes --poses, --mesh, --topic, --copy.',
  );
  const absent = ['new', 'body', '--poses', 'no-such-file.csv', '--set', 'size=1,1,1', '--set', 'mass=1'];
  expect((await gradsim(absent)).stderr.join('\n')).toContain('no-such-file.csv cannot be read');
});
