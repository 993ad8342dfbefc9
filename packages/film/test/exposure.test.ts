import {
  buildModel,
  cpuDevice,
  createScene,
  definePlugin,
  exp,
  f32,
  fieldOn,
  kernel,
  type Model,
  vec3,
  vec4,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { estimate, type ParameterSpec } from '@gradsim/optim';
import { imageLayout, OrbitCamera, placeOf, render } from '@gradsim/render';
import { Body, rigid } from '@gradsim/rigid';
import { createFrames, encodePng, frameAt } from '@gradsim/video';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { exposure, readFilm } from '../src/index.ts';

const SIZE = { width: 64, height: 48 };
/** Frame rate of the film, frames/s. */
const RATE = 20;
/** Number of instants rendered per frame. */
const INSTANTS = 20;
/** Standard deviation of the Gaussian blob of light, px. */
const SIGMA = 2.5;
/** Pixels per metre in the picture. */
const SCALE = 20;
const TRUTH = { x: 0.4, y: 1.0, vx: 12, vy: 1.5, shutter: 0.5, readout: 0.01, gain: 0.8, offset: 0.06 };

/** Plugin that renders a Gaussian blob of light on black. */
const blob = definePlugin({
  name: 'test/blob',
  contract: 1,
  requires: ['@gradsim/render'],
  build: ({ model }) => {
    const layout = imageLayout(SIZE);
    model.addField('pixels', 'rgba', vec4);
    model.addPass(
      'render',
      kernel(
        'drawBlob',
        { domain: 'pixels', reads: { position: fieldOn('bodies', vec3) }, writes: { rgba: vec4 } },
        ({ position }, { element }) => {
          const { column, row } = placeOf(layout, element);
          const { x, y } = position.at(0);
          const [u, v] = [column.toF32().add(0.5).sub(x.mul(SCALE)), row.toF32().add(0.5).sub(y.mul(SCALE))];
          const light = exp(
            u
              .mul(u)
              .add(v.mul(v))
              .mul(-1 / (2 * SIGMA * SIGMA)),
          );
          return { rgba: vec4(light, light.mul(0.5), light.mul(0.2), f32(1)) };
        },
      ),
    );
  },
});

function modelOf(values: Partial<typeof TRUTH> = {}): Model {
  const { x = 0.45, y = 1.05, vx = 11, vy = 1, shutter = 0.3, readout = 0, gain = 1, offset = 0 } = values;
  const scene = createScene([
    rigid(),
    render(SIZE),
    blob,
    exposure({ by: 'colours', instants: INSTANTS, frameRate: RATE, shutter, readout, gain, offset }),
  ]);
  scene.add(Body, {
    mesh: box({ size: [0.1, 0.1, 0.1] }),
    mass: 1,
    position: [x, y, 0],
    velocity: [vx, vy, 0],
  });
  scene.add(OrbitCamera, { distance: 9 });
  return buildModel(scene);
}

/**
 * Synthetic film: the mean of the blob over each row's exposure, with gain, offset and noise, in 256 levels per
 * channel.
 */
async function filmed(seed: number): Promise<Uint8Array[]> {
  const random = randomNumbers(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const film = createFrames({ ...SIZE, channels: 3, frameRate: RATE }, 4);
  const { x, y, vx, vy, shutter, readout, gain, offset } = TRUTH;
  for (let f = 0; f < 4; f++) {
    const data = frameAt(film, f);
    for (let row = 0; row < SIZE.height; row++) {
      const start = f / RATE + (readout * (row + 0.5)) / SIZE.height;
      const times = Array.from({ length: 60 }, (_, k) => start + ((k + 0.5) / 60) * (shutter / RATE));
      for (let column = 0; column < SIZE.width; column++) {
        let light = 0;
        for (const t of times) {
          const [u, v] = [column + 0.5 - SCALE * (x + vx * t), row + 0.5 - SCALE * (y + vy * t)];
          light += Math.exp(-(u * u + v * v) / (2 * SIGMA * SIGMA)) / times.length;
        }
        [1, 0.5, 0.2].forEach((colour, c) => {
          data[3 * (row * SIZE.width + column) + c] = gain * colour * light + offset + 0.01 * normal();
        });
      }
    }
  }
  return Promise.all(Array.from({ length: 4 }, (_, k) => encodePng(film, k)));
}

const unknown = (name: keyof typeof TRUTH, field: string, initial: number, rest: object = {}): ParameterSpec => ({
  name,
  field,
  initial,
  truth: TRUTH[name],
  ...rest,
});
const UNKNOWNS = [
  unknown('x', 'bodies.position', 0.45, { component: 0 }),
  unknown('y', 'bodies.position', 1.05, { component: 1 }),
  unknown('vx', 'bodies.velocity', 11, { component: 0 }),
  unknown('vy', 'bodies.velocity', 1, { component: 1 }),
  unknown('shutter', 'world.shutter', 0.3, { range: [0.02, 0.7] }),
  unknown('readout', 'world.readout', 0, { range: [0, 0.015], scale: 0.005 }),
  unknown('gain', 'world.gain', 1),
  unknown('offset', 'world.offset', 0),
];

it('exposure time, readout time, gain, offset and motion are estimated together from pixels, within 3 standard errors', async () => {
  const film = await readFilm(await filmed(3), { mask: 'none', frameRate: RATE });
  const model = modelOf();
  const stage = film.stage(model, {
    name: 'blob',
    substeps: INSTANTS,
    instants: INSTANTS,
    exposed: true,
    parameters: UNKNOWNS,
    // Without gravity the blob moves straight.
    values: { 'world.gravity': [0, 0, 0] },
  });
  const found = await estimate(stage.problem, { device: cpuDevice({ threads: 1 }) });
  const told = Object.entries(found.parameters).map(
    ([name, { estimate: value, standardError, truth }]) => `${name} ${value} ± ${standardError} (${truth})`,
  );
  for (const [name, { estimate: value, standardError, truth }] of Object.entries(found.parameters)) {
    const most = name === 'shutter' || name === 'readout' ? 2 : 3;
    expect(Math.abs(value - truth!), told.join('\n')).toBeLessThan(most * standardError!);
  }
  const strip = (await stage.strip!(found))!;
  const pictures = await Promise.all(
    strip.frames.map(async (_, k) => ({ target: await strip.target(k), estimate: await strip.estimate(k) })),
  );
  const off = pictures.flatMap(({ target, estimate }) => Array.from(estimate, (v, k) => (v - target[k]) ** 2));
  expect(Math.sqrt(off.reduce((sum, v) => sum + v, 0) / off.length)).toBeLessThan(0.015);
});

it('gradients of exposed pictures by motion and exposure agree with tangents and central differences', async () => {
  await checkGradients(modelOf({ shutter: 0.43, readout: 0.0083 }), {
    frames: INSTANTS + 4,
    frameRate: RATE * INSTANTS,
    substeps: 1,
    parameters: ['bodies.position', 'bodies.velocity', 'world.shutter', 'world.readout', 'world.gain', 'world.offset'],
    outputs: ['pixels.exposed'],
  });
});

it('an exposure is refused with 1 instant, if exposure and readout take over a frame, or if no pass draws what it needs', () => {
  const one = { by: 'colours', instants: 4, frameRate: 30 } as const;
  expect(() => exposure({ ...one, instants: 1 })).toThrowCode({
    code: 'film/option-out-of-range',
    field: 'instants',
    values: [1],
  });
  expect(() => exposure({ ...one, shutter: 0.8, readout: 0.01 })).toThrowCode('film/option-out-of-range');
  const outlines = createScene([rigid(), render(SIZE), blob, exposure({ ...one, by: 'outlines' })]);
  outlines.add(Body, { mesh: box({ size: [0.1, 0.1, 0.1] }), mass: 1, position: [0, 0, 0] });
  outlines.add(OrbitCamera, { distance: 9 });
  expect(() => buildModel(outlines)).toThrowCode({ code: 'film/picture-not-drawn', values: ['pixels.alpha'] });
});
