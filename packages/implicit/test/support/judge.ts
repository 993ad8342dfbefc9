import type { Device, Model, Simulation } from '@gradsim/core';
import { buildModel, createSimulation, f64Device } from '@gradsim/core';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';

import type { State } from './balance.ts';
import { balanceOf } from './balance.ts';
import type { Drawn } from './random-scene.ts';
import { parametersOf, sceneOf } from './random-scene.ts';

const PARTICLES = ['particles.position', 'particles.velocity'];
const BODY = ['position', 'orientation', 'velocity', 'angularVelocity'].map((name) => `bodies.${name}`);
const recordOf = ({ body }: Drawn): string[] => [...PARTICLES, ...(body ? BODY : [])];
const models = new WeakMap<Drawn, Model>();
const modelOf = (drawn: Drawn): Model => {
  const model = models.get(drawn) ?? buildModel(sceneOf(drawn));
  models.set(drawn, model);
  return model;
};
const quiet = { onWarning: () => {} };
/** Returns the final fields on which the random loss depends. */
const outputsOf = ({ body }: Drawn): string[] => [
  ...PARTICLES,
  ...(body ? ['bodies.position', 'bodies.velocity'] : []),
];

/**
 * Largest residual of all steps of a run, relative to the momenta and impulses in them; and the numbers of contacts.
 */
export async function balanceOfRun(drawn: Drawn, device: Device = f64Device({ threads: 1 })) {
  const { dt, steps } = drawn;
  const record = recordOf(drawn);
  const simulation = await createSimulation(modelOf(drawn), {
    device,
    frames: steps + 1,
    frameRate: 1 / dt,
    substeps: 1,
    record,
    ...quiet,
  });
  simulation.forward();
  const [x, v, ...body] = await Promise.all(record.map((key) => simulation.readFrames(key)));
  simulation.dispose();
  const cut = (values: ArrayLike<number>, frame: number): number[] => {
    const size = values.length / (steps + 1);
    return Array.from({ length: size }, (_, k) => values[size * frame + k]);
  };
  const state = (frame: number): State => {
    const [position, orientation, velocity, angularVelocity] = body.map((values) => cut(values, frame));
    return {
      position: cut(x, frame),
      velocity: cut(v, frame),
      ...(drawn.body ? { body: { position, orientation, velocity, angularVelocity } } : {}),
    };
  };
  const found = { missing: 0, missingOfBody: 0, touches: 0 };
  for (let frame = 0; frame < steps; frame++) {
    const { missing, missingOfBody, size, touches } = balanceOf(drawn, state(frame), state(frame + 1), frame === 0);
    found.missing = Math.max(found.missing, missing / size);
    found.missingOfBody = Math.max(found.missingOfBody, missingOfBody / size);
    found.touches += touches;
  }
  return found;
}

const randomValues = (random: () => number, count: number): Float64Array =>
  Float64Array.from({ length: count }, () => 2 * random() - 1);

const STEPS = Array.from({ length: 6 }, (_, k) => 10 ** (-3.5 - 0.75 * k));
/**
 * Returns the error of a derivative against central differences: the least, over pairs of neighbouring step lengths, of
 * the larger error of the two. The search ends once that is below `enough`. Null if no two neighbouring quotients agree
 * with each other within twice that, whatever the derivative: a step then has several solutions, as where a structure
 * buckles, and the least change decides which one is found.
 */
async function againstDifferences(
  evaluate: (h: number) => Promise<number>,
  derivative: number,
  floor: number,
  enough: number,
) {
  const errors: number[] = [];
  const quotients: number[] = [];
  let unsolved: unknown;
  for (const h of STEPS) {
    try {
      const quotient = ((await evaluate(h)) - (await evaluate(-h))) / (2 * h);
      quotients.push(quotient);
      errors.push(Math.abs(quotient - derivative) / Math.max(Math.abs(derivative), floor));
    } catch (error) {
      // A step of the difference may lead to a scene that is not solved: those do not count.
      unsolved = error;
      quotients.push(Number.NaN);
      errors.push(Number.NaN);
    }
    if (errors.length > 1 && Math.max(...errors.slice(-2)) < enough) break;
  }
  const agreed = errors.slice(1).map((error, k) => Math.max(error, errors[k]));
  const found = agreed.filter((error) => !Number.isNaN(error));
  if (found.length === 0) throw unsolved;
  const settle = quotients
    .slice(1)
    .some((b, k) => Math.abs(b - quotients[k]) <= 2 * enough * Math.max(Math.abs(b), Math.abs(quotients[k]), floor));
  return settle ? Math.min(...found) : null;
}

interface Setting {
  readonly device: Device;
  readonly derivative?: 'adjoint' | 'tangent';
  readonly memory?: number;
}
const opened = (drawn: Drawn, { device, derivative = 'adjoint', memory }: Setting): Promise<Simulation> =>
  createSimulation(modelOf(drawn), {
    device,
    frames: drawn.steps + 1,
    frameRate: 1 / drawn.dt,
    substeps: 1,
    ...quiet,
    parameters: parametersOf(drawn),
    outputs: outputsOf(drawn),
    derivative,
    ...(memory === undefined ? {} : { memory }),
  });

type Values = Map<string, Float64Array>;
async function endOf(simulation: Simulation, drawn: Drawn): Promise<Values> {
  simulation.forward();
  const end: Values = new Map();
  for (const key of outputsOf(drawn)) end.set(key, Float64Array.from(await simulation.read(key)));
  return end;
}
const weightsFor = (end: Values, seed: number): Values => {
  const random = randomNumbers(seed);
  return new Map([...end].map(([key, values]) => [key, randomValues(random, values.length)]));
};
const inner = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, x, k) => sum + x * b[k], 0);
const weighted = (end: Values, weights: Values): number =>
  [...end].reduce((sum, [key, values]) => sum + inner(values, weights.get(key)!), 0);

/** Returns the final state of a run and the gradient of a random loss of it. */
export async function runOf(drawn: Drawn, seed: number, setting: Setting) {
  const simulation = await opened(drawn, setting);
  try {
    const end = await endOf(simulation, drawn);
    simulation.backward(Object.fromEntries(weightsFor(end, seed)));
    const gradients: Values = new Map();
    for (const key of parametersOf(drawn)) gradients.set(key, await simulation.gradient(key));
    return { end, gradients };
  } finally {
    simulation.dispose();
  }
}
export type Run = Awaited<ReturnType<typeof runOf>>;

/**
 * Returns the scale of a parameter's values: 0.3 for positions, velocities and accelerations, for others their own
 * absolute value.
 */
const sizes = (key: string, values: ArrayLike<number>): number[] =>
  Array.from(values, (x) => (/position|velocity|gravity|swirl/.test(key) ? 0.3 : Math.abs(x)));

export interface GradientErrors {
  /**
   * Relative errors by parameter: of the gradient against the tangent (`transposed`), and of the tangent against
   * central differences (`differences`).
   */
  readonly transposed: Readonly<Record<string, number>>;
  readonly differences: Readonly<Record<string, number>>;
  /** Parameters along which central differences settle at no step length, so that they tell nothing. */
  readonly unsettled: readonly string[];
}

/**
 * Measures the errors of the gradient of a random loss along random directions, parameter by parameter, in double
 * precision.
 * @param enough error against differences below which the search for a better step length ends.
 */
export async function gradientErrors(
  drawn: Drawn,
  seed: number,
  { gradients, end }: Run,
  enough: number,
): Promise<GradientErrors> {
  const random = randomNumbers(seed + 1);
  const weights = weightsFor(end, seed);
  const device = f64Device({ threads: 1 });
  const tangent = await opened(drawn, { device, derivative: 'tangent' });
  // Runs without tangents, for the differences, take half of the time.
  const plain = await opened(drawn, { device });
  const keys = parametersOf(drawn);
  const starts = new Map<string, Float64Array>();
  const [transposed, differences]: Record<string, number>[] = [{}, {}];
  const unsettled: string[] = [];
  try {
    tangent.forward();
    for (const key of keys) starts.set(key, Float64Array.from(await valuesOf(drawn, key)));
    // Effects far below the others are lost in the loss's rounding.
    const floor = 1e-2 * largestEffect(drawn, gradients);
    for (const key of keys) {
      const start = starts.get(key)!;
      const scale = sizes(key, start);
      const direction = randomValues(random, start.length).map((d, k) => d * scale[k]);
      for (const other of keys)
        tangent.setTangent(other, other === key ? direction : new Float64Array(starts.get(other)!.length));
      tangent.forward();
      let along = 0;
      for (const [output, w] of weights) along += inner(await tangent.readTangent(output), w);
      const gradient = gradients.get(key)!;
      const size = Math.hypot(...gradient.map((g, k) => g * scale[k]));
      transposed[key] = Math.abs(inner(gradient, direction) - along) / Math.max(size, floor);
      const evaluate = async (h: number): Promise<number> => {
        plain.set(
          key,
          start.map((x, k) => x + h * direction[k]),
        );
        return weighted(await endOf(plain, drawn), weights);
      };
      const error = await againstDifferences(evaluate, along, floor, enough);
      if (error === null) unsettled.push(key);
      else differences[key] = error;
      plain.set(key, start);
    }
  } finally {
    plain.dispose();
    tangent.dispose();
  }
  return { transposed, differences, unsettled };
}

/** Returns the largest change of the loss when one parameter changes by its scale. */
function largestEffect(drawn: Drawn, gradients: Values): number {
  const effects = [...gradients].map(([key, gradient]) => {
    const scale = sizes(key, valuesOf(drawn, key));
    return gradient.reduce((most, g, k) => Math.max(most, Math.abs(g) * scale[k]), 0);
  });
  return Math.max(...effects);
}

/** Returns the values of a parameter in a scene's model. */
function valuesOf(drawn: Drawn, key: string): ArrayLike<number> {
  return modelOf(drawn).field(key).values!;
}

/**
 * Returns the error of a run relative to the exact one: states relative to the largest of their kind; gradients by the
 * effect of a parameter's scale on the loss, relative to the largest such effect among parameters.
 */
export function apart(found: Run, exact: Run, drawn: Drawn): { states: number; gradients: number } {
  let states = 0;
  for (const [key, values] of exact.end) {
    const largest = values.reduce((most, x) => Math.max(most, Math.abs(x)), 1e-3);
    values.forEach((x, k) => {
      states = Math.max(states, Math.abs(found.end.get(key)![k] - x) / largest);
    });
  }
  let difference = 0;
  for (const [key, gradient] of exact.gradients) {
    const scale = sizes(key, valuesOf(drawn, key));
    gradient.forEach((g, k) => {
      difference = Math.max(difference, Math.abs(found.gradients.get(key)![k] - g) * scale[k]);
    });
  }
  return { states, gradients: difference / largestEffect(drawn, exact.gradients) };
}

/**
 * Returns the minimum memory, bytes, with which a run's gradient can be computed: two states are stored, and others are
 * recomputed from them.
 */
export async function leastMemory(drawn: Drawn, device: Device): Promise<number> {
  const refusal = await opened(drawn, { device, memory: 1 }).then(
    () => 'none',
    (error: Error) => error.message,
  );
  const [, states, bytes] = /at least (\d+) states of (\d+) bytes/.exec(refusal) ?? [];
  if (bytes === undefined) throw new Error(`A byte of memory is refused with its least, got: ${refusal}`);
  return 2 * Number(states) * Number(bytes);
}
