import type { Device, Model, Simulation } from '@gradsim/core';
import { cpuDevice, createSimulation, f64Device, webgpuDevice } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import { Particle } from '@gradsim/particles';
import { Pixel } from '@gradsim/render';
import { Body } from '@gradsim/rigid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithAdapter } from '../../../packages/kernel/test/webgpu-adapter.ts';
import { flagModel } from '../src/flag/scene.ts';
import { between } from '../src/scenes/draws.ts';
import { randomToss } from '../src/scenes/random-toss.ts';
import { RENDERERS } from '../src/scenes/renderers.ts';
import { tossModel } from '../src/scenes/tossed.ts';
import { SOFT_KINDS } from '../src/soft/kinds.ts';

// Several tangents of a world against each of them alone: in models with scatters, contact, an implicit step, and pictures.

const size = 16;
const film = { size, renderer: RENDERERS.softras };
const SCENES = {
  'a sheet in the air': () => ({ model: SOFT_KINDS.cloth.draw(1, film).model, field: Particle.velocity, substeps: 4 }),
  'a ball on the ground': () => ({
    model: SOFT_KINDS.ball.draw(2, film).model,
    field: Particle.position,
    substeps: 40,
  }),
  'a body on the ground': () => ({
    model: tossModel({ ...randomToss(randomNumbers(3), 'box', size), position: [0, 0.2, 0] }),
    field: Body.velocity,
    substeps: 16,
  }),
  'a flag by implicit steps': () => ({
    model: flagModel({ stretch: 1600, bend: 0.01 }, { ...film, steps: 'implicit' }),
    field: Particle.velocity,
    substeps: 1,
  }),
} satisfies Record<string, () => { model: Model; field: unknown; substeps: number }>;

const WORLDS = 3;
const TANGENTS = 3;

function checks(deviceOf: () => Promise<Device>): void {
  let device: Device;
  beforeAll(async () => {
    device = await deviceOf();
  });
  afterAll(() => device.dispose());

  it.each(Object.entries(SCENES))('%s', { timeout: 120_000 }, async (_, scene) => {
    const { model, field, substeps } = scene();
    const random = randomNumbers(7);
    const open = (tangents: number): Promise<Simulation> =>
      createSimulation(model, {
        device,
        frames: 3,
        frameRate: 30,
        substeps,
        worlds: WORLDS,
        tangents,
        record: [Pixel.rgba],
        parameters: [field],
        derivative: 'tangent',
        onWarning: () => {},
      });
    const [together, alone] = [await open(TANGENTS), await open(1)];
    const { elements, components } = together.shape(field);
    const draw = (): Float64Array =>
      Float64Array.from({ length: WORLDS * elements * components }, () => between(random, -1, 1));
    together.forward();
    const start = await together.read(field);
    const moved = draw().map((step, k) => start[k] + 0.01 * step);
    const directions = Array.from({ length: TANGENTS }, draw);
    together.set(field, moved);
    directions.forEach((direction, t) => together.setTangent(field, direction, undefined, t));
    together.forward();
    alone.set(field, moved);
    for (const [t, direction] of directions.entries()) {
      alone.setTangent(field, direction);
      alone.forward();
      expect(await together.readTangentFrames(Pixel.rgba, t)).toEqual(await alone.readTangentFrames(Pixel.rgba));
      expect(await together.readTangent(field, t)).toEqual(await alone.readTangent(field));
      expect((await alone.readTangentFrames(Pixel.rgba)).some((value) => value !== 0)).toBe(true);
    }
    expect(await together.readFrames(Pixel.rgba)).toEqual(await alone.readFrames(Pixel.rgba));
    for (const simulation of [together, alone]) simulation.dispose();
  });
}

describe('on cpu', () => checks(async () => cpuDevice({ threads: 1 })));
describe('in doubles', () => checks(async () => f64Device()));
describeWithAdapter('on webgpu', () => checks(() => webgpuDevice({ allowSoftware: true })));
