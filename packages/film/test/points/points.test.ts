import { buildModel, cpuDevice, createScene, f64Device, type Model, recordOf } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { estimate, estimateTogether, type ParameterSpec, type Problem } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import type { Track } from '@gradsim/video';
import { expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { type FollowedPoint, pointFields, pointObservation, points, type ShutterOptions } from '../../src/index.ts';

const SIZE = { width: 640, height: 480 };
/** Frame rate of the film, frames/s. */
const RATE = 60;
/** Number of substeps per frame. */
const SUBSTEPS = 12;
const H = 1 / RATE / SUBSTEPS;
/**
 * Two cameras, two metres in front of the scene and to its right, given by their axes: right, down, forward; lens of
 * Brown's model.
 */
const CAMERAS = [
  {
    axes: [
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, -1],
    ],
    eye: [0, 0.6, 2.2],
    rotation: [1, 0, 0, 0],
  },
  {
    axes: [
      [0, 0, -1],
      [0, -1, 0],
      [-1, 0, 0],
    ],
    eye: [2.4, 0.6, 0],
    rotation: [Math.SQRT1_2, 0, -Math.SQRT1_2, 0],
  },
] as const;
const LENS = {
  focalLength: [610, 605],
  principalPoint: [318, 242],
  distortion: [-0.15, 0.03],
  k3: 0.01,
  tangential: [0.002, -0.001],
};
const BODY = { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] };
const MARKERS = [
  [0.1, 0, 0],
  [0, 0.08, 0.02],
  [-0.03, -0.05, 0.09],
] as const;
const TRUTH = {
  position: [-0.5, 0.5, -0.1],
  velocity: [1.6, 2.4, 0.3],
  angularVelocity: [1.5, -4, 2],
  gravity: -9.81,
};

const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, v, k) => sum + v * b[k], 0);

/**
 * Position of a marker on a flying, rotating body: the flight as computed by semi-implicit Euler, in closed form, and a
 * rotation about a constant axis.
 */
function markerAt(
  t: number,
  local: readonly number[],
  { position, velocity, angularVelocity, gravity }: typeof TRUTH,
): number[] {
  const rate = Math.hypot(...angularVelocity);
  const axis = angularVelocity.map((w) => w / rate);
  const [c, s] = [Math.cos(rate * t), Math.sin(rate * t)];
  const along = dot(axis, local);
  // Rodrigues: v cos + axis x v sin + axis (axis . v) (1 - cos).
  return position.map((p, k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    const turned = local[k] * c + (axis[i] * local[j] - axis[j] * local[i]) * s + axis[k] * along * (1 - c);
    return p + velocity[k] * t + (k === 1 ? (gravity * t * (t + H)) / 2 : 0) + turned;
  });
}

/** Position of a point in a camera's picture, px from the left and the upper edge. */
function seenAt({ axes, eye }: (typeof CAMERAS)[number], point: readonly number[]): [number, number] {
  const away = point.map((v, k) => v - eye[k]);
  const [X, Y, Z] = axes.map((axis) => dot(axis, away));
  const [x, y] = [X / Z, Y / Z];
  const [r2, [k1, k2], [p1, p2]] = [x * x + y * y, LENS.distortion, LENS.tangential];
  const f = 1 + k1 * r2 + k2 * r2 ** 2 + LENS.k3 * r2 ** 3;
  const u = x * f + 2 * p1 * x * y + p2 * (r2 + 2 * x * x);
  const v = y * f + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y;
  // Whole numbers of a calibrated camera are centres of pixels.
  return [
    LENS.focalLength[0] * u + LENS.principalPoint[0] + 0.5,
    LENS.focalLength[1] * v + LENS.principalPoint[1] + 0.5,
  ];
}

function modelOf(
  cameras: readonly (typeof CAMERAS)[number][],
  followed: readonly FollowedPoint[],
  start: Partial<typeof TRUTH>,
  exposure?: ShutterOptions,
): Model {
  const scene = createScene([
    points({
      ...SIZE,
      camera: PinholeCamera,
      position: Body.position,
      orientation: Body.orientation,
      points: followed,
      ...(exposure ? { exposure } : {}),
    }),
    rigid(),
  ]);
  const { position = [0, 0.5, 0], velocity = [0, 0, 0], angularVelocity = [0, 0, 0] } = start;
  scene.add(Body, { ...BODY, position, velocity, angularVelocity });
  for (const { axes, eye, rotation } of cameras)
    scene.add(PinholeCamera, {
      ...LENS,
      rotation: [...rotation],
      translation: axes.map((axis) => -dot(axis, eye)),
    });
  return buildModel(scene);
}

const FOLLOWED = MARKERS.map((local) => ({ element: 0, local }));
const vector = (
  name: string,
  field: string,
  truth: readonly number[],
  initial: readonly number[],
  unit: string,
): ParameterSpec[] =>
  truth.map((value, component) => ({
    name: `${name} ${'xyz'[component]}`,
    field,
    component,
    initial: initial[component],
    truth: value,
    unit,
  }));

const START = [
  ...vector('position', 'bodies.position', TRUTH.position, [-0.3, 0.6, 0], 'm'),
  ...vector('velocity', 'bodies.velocity', TRUTH.velocity, [1, 2, 0], 'm/s'),
];

/**
 * Checks that every unknown's error is within three of its standard errors, and the standard errors are below given
 * limits.
 */
async function expectFound(problem: Problem, largest: Readonly<Record<string, number>> = {}): Promise<void> {
  const found = await estimate(problem, { device: cpuDevice({ threads: 1 }) });
  for (const [name, { estimate: value, standardError, truth }] of Object.entries(found.parameters)) {
    expect(Math.abs(value - truth!), `${name}: ${value} ± ${standardError}`).toBeLessThan(3 * standardError!);
    if (name in largest) expect(standardError!, name).toBeLessThan(largest[name]);
  }
}

it('tracked points of a body in two cameras determine its motion, gravity and the focal length of one camera', async () => {
  const normal = normalOf(5);
  const tracks = CAMERAS.map((camera, c) =>
    MARKERS.map(
      (local, m): Track => ({
        name: `${c} ${m}`,
        points: Array.from({ length: 30 }, (_, frame) => {
          const [x, y] = seenAt(camera, markerAt(frame / RATE, local, TRUTH));
          return { frame, time: frame / RATE, x: x + 0.3 * normal(), y: y + 0.3 * normal() };
          // Hidden for a while, each at another time.
        }).filter(({ frame }) => Math.floor(frame / 4) !== c + 2 * m),
      }),
    ),
  );
  await expectFound(
    {
      model: modelOf(CAMERAS, FOLLOWED, {}),
      frames: 30,
      frameRate: RATE,
      substeps: SUBSTEPS,
      parameters: [
        ...START,
        ...vector('spin', 'bodies.angularVelocity', TRUTH.angularVelocity, [0, 0, 0], 'rad/s'),
        { name: 'gravity', field: 'world.gravity', component: 1, initial: -9, truth: TRUTH.gravity },
        {
          name: 'fx',
          field: 'cameras.focalLength',
          elements: [1],
          component: 0,
          initial: 600,
          truth: 610,
          scale: 10,
          prior: { mean: 605, standardDeviation: 20 },
        },
      ],
      observations: [pointObservation(tracks, { last: 29 })],
    },
    { gravity: 0.1, 'velocity x': 0.02, 'spin y': 0.1, fx: 4 },
  );
});

it('a readout time of 10 ms is found to 1 ms from points of a tossed body, with unknown flight and spin', async () => {
  const readout: ParameterSpec = {
    name: 'readout',
    field: FIELDS.readout,
    initial: 0,
    range: [0, 0.016],
    scale: 0.005,
    unit: 's',
    truth: 0.01,
  };
  const found = await scoresOf('readout', (seed) => ({
    model: modelOf(CAMERAS.slice(0, 1), FOLLOWED, {}, { frameRate: RATE }),
    frames: 31,
    frameRate: RATE,
    substeps: SUBSTEPS,
    parameters: [
      ...START,
      ...vector('spin', 'bodies.angularVelocity', TRUTH.angularVelocity, [1, -3, 1.5], 'rad/s'),
      readout,
    ],
    observations: [pointObservation([filmed({ readout: 0.01 }, seed)], { last: 29, exposed: true, noise: NOISE })],
  }));
  // To a tenth of it.
  expectCovered(found, 0.001);
});

it('an exposure of 40 % of a frame is found to 2 % of a frame from a released ball with known start', async () => {
  const truth = { ...TRUTH, position: [0, 0.9, 0], velocity: [0, 0, 0], angularVelocity: [0, 0, 1] };
  const shutter: ParameterSpec = {
    name: 'shutter',
    field: FIELDS.shutter,
    initial: 0.1,
    range: [0, 0.9],
    unit: 'of a frame',
    truth: 0.4,
  };
  const found = await scoresOf('shutter', (seed) => ({
    model: modelOf(CAMERAS.slice(0, 1), [{ element: 0 }], { position: [0, 0.9, 0] }, { frameRate: RATE }),
    frames: 22,
    frameRate: RATE,
    substeps: SUBSTEPS,
    parameters: [shutter],
    observations: [
      pointObservation([filmed({ shutter: 0.4, frames: 21, truth, locals: [[0, 0, 0]] }, seed)], {
        last: 20,
        exposed: true,
        noise: NOISE,
      }),
    ],
  }));
  expectCovered(found, 0.02);
});

it('tracked points of two tosses, by one camera each, together determine gravity to 0.05 m/s^2', async () => {
  const problems = [1, 2].map((seed) => {
    const truth = { ...TRUTH, velocity: seed === 1 ? TRUTH.velocity : [1.2, 2.8, -0.4] };
    return {
      name: `toss ${seed}`,
      problem: {
        model: modelOf(CAMERAS.slice(0, 1), FOLLOWED, {}),
        frames: 30,
        frameRate: RATE,
        substeps: SUBSTEPS,
        parameters: [
          ...vector('position', 'bodies.position', truth.position, [-0.3, 0.6, 0], 'm'),
          ...vector('velocity', 'bodies.velocity', truth.velocity, [1, 2, 0], 'm/s'),
          ...vector('spin', 'bodies.angularVelocity', truth.angularVelocity, [1, -3, 1.5], 'rad/s'),
          { name: 'gravity', field: 'world.gravity', component: 1, initial: -9, truth: TRUTH.gravity },
        ],
        observations: [pointObservation([filmed({ truth }, seed)], { last: 29, noise: NOISE })],
      },
    };
  });
  const { shared, recordings } = await estimateTogether(
    problems,
    { shared: ['gravity'] },
    { device: cpuDevice({ threads: 1 }) },
  );
  const { parameters } = recordings[0].estimate;
  expect(parameters['velocity x'].estimate).toBeCloseTo(TRUTH.velocity[0], 1);
  expect(Math.abs(shared.gravity.estimate - TRUTH.gravity)).toBeLessThan(0.05);
});

/** Synthetic tracks: positions averaged over the exposure of each point's row. */
function filmed(
  { readout = 0, shutter = 0, frames = 30, truth = TRUTH, locals = MARKERS as readonly (readonly number[])[] },
  seed: number,
): Track[] {
  const normal = normalOf(seed);
  return locals.map((local, m) => {
    const place = (t: number): [number, number] => seenAt(CAMERAS[0], markerAt(t, local, truth));
    const points = Array.from({ length: frames }, (_, frame) => {
      // The time t with t = frame time + readout y(t) / height + a part of the exposure, by fixed-point iteration.
      const at = (part: number): [number, number] => {
        let t = frame / RATE;
        for (let round = 0; round < 30; round++)
          t = frame / RATE + (readout * place(t)[1]) / SIZE.height + (part * shutter) / RATE;
        return place(t);
      };
      const all = Array.from({ length: 20 }, (_, k) => at((k + 0.5) / 20));
      const [x, y] = [0, 1].map((c) => all.reduce((sum, p) => sum + p[c], 0) / 20);
      return { frame, time: frame / RATE, x: x + NOISE * normal(), y: y + NOISE * normal() };
    });
    return { name: `${m}`, points };
  });
}

/** Standard deviation of noise of the tracked positions, px. */
const NOISE = 0.1;
const FIELDS = pointFields();
const SEEDS = Array.from({ length: 12 }, (_, k) => k + 1);

/** Errors of an unknown divided by its standard error, by seed, and the largest standard error. */
async function scoresOf(
  name: string,
  problemOf: (seed: number) => Problem,
): Promise<{ scores: number[]; error: number }> {
  const scores: number[] = [];
  let error = 0;
  for (const seed of SEEDS) {
    const { parameters } = await estimate(problemOf(seed), { device: cpuDevice({ threads: 1 }) });
    const { estimate: value, truth, standardError } = parameters[name];
    scores.push((value - truth!) / standardError!);
    error = Math.max(error, standardError!);
  }
  return { scores, error };
}

/**
 * Checks that at least 10 of 12 estimates lie within two standard errors: 95 % are expected, and fewer than 10 occur
 * once in 50 times.
 */
function expectCovered({ scores, error }: { scores: readonly number[]; error: number }, largest: number): void {
  const told = `seeds 1 to 12: ${scores.map((score) => score.toFixed(2)).join(' ')}, standard error ${error}`;
  expect(scores.filter((score) => Math.abs(score) < 2).length, told).toBeGreaterThanOrEqual(10);
  expect(error, told).toBeLessThan(largest);
}

it.each([
  ['at the moment of the frame', undefined],
  ['with an exposure', { frameRate: RATE, shutter: 0.3, readout: 0.007 }],
] as const)('gradients of projected points %s agree with tangents and central differences', async (_, exposure) => {
  const followed = [...FOLLOWED.slice(0, 2), { element: 0, radius: 0.05 }];
  await checkGradients(modelOf(CAMERAS, followed, TRUTH, exposure), {
    frames: 5,
    frameRate: RATE,
    substeps: 7,
    parameters: [
      ...['bodies.position', 'bodies.velocity', 'bodies.angularVelocity', 'world.gravity', FIELDS.local],
      ...['cameras.rotation', 'cameras.translation', 'cameras.focalLength', 'cameras.distortion', 'cameras.tangential'],
      ...(exposure ? [FIELDS.shutter, FIELDS.readout] : []),
    ],
    outputs: [FIELDS.seen],
  });
});

// Along a straight line at constant speed, the mean over the exposure is where the point is in its middle.
it('points are exposed from the times of their frames on, also where these are uneven', async () => {
  const frameTimes = [0, 0.02, 0.034, 0.059, 0.07];
  const shutter = 0.5;
  const model = (velocity: readonly number[], exposure?: ShutterOptions) => {
    const scene = createScene([
      rigid(),
      points({ ...SIZE, camera: PinholeCamera, position: Body.position, points: [{ element: 0 }], exposure }),
    ]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    scene.add(Body, { ...BODY, position: [-0.2, 0.5, 0], velocity: [...velocity] as never });
    scene.add(PinholeCamera, {
      rotation: [1, 0, 0, 0],
      translation: [0, 0.6, 2.2],
      focalLength: [610, 610],
      principalPoint: [320, 240],
    });
    return buildModel(scene);
  };
  const seen = async (of: Model, times: readonly number[]): Promise<Float64Array> =>
    recordOf(of, FIELDS.seen, { device: f64Device(), frameTimes: times, substeps: 6 });
  const exposed = await seen(model([1.5, 0.4, 0], { frameRate: RATE, shutter }), frameTimes);
  // Frame f + 1 holds the exposure of frame f.
  const middles = [0, ...frameTimes.slice(0, -1).map((time) => time + shutter / RATE / 2)];
  const right = await seen(model([1.5, 0.4, 0]), middles);
  for (let k = 2; k < 10; k++) expect(Math.abs(exposed[k] - right[k])).toBeLessThan(1e-6);
});

it('points() and pointObservation() refuse invalid options and tracks', () => {
  const one = { ...SIZE, camera: PinholeCamera, position: Body.position };
  expect(() => points({ ...one, points: [] })).toThrowCode('film/no-points');
  expect(() => points({ ...one, points: [{ element: -1 }] })).toThrowCode({
    code: 'film/option-out-of-range',
    values: [-1],
  });
  expect(() => points({ ...one, points: [{ element: 0, local: [0.1, 0, 0] }] })).toThrowCode('film/no-orientation');
  expect(() =>
    points({ ...one, points: [{ element: 0 }], exposure: { frameRate: 50, shutter: 0.6, readout: 0.01 } }),
  ).toThrowCode('film/option-out-of-range');
  expect(() => modelOf(CAMERAS, [{ element: 3 }], {})).toThrowCode({
    code: 'film/no-such-element',
    values: [3, 1, 'bodies'],
  });
  const track = { name: 'a', points: [{ frame: 40, time: 1, x: 1, y: 1 }] };
  expect(() => pointObservation([[track]], { last: 9 })).toThrowCode({ code: 'film/no-frames', values: [0, 9] });
  expect(() => pointObservation([[track], []], { last: 9 })).toThrowCode({ code: 'film/wrong-size', values: [1, 0] });
  expect(() => pointObservation([[track]], { last: 9, noise: -1 })).toThrowCode({
    code: 'film/option-out-of-range',
    field: 'noise',
    values: [-1],
  });
  const slow = { name: 'b', points: [0, 1, 2].map((frame) => ({ frame, time: frame / 25, x: 1, y: 1 })) };
  expect(() => pointObservation([[slow]], { last: 2, noise: 1, frameRate: 30 })).toThrowCode({
    code: 'film/other-frame-rate',
    values: [25, 30, 'frameRate', 'b'],
  });
  expect(pointObservation([[slow]], { last: 2, noise: 1, frameRate: 25 }).target).toHaveLength(6);
  const uneven = { name: 'c', points: [0, 1.4, 2].map((at, frame) => ({ frame, time: at / 25, x: 1, y: 1 })) };
  expect(() => pointObservation([[uneven]], { last: 2, noise: 1, frameRate: 25 })).toThrowCode({
    code: 'film/other-frame-rate',
    values: ['c', 'frame 1', '0.40', 'frameTimes'],
  });
  expect(pointObservation([[uneven]], { last: 2, noise: 1 }).target).toHaveLength(6);
});

function normalOf(seed: number): () => number {
  const uniform = randomNumbers(seed);
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
