// What controllers see of angles, pictures and images, against closed forms; gradients through pictures, against
// central differences in doubles; and what one controller that teaches tells of another.
import { articulated, Link } from '@gradsim/articulated';
import type { Model, Plugin } from '@gradsim/core';
import {
  buildModel,
  cos,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  f64Device,
  kernel,
  sin,
} from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { type ExpectedError, expect, test } from 'vitest';
import type { ControllerInput, ControllerOptions, StrokeImageInputOptions } from '../src/index.ts';
import {
  angleInput,
  controller,
  imageInput,
  productInput,
  sinusoidInput,
  strokeImageInput,
  weightsOf,
} from '../src/index.ts';

/** Initial angle of the revolute joint, rad. */
const ANGLE = 0.7;

/** Model of a 1 m rod that hangs from a revolute joint at its end, with controllers of the joint's motor. */
function rod(controllers: readonly ControllerOptions[], more: readonly Plugin[] = []): Model {
  const scene = createScene([articulated(), ...controllers.map((options) => controller(options)), ...more]);
  const inertia = [1, 0, 0, 0, 0.01, 0, 0, 0, 1].map((x) => x / 12);
  scene.add(Link, { joint: 'revolute', mass: 1, centre: [0, -0.5, 0], inertia, coordinate: ANGLE, rate: 2 });
  return buildModel(scene);
}
const drives = [{ field: Link.drive, scale: 2 }];
const over = { frames: 3, frameRate: 20, substeps: 6 } as const;

/** Plugin that copies the first input of the controller to a field `kept`, which the test reads. */
const keeper = definePlugin({
  name: 'keeper',
  contract: 1,
  build: ({ model }) => {
    model.addField('controllerSight0', 'kept', f32, { fill: 0 });
    const keep = kernel(
      'keep',
      { domain: 'controllerSight0', reads: { value: f32 }, writes: { kept: f32 } },
      ({ value }) => ({ kept: value }),
    );
    model.addPass('integrate', keep);
  },
});

/** Runs so many substeps and returns the values of the controller's first input in the last one. */
async function seenAfter(
  substeps: number,
  sees: ControllerInput,
  more: Partial<ControllerOptions> = {},
  set: Readonly<Record<string, ArrayLike<number>>> = {},
): Promise<number[]> {
  const simulation = await createSimulation(
    rod([{ inputs: [sees], drives, weightDeviation: 0.1, ...more }], [keeper]),
    {
      device: f64Device(),
      frames: 2,
      frameRate: 120 / substeps,
      substeps,
    },
  );
  for (const [key, values] of Object.entries(set)) simulation.set(key, values);
  simulation.forward();
  return [...(await simulation.read('controllerSight0.kept'))];
}

test('an angle is input as its sine and cosine', async () => {
  const [sine, cosine] = await seenAfter(1, angleInput(Link.coordinate));
  expect(sine).toBeCloseTo(Math.sin(ANGLE), 12);
  expect(cosine).toBeCloseTo(Math.cos(ANGLE), 12);
});

const view: StrokeImageInputOptions<{ angle: typeof Link.coordinate }> = {
  width: 24,
  height: 16,
  pixels: 3,
  centre: [0.2, -0.1],
  elements: { angle: Link.coordinate },
  strokes: ({ angle }) => {
    const turned = angle.at(0);
    return [{ from: [f32(0), f32(0)], to: [sin(turned), cos(turned).neg()], radius: 0.1 }];
  },
};

test('a stroke image has coverages at least 0, whose centroid and sum are those of the stroke in closed form', async () => {
  const shown = await seenAfter(1, strokeImageInput(view));
  expect(shown.length).toBe(24 * 16);
  const pitch = 3 / 24;
  const [middle, sum] = [[0, 0], shown.reduce((a, b) => a + b)];
  shown.forEach((covered, k) => {
    expect(covered).toBeGreaterThanOrEqual(0);
    middle[0] += (covered * (0.2 + ((k % 24) + 0.5 - 12) * pitch)) / sum;
    middle[1] += (covered * (-0.1 - (Math.floor(k / 24) + 0.5 - 8) * pitch)) / sum;
  });
  // Half way along the rod. Of coverage 1 / (1 + exp((d - r) / s)) at the distance d, with s = 0.4 pixels, there is 2 s
  // ln(1 + exp(r / s)) across, and 2 pi s^2 F(r / s) around both ends, F(x) = x^2 / 2 + pi^2 / 6 - exp(-x) + exp(-2 x)
  // / 4 - ...
  const s = 0.4 * pitch;
  const x = 0.1 / s;
  const around = x ** 2 / 2 + Math.PI ** 2 / 6 - Math.exp(-x) + Math.exp(-2 * x) / 4 - Math.exp(-3 * x) / 9;
  expect(middle[0]).toBeCloseTo(Math.sin(ANGLE) / 2, 2);
  expect(middle[1]).toBeCloseTo(-Math.cos(ANGLE) / 2, 2);
  expect(sum * pitch ** 2).toBeCloseTo(2 * s * Math.log(1 + Math.exp(x)) + 2 * Math.PI * s ** 2 * around, 3);
});

test('a stroke image with `waves: 5` is the lowest 5 x 5 coefficients of the orthonormal cosine transform of its pixels', async () => {
  const [pixels, waves] = [
    await seenAfter(1, strokeImageInput(view)),
    await seenAfter(1, strokeImageInput({ ...view, waves: 5 })),
  ];
  expect(waves.length).toBe(25);
  waves.forEach((amount, k) => {
    const [v, u] = [Math.floor(k / 5), k % 5];
    let sum = 0;
    for (let y = 0; y < 16; y++)
      for (let x = 0; x < 24; x++)
        sum += pixels[24 * y + x] * Math.cos((Math.PI * (x + 0.5) * u) / 24) * Math.cos((Math.PI * (y + 0.5) * v) / 16);
    const norm = Math.sqrt(((u === 0 ? 1 : 2) / 24) * ((v === 0 ? 1 : 2) / 16));
    expect(amount).toBeCloseTo(norm * sum, 10);
  });
});

test('with `count: 2` a stroke image has the pictures at the last two actions; with `changes: 5`, 5 times their difference', async () => {
  const [first, fourth] = [await seenAfter(1, strokeImageInput(view)), await seenAfter(4, strokeImageInput(view))];
  const both = await seenAfter(6, strokeImageInput({ ...view, count: 2 }), { every: 3 });
  const changed = await seenAfter(6, strokeImageInput({ ...view, count: 2, changes: 5 }), { every: 3 });
  // Both act by small, different torques until then: the pictures agree to what these do in 1/40 s.
  both.forEach((value, k) => {
    const [pixel, ago] = [k >> 1, k % 2];
    expect(Math.abs(value - (ago === 1 ? first : fourth)[pixel])).toBeLessThan(2e-3);
    expect(changed[k]).toBeCloseTo(ago === 0 ? value : 5 * (both[2 * pixel] - value), 2);
  });
  const once = await seenAfter(1, strokeImageInput({ ...view, count: 2 }));
  expect(once.filter((_, k) => k % 2 === 0)).toEqual(once.filter((_, k) => k % 2 === 1));
});

test('imageInput is the centre of coverage, x and y from -1 to 1, and the mean coverage; all are 0 for an empty image', async () => {
  const alpha = new Float64Array(8 * 4);
  alpha[8 * 1 + 6] = 1;
  alpha[8 * 1 + 7] = 0.5;
  const seen = await seenAfter(1, imageInput({ width: 8, height: 4 }), {}, { 'controllerSight0Pixels.alpha': alpha });
  const x = (of: number): number => ((of + 0.5) * 2) / 8 - 1;
  expect(seen[0]).toBeCloseTo((x(6) + 0.5 * x(7)) / 1.5, 12);
  expect(seen[1]).toBeCloseTo(0.25, 12);
  expect(seen[2]).toBeCloseTo(1.5 / 32, 12);
  const moved = imageInput({ width: 8, height: 4, outputs: ['y'], from: [0, 0.1], scale: 2 });
  const [y] = await seenAfter(1, moved, {}, { 'controllerSight0Pixels.alpha': alpha });
  expect(y).toBeCloseTo(0.3, 12);
  expect(await seenAfter(1, imageInput({ width: 8, height: 4 }))).toEqual([0, 0, 0]);
});

test('productInput has each value of the first input times 1 and times each value of the second', async () => {
  const alpha = [0, 1, 0, 0];
  const sight = productInput(
    sinusoidInput({ frequency: 3, phases: [0.4, 1] }),
    imageInput({ width: 2, height: 2, outputs: ['x', 'y'] }),
  );
  const seen = await seenAfter(1, sight, {}, { 'controllerSight0SecondPixels.alpha': alpha });
  const wanted = [0.4, 1].flatMap((phase) => [1, 0.5, 0.5].map((factor) => Math.sin(phase) * factor));
  seen.forEach((value, k) => {
    expect(value).toBeCloseTo(wanted[k], 12);
  });
});

test.each([undefined, 4])('gradients agree with differences through stroke images (waves: %s)', async (waves) => {
  const sees = [
    strokeImageInput({ ...view, width: 9, height: 6, pixels: 3, count: 2, changes: 3, waves }),
    angleInput(Link.coordinate),
  ];
  const model = rod([{ inputs: sees, drives, hidden: [5], every: 3 }]);
  const parameters = [...weightsOf(model).map(({ field }) => model.keyOf(field)), 'links.rate'];
  const checked = await checkGradients(model, { ...over, parameters, outputs: ['links.coordinate'] });
  for (const key of parameters) expect(checked.parameters[key].adjoint, key).not.toBe(0);
  await checkDevices(model, { ...over, parameters, outputs: ['links.coordinate'], devices: [cpuDevice()] });
});

test('a teacher whose outputs are 0 measures a miss equal to the effort of its pupil, and leaves the joint angle unchanged', async () => {
  const pupil = { name: 'pupil', inputs: [angleInput(Link.coordinate)], drives } as const;
  const teacher = {
    name: 'teacher',
    teaches: 'pupil',
    inputs: [sinusoidInput({ frequency: 0, phases: [0.5] })],
  } as const;
  const run = async (...of: readonly ControllerOptions[]) => {
    const simulation = await createSimulation(rod(of), { device: f64Device(), ...over });
    simulation.forward();
    return simulation;
  };
  const [alone, taught] = [
    await run(pupil),
    await run(pupil, { ...teacher, weights: { 'teacherSight0Weights.weight': [0] } }),
  ];
  expect(await taught.read(Link.coordinate)).toEqual(await alone.read(Link.coordinate));
  // It says 0 throughout, so what is missed is the pupil's effort.
  const effort = await run({ ...pupil, effort: true });
  expect((await taught.read('world.teacherMiss'))[0]).toBeCloseTo((await effort.read('world.pupilEffort'))[0], 12);
  expect((await taught.read('world.teacherMiss'))[0]).toBeGreaterThan(0);
});

test.each<[string, () => unknown, ExpectedError]>([
  [
    'no pixels',
    () => strokeImageInput({ ...view, width: 0 }),
    { code: 'control/option-out-of-range', values: ['width of a picture is 0'] },
  ],
  [
    'a shown width of 0',
    () => strokeImageInput({ ...view, pixels: 0 }),
    { code: 'control/option-out-of-range', values: ['shows across is 0'] },
  ],
  [
    'more waves than pixels',
    () => strokeImageInput({ ...view, waves: 17 }),
    { code: 'control/option-out-of-range', values: [17] },
  ],
  [
    'no strokes',
    () => rod([{ inputs: [strokeImageInput({ ...view, strokes: () => [] })], drives }]),
    'control/no-strokes',
  ],
  [
    'an image without pixels',
    () => imageInput({ width: 4, height: 0 }),
    { code: 'control/option-out-of-range', values: ['height of an image is 0'] },
  ],
  ['an image output z', () => imageInput({ width: 4, height: 4, outputs: ['z' as 'x'] }), 'control/unknown-choice'],
  [
    'an angle that is an unknown field',
    () => rod([{ inputs: [angleInput('links.angle')], drives }]),
    { code: 'core/unknown-field', field: 'links.angle' },
  ],
  [
    'a teacher of an unknown pupil',
    () => rod([{ name: 'teacher', teaches: 'pupil', inputs: [angleInput(Link.coordinate)] }]),
    'control/no-such-controller',
  ],
  [
    'a teacher with drives',
    () => rod([{ name: 'teacher', teaches: 'pupil', inputs: [angleInput(Link.coordinate)], drives }]),
    'control/teacher-that-drives',
  ],
])('controllers and their inputs refuse %s', (_, make, expected) => {
  expect(make).toThrowCode(expected);
});
