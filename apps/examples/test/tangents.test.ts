import { addCloth, cloth } from '@gradsim/cloth';
import type { Device, Model, Simulation } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, webgpuDevice } from '@gradsim/core';
import { implicitSteps } from '@gradsim/implicit';
import { plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, Pixel, render } from '@gradsim/render';
import { Body } from '@gradsim/rigid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithAdapter } from '../../../packages/kernel/test/webgpu-adapter.ts';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { between } from '../src/scenes/draws.ts';
import { randomToss } from '../src/scenes/random-toss.ts';
import { RENDERERS } from '../src/scenes/renderers.ts';
import { tossModel } from '../src/scenes/tossed.ts';
import { lens } from '../src/soft/instance.ts';
import { SOFT_KINDS } from '../src/soft/kinds.ts';

// Several tangents of a world against each of them alone: in models with scatters, contact, an implicit step, and pictures.

const size = 16;
const film = { size, renderer: RENDERERS.softras };
/** Scene of a sheet of 3 x 2 cells held at two corners. */
function stiffSheet(): Model {
  const scene = createScene([
    particles(),
    cloth(),
    implicitSteps(),
    render({ width: size, height: size }),
    RENDERERS.softras(lens(size, { distance: 2, reach: 1, depthSoftness: 0.05 })),
  ]);
  addCloth(scene, plane({ size: [0.6, 0.4], segments: [3, 2] }), {
    mu: 1000,
    lambda: 1000,
    density: 0.2,
    fixed: [0, 3],
  });
  scene.add(OrbitCamera, { distance: 2, fieldOfView: 0.7 });
  return buildModel(scene);
}

const SCENES = {
  'a sheet in the air': () => ({ model: SOFT_KINDS.cloth.draw(1, film).model, field: Particle.velocity, substeps: 32 }),
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
  'a sheet by implicit steps': () => ({ model: stiffSheet(), field: Particle.velocity, substeps: 2 }),
} satisfies Record<string, () => { model: Model; field: unknown; substeps: number }>;

/** Number of values that differ; 0 and -0 count as equal. */
const differing = (a: Float64Array, b: Float64Array): number => a.filter((value, k) => value !== b[k]).length;

/** Number of worlds run together. */
const WORLDS = 3;
/** Number of tangent directions run together. */
const TANGENTS = 3;

function checks(deviceOf: () => Promise<Device>, scenes: Partial<typeof SCENES> = SCENES): void {
  let device: Device;
  beforeAll(async () => {
    device = await deviceOf();
  });
  afterAll(() => device.dispose());

  it.each(Object.entries(scenes))('%s', async (_, scene) => {
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
      const shown = await alone.readTangentFrames(Pixel.rgba);
      expect(shown.some((value) => value !== 0)).toBe(true);
      expect(differing(await together.readTangentFrames(Pixel.rgba, t), shown)).toBe(0);
      expect(differing(await together.readTangent(field, t), await alone.readTangent(field))).toBe(0);
    }
    expect(differing(await together.readFrames(Pixel.rgba), await alone.readFrames(Pixel.rgba))).toBe(0);
    for (const simulation of [together, alone]) simulation.dispose();
  });
}

describe('tangents run together equal each alone, on cpu', () => checks(async () => cpuDevice({ threads: 1 })));
describe('tangents run together equal each alone, in doubles', () => checks(async () => f64Device()));
// Random programs have loops and blocks on webgpu; an implicit step takes minutes to compile on software.
const { 'a sheet by implicit steps': _, ...ofSoftware } = SCENES;
describeWithAdapter('tangents run together equal each alone, on webgpu', () =>
  checks(() => webgpuDevice({ allowSoftware: true }), ofSoftware),
);
