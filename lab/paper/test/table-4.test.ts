import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuDevice, createSimulation, recordOf } from '@gradsim/core';
import { FILM, RigidStudio, sceneModel } from '@gradsim/dataset';
import { Particle } from '@gradsim/particles';
import { Pixel } from '@gradsim/render';
import { Body } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { findChromium } from '../../../scripts/chromium.js';
import { photographed } from '../src/wrong-models/photographed.ts';
import { WRONG_MODEL_NAMES } from '../src/wrong-models/rows.ts';
import { rigidSide, softSide } from '../src/wrong-models/side.ts';
import type { Found } from '../src/wrong-models/study.ts';
import { table4 } from '../src/wrong-models/table.ts';
import { twinsOf } from '../src/wrong-models/twins.ts';

it('a row of Table 4 counts only determined objects, and gives the fraction of wrong estimates that is flagged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-table-4-'));
  const found = (mass: number, trusted: boolean, determined = true): Found => ({
    shape: 'box',
    truth: { mass: 4 },
    determined,
    measured: {
      values: { mass },
      sureness: { standardErrors: { mass: 0.1 }, trusted, findings: [] },
      simulations: 80,
      seconds: 2,
    },
  });
  const results = [found(4.1, true), found(5, false), found(6, true), found(9, true, false)];
  const lines = results.map((result, k) =>
    JSON.stringify({
      settings: { instance: k + 1, row: 'unmodelled friction', sample: k },
      ended: { status: 'done', result },
    }),
  );
  try {
    writeFileSync(join(folder, 'results.jsonl'), `${lines.join('\n')}\n`);
    const { rows } = table4.rowsIn(folder, 90);
    expect(rows).toHaveLength(WRONG_MODEL_NAMES.length);
    expect(rows[0]).toMatchObject({ row: 'perfect model', n: 0, measured: null, trusted: null, flaggedOfWrong: null });
    expect(rows[1]).toEqual({
      table: 'table-4',
      row: 'unmodelled friction',
      unknown: 'mass',
      n: 3,
      measured: expect.closeTo((0.1 + 1 + 2) / 4 / 3, 12),
      median: 0.25,
      worst: 0.5,
      published: 0.1866,
      trusted: 2 / 3,
      flaggedOfWrong: 1 / 2,
      withinTwo: 1 / 2,
      simulations: 80,
      seconds: 2,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a rigid and a soft twin have equal masses, and centres that move alike to 2 cm', async () => {
  const device = cpuDevice({ threads: 1 });
  const [{ scene }] = await new RigidStudio().act('pear', [10], { seed: 1, size: 16 });
  const object = { ...scene, position: [0, 5, 0] };
  const { rigid, soft } = await twinsOf(object, 1, device);
  const run = { device, frames: 5, frameRate: 30 };
  const [r, s] = [rigidSide(rigid), softSide(soft)];
  const density = r.mass / s.massPerValue;
  const bodies = await recordOf(r.model, Body.position, { ...run, substeps: r.substeps });
  const simulation = await createSimulation(sceneModel({ ...soft, density }), {
    ...run,
    substeps: s.substeps,
    record: [Particle.position],
  });
  simulation.forward();
  const particles = await simulation.readFrames(Particle.position);
  const masses = await simulation.read(Particle.totalMass);
  simulation.dispose();
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  expect(total / r.mass).toBeCloseTo(1, 4);
  const centre = (frame: number, axis: number): number =>
    masses.reduce((sum, mass, k) => sum + mass * particles[3 * (frame * masses.length + k) + axis], 0) / total;
  for (const axis of [0, 1, 2]) {
    const offset = centre(0, axis) - bodies[axis];
    // Tetrahedra leave corners out, which moves the centre of mass.
    expect(Math.abs(offset)).toBeLessThan(0.05);
    // Neither touches the ground: offset, times the turn so far, and g dt t / 2 of substeps that differ.
    expect(Math.abs(centre(4, axis) - bodies[12 + axis] - offset)).toBeLessThan(0.02);
  }
});

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED, NOT TESTED: photographs of Table 4. This machine has no Chromium on its PATH.');

it.skipIf(!chromium)(
  'photographed masks agree with those of the model, and not with those of the frames before and after',
  async () => {
    const device = cpuDevice({ threads: 1 });
    const [{ scene }] = await new RigidStudio().act('pear', [10], { seed: 1, size: 48 });
    const { side, observation } = await photographed(scene, { device, chromium });
    const { model, substeps } = side;
    const drawn = await recordOf(model, Pixel.alpha, { device, ...FILM, substeps });
    const seen = observation.target;
    const area = drawn.reduce((sum, part) => sum + part, 0);
    const perFrame = drawn.length / FILM.frames;
    /** Difference of the photographs from the model's masks some frames later, over the masks' area. */
    const difference = (later: number): number =>
      Array.from({ length: 20 * perFrame }, (_, k) => perFrame + k).reduce(
        (sum, k) => sum + Math.abs(seen[k] - drawn[k + later * perFrame]),
        0,
      ) / area;
    const [before, here, after] = [-1, 0, 1].map(difference);
    console.info(`masks differ by ${[before, here, after].map((part) => part.toFixed(4))}`);
    expect(here).toBeLessThan(0.5 * Math.min(before, after));
  },
);
