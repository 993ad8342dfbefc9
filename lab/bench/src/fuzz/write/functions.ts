import { buildModel, compile, cpuDevice, createScene, f32, kernel, selectDevice } from '@gradsim/core';
import {
  box,
  capsule,
  chain,
  cone,
  cylinder,
  icosphere,
  lattice,
  massProperties,
  net,
  placeMesh,
  plane,
  pointMassProperties,
  tetBox,
  tetrahedralise,
  torus,
  uvSphere,
} from '@gradsim/mesh';
import { createOperation } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import {
  cameraShifts,
  cropFrames,
  cutFrames,
  encodeFrames,
  encodePng,
  objectMasks,
  readFrames,
  requireFrames,
  resizeFrames,
} from '@gradsim/video';
import type { Draw } from '../draw.ts';
import { type Case, outcomeOf } from '../kind.ts';
import { misspellName } from '../mutate.ts';

type Options = Record<string, unknown>;

/** A function, and valid options for it. */
interface FunctionWithOptions {
  readonly name: string;
  readonly options: Options;
  readonly call: (options: never) => unknown;
  /**
   * Name of the shape that the options describe. Shapes allow further options, so a misspelt one is reported by showing
   * the whole shape.
   */
  readonly shape?: string;
}

const BALL = icosphere({ radius: 1, subdivisions: 1 });
const FILM = {
  width: 8,
  height: 8,
  channels: 3,
  frameRate: 30,
  data: Float32Array.from({ length: 4 * 192 }, (_, k) => (k % 7) / 7),
} as const;
/** A light square of 4 x 4 pixels that moves over a dark grey background; it appears in the second frame. */
const MOVING = {
  ...FILM,
  data: Float32Array.from({ length: 4 * 192 }, (_, k) => {
    const [x, y, f] = [Math.floor(k / 3) % 8, Math.floor(k / 24) % 8, Math.floor(k / 192)];
    return f > 0 && x >= f && x < f + 4 && y >= 2 && y < 6 ? 0.9 : 0.2;
  }),
} as const;
const PNG = await encodePng(FILM);
const twice = kernel('twice', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
  y: x.mul(2),
}));
const scene = createScene([particles()]);
scene.add(Particle, { position: [0, 1, 0], mass: 1 });
const MODEL = buildModel(scene);

const FUNCTIONS_WITH_OPTIONS: readonly FunctionWithOptions[] = [
  { name: 'box', options: { size: [1, 2, 3] }, call: (options) => box(options) },
  { name: 'capsule', options: { radius: 0.5, height: 1, segments: 8 }, call: (options) => capsule(options) },
  {
    name: 'chain',
    options: { from: [0, 0, 0], to: [1, 0, 0], segments: 3 },
    call: (options) => chain(options),
  },
  { name: 'cone', options: { radius: 1, height: 2, segments: 8 }, call: (options) => cone(options) },
  { name: 'cylinder', options: { radius: 1, height: 2, segments: 8 }, call: (options) => cylinder(options) },
  { name: 'icosphere', options: { radius: 1, subdivisions: 2 }, call: (options) => icosphere(options) },
  { name: 'lattice', options: { size: [1, 1, 1], cells: [1, 2, 1] }, call: (options) => lattice(options) },
  { name: 'net', options: { size: [1, 1], segments: [2, 2] }, call: (options) => net(options) },
  { name: 'plane', options: { size: [1, 1], segments: [2, 2] }, call: (options) => plane(options) },
  { name: 'tetBox', options: { size: [1, 1, 1], cells: [1, 2, 1] }, call: (options) => tetBox(options) },
  {
    name: 'torus',
    options: { radius: 1, tube: 0.2, segments: 8, sides: 6 },
    call: (options) => torus(options),
  },
  { name: 'uvSphere', options: { radius: 1, segments: 8, rings: 6 }, call: (options) => uvSphere(options) },
  {
    name: 'placeMesh',
    options: { translation: [1, 0, 0], scale: [1, 2, 1] },
    call: (options) => placeMesh(BALL, options),
  },
  { name: 'massProperties', options: { density: 2 }, call: (options) => massProperties(BALL, options) },
  {
    name: 'pointMassProperties',
    options: { mass: 2 },
    call: (options) => pointMassProperties(BALL, options),
  },
  { name: 'tetrahedralise', options: { cellSize: 0.7 }, call: (options) => tetrahedralise(BALL, options) },
  {
    name: 'cropFrames',
    shape: 'crop',
    options: { x: 1, y: 1, width: 4, height: 4 },
    call: (options) => cropFrames(FILM, options),
  },
  {
    name: 'resizeFrames',
    shape: '',
    options: { width: 4, height: 4 },
    call: (options) => resizeFrames(FILM, options),
  },
  { name: 'cutFrames', options: { first: 1, last: 2 }, call: (options) => cutFrames(FILM, options) },
  { name: 'encodePng', options: { depth: 16 }, call: (options) => encodePng(FILM, 0, options) },
  {
    name: 'encodeFrames',
    options: { depth: 8 },
    call: (options) => encodeFrames(cutFrames(FILM, { first: 0, last: 0 }), 'png', options),
  },
  {
    name: 'readFrames',
    options: { frameRate: 30, channels: 3 },
    call: (options) => readFrames(PNG, options),
  },
  {
    name: 'requireFrames',
    options: { frameRate: 30, count: 4 },
    call: (options) => requireFrames(FILM, options),
  },
  { name: 'cameraShifts', options: { reference: 1 }, call: (options) => cameraShifts(FILM, options) },
  {
    name: 'objectMasks',
    options: { rimDistance: 2, shadows: false },
    call: (options) => objectMasks(MOVING, cutFrames(MOVING, { first: 0, last: 0 }), options),
  },
  { name: 'cpuDevice', options: { threads: 2 }, call: (options) => cpuDevice(options) },
  { name: 'selectDevice', options: { threads: 2 }, call: (options) => selectDevice('cpu', options) },
  {
    name: 'compile',
    options: { sizes: { points: 3 }, device: 'f64', worlds: 2, dt: 0.1 },
    call: async (options) => (await compile([twice], options)).dispose(),
  },
  {
    name: 'createOperation',
    options: {
      frames: 3,
      frameRate: 30,
      substeps: 2,
      worlds: 2,
      inputs: { v: 'particles.velocity' },
      outputs: { p: 'particles.position' },
    },
    call: async (options) =>
      (await createOperation(MODEL, { ...(options as object), device: cpuDevice({ threads: 1 }) } as never)).dispose(),
  },
];

/** Draws a call of a function with valid options or one invalid option. */
export function drawFunctionCall(random: Draw): Case {
  const { name, options: right, call, shape } = random.pick(FUNCTIONS_WITH_OPTIONS);
  const options = { ...right };
  const read = (): ReturnType<typeof outcomeOf> =>
    outcomeOf(async () => {
      await call(options as never);
      return true;
    });
  if (random.chance(0.2)) return { about: `${name}: right options`, expected: 'valid', read };
  const option = random.pick(Object.keys(options));
  if (random.chance(0.4)) {
    const wrong = misspellName(option, random, Object.keys(options));
    options[wrong] = options[option];
    if (shape !== undefined) delete options[option];
    return { about: `${name} with ${wrong}`, expected: 'refused', names: [shape ?? wrong], read };
  }
  const wrong = wrongOf(options[option], random);
  options[option] = wrong;
  return {
    about: `${name} with ${option} ${JSON.stringify(wrong) ?? String(wrong)}`,
    expected: 'refused',
    names: [shape ?? option],
    read,
  };
}

/** Returns an invalid value for an option whose valid value is given. */
function wrongOf(value: unknown, random: Draw): unknown {
  if (typeof value === 'string') return random.pick<unknown>(['none such', 3, null]);
  if (Array.isArray(value)) {
    const changed: unknown[] = [...value];
    changed[random.whole(0, changed.length - 1)] = random.pick<unknown>([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      'x',
      null,
    ]);
    return random.pick<unknown>([changed, value.slice(1), [], 'x', null, 3]);
  }
  if (typeof value === 'number')
    return random.pick<unknown>([Number.NaN, Number.POSITIVE_INFINITY, -1, 'x', [1, 2], {}]);
  return random.pick<unknown>(['x', 3, null, []]);
}
