import { buildModel, cpuDevice, createScene, f64Device } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import type { Draw } from '../draw.ts';
import { type Case, outcomeOf, WronglyAccepted } from '../kind.ts';
import { misspellName } from '../mutate.ts';

const scene = createScene([particles()]);
for (const k of [0, 1]) scene.add(Particle, { position: [k, 1, 0], mass: 1, velocity: [0.5, k, 0] }, `point ${k}`);
const MODEL = buildModel(scene);
const DEVICES = [f64Device(), cpuDevice({ threads: 1 })];

/** An estimation problem as plain objects, which random errors are put into. */
interface ProblemDraft extends Record<string, unknown> {
  frames: number;
  readonly parameters: Record<string, unknown>[];
  readonly arrays: Record<string, unknown>[];
  readonly observations: Record<string, unknown>[];
  readonly losses: Record<string, unknown>[];
  readonly options: Record<string, unknown> & { readonly search: Record<string, unknown> };
}

function draftProblem(random: Draw): ProblemDraft {
  const frames = random.whole(2, 4);
  const target = Float64Array.from({ length: frames * 6 }, (_, k) => Math.sin(k));
  const hasArrays = random.chance(0.3);
  const transform = random.pick(['identity', 'log', 'bounded'] as const);
  return {
    model: MODEL,
    frames,
    frameRate: 30,
    substeps: 4,
    parameters: hasArrays
      ? []
      : [
          {
            name: 'speed',
            field: 'particles.velocity',
            component: 0,
            elements: [0],
            initial: 0.5,
            range: [0.1, 2],
            transform,
            scale: 1,
          },
          { name: 'weight', field: 'world.gravity', component: 1, initial: -8, range: [-20, 0] },
        ],
    arrays: hasArrays
      ? [
          {
            name: 'speeds',
            field: 'particles.velocity',
            initial: 0.1,
            ...(random.chance(0.5) ? { tied: ['elements'] } : {}),
          },
        ]
      : [],
    observations: [{ field: 'particles.position', target, frames: random.pick(['all', 'last', [1], { every: 1 }]) }],
    losses: random.chance(0.3) ? [{ field: 'particles.velocity', weight: 1e-3, name: 'slow' }] : [],
    options: {
      search: {
        iterations: 2,
        seed: 3,
        ...(random.chance(0.3) ? { method: 'l-bfgs' } : {}),
        ...(random.chance(0.3) ? { starts: 2 } : {}),
      },
    },
  };
}

/** Draws an estimation problem, valid or with one error. */
export function drawnProblem(random: Draw): Case {
  const problem = draftProblem(random);
  const device = random.pick(DEVICES);
  const solve = async (): Promise<boolean> => {
    const { loss, parameters, arrays } = await estimate(problem as unknown as Problem, { device });
    const values = [...Object.values(parameters), ...Object.values(arrays)].flatMap(({ estimate: e }) =>
      typeof e === 'number' ? [e] : Array.from(e),
    );
    if (![loss, ...values].every(Number.isFinite)) throw new WronglyAccepted(`the loss is ${loss} at ${values}`);
    return true;
  };
  // A loss that is no sum of squares has methods of its own.
  if (problem.losses.length > 0) problem.options.search.method = random.pick(['l-bfgs', 'adam', 'sgd']);
  const of = `an estimation on ${device.kind}`;
  if (random.chance(0.3)) return { about: `${of}: whole`, expected: 'valid', read: () => outcomeOf(solve) };
  const { about, names } = spoilProblem(problem, random);
  return { about: `${of}: ${about}`, expected: 'refused', names, read: () => outcomeOf(solve) };
}

type InvalidOption = readonly [name: string, value: unknown, says?: string];

const OF_UNKNOWNS: readonly InvalidOption[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, 1e39].map((value): InvalidOption => ['initial', value, 'starts at']),
  // Of numbers and of arrays in words of their own.
  ...['x', null].map((value): InvalidOption => ['initial', value, '']),
  ...[-1, 0, Number.NaN, 1e39, 'x'].map((value): InvalidOption => ['scale', value]),
  ...[[2, 1], [0.1, 1e39], [Number.NaN, 1], [0], 'x', [1, 1]].map((value): InvalidOption => ['range', value]),
  ...['logarithm', 'Log', 3].map((value): InvalidOption => ['transform', value]),
  ...['particles.velocty', 'nothing', 3, null].map((value): InvalidOption => ['field', value, '']),
  ...[[], [7], [0.5], ['x']].map((value): InvalidOption => ['elements', value]),
  ...[{ mean: 0, standardDeviation: 0 }, { mean: Number.NaN, standardDeviation: 1 }, { mena: 1 }, 3].map(
    (value): InvalidOption => ['prior', value],
  ),
];
const OF_OBSERVATIONS: readonly InvalidOption[] = [
  ...[[], [1, 2], null, 'x'].map((value): InvalidOption => ['target', value, 'particles.position']),
  ...['lats', [99], [0.5], { every: 0 }, { every: 1.5 }, [], 3, null].map(
    (value): InvalidOption => ['frames', value, 'rame'],
  ),
  ...[[1], [-1, 1, 1], [Number.NaN, 1, 1], [0, 0, 0], 'x'].map((value): InvalidOption => ['weights', value, 'eights']),
  ...[0, 1.5, 99, Number.NaN, 'x'].map((value): InvalidOption => ['instants', value]),
  ...['particles.positon', 'nothing', null].map((value): InvalidOption => ['field', value, '']),
];
const OF_SEARCH: readonly InvalidOption[] = [
  ...[-1, 0.5, Number.NaN, 'x', Number.POSITIVE_INFINITY].map((value): InvalidOption => ['iterations', value]),
  ...[0, 1.5, Number.NaN, 'x'].map((value): InvalidOption => ['starts', value]),
  ...['newton', 3].map((value): InvalidOption => ['method', value]),
  ...[[], [0.5], [1, 0.5, 1], [Number.NaN, 1], [0, 1], [-1, 1], 'x', 3].map(
    (value): InvalidOption => ['horizons', value, 'orizon'],
  ),
  ...[-1, Number.NaN, 'x'].map((value): InvalidOption => ['tolerance', value]),
];
const OF_OPTIONS: readonly InvalidOption[] = [-1, 0, Number.NaN].map((value): InvalidOption => ['memory', value]);
const OF_PROBLEMS: readonly InvalidOption[] = [
  ...[0, -1, 1.5, Number.NaN, 'x', undefined, 1e10].map((value): InvalidOption => ['frames', value]),
  ...[0, 1.5, Number.NaN, 1e9].map((value): InvalidOption => ['substeps', value]),
  ...[0, -1, Number.NaN, undefined].map((value): InvalidOption => ['frameRate', value]),
  ['values', { 'particles.mass': [1] }, 'particles.mass'],
  ['values', { 'particles.mass': [-1, 1] }, 'particles.mass'],
  ['values', { 'particles.mas': [1, 1] }, 'particles.mas'],
  ['model', undefined],
  ['model', {}],
  ['parameters', 'x'],
  ['observations', {}],
];

function spoilProblem(problem: ProblemDraft, random: Draw): { about: string; names: string[] } {
  const unknown = problem.parameters[0] ?? problem.arrays[0];
  const [observation] = problem.observations;
  const places = [
    ['the unknown', unknown, OF_UNKNOWNS],
    ['the observation', observation, OF_OBSERVATIONS],
    ['the options of the search', problem.options.search, OF_SEARCH],
    ['the options', problem.options, OF_OPTIONS],
    ['the problem', problem, OF_PROBLEMS],
  ] as const;
  const [what, holder, changes] = random.pick(places);
  if (random.chance(0.25)) {
    const name = random.pick(Object.keys(holder));
    const wrong = misspellName(name, random, Object.keys(holder));
    holder[wrong] = holder[name];
    return { about: `${what} has ${wrong}`, names: [wrong] };
  }
  const others: (() => { about: string; names: string[] })[] = [
    () => {
      problem.observations.length = 0;
      problem.losses.length = 0;
      return { about: 'nothing to compare with', names: ['observations'] };
    },
    () => {
      problem.parameters.length = 0;
      problem.arrays.length = 0;
      return { about: 'nothing to estimate', names: ['estimate'] };
    },
    () => {
      problem[problem.arrays.length > 0 ? 'arrays' : 'parameters'].push({ ...unknown });
      return { about: 'an unknown twice', names: [String(unknown.name)] };
    },
    () => {
      const value = random.pick([Number.NaN, Number.POSITIVE_INFINITY, 1e39]);
      observation.target = Float64Array.from(observation.target as Float64Array, (x, k) => (k === 3 ? value : x));
      return { about: `a target that is ${value}`, names: ['target', 'particles.position'] };
    },
    () => {
      problem.losses.push({
        name: 'odd',
        recordedFields: { p: 'particles.position' },
        evaluate: () => ({ value: Number.NaN, gradient: {} }),
      });
      problem.options.search.method = 'l-bfgs';
      return { about: 'a loss that is NaN', names: ['odd'] };
    },
    () => {
      problem.losses.push({
        name: 'odd',
        field: 'particles.position',
        weight: random.pick([Number.NaN, 1e39, 'x']),
      });
      problem.options.search.method = 'l-bfgs';
      return { about: 'a loss with a wrong weight', names: ['odd', 'weight'] };
    },
  ];
  if (random.chance(0.25)) return random.pick(others)();
  const [name, value, says = name] = random.pick(changes);
  holder[name] = value;
  return { about: `${what} has ${name} ${JSON.stringify(value) ?? String(value)}`, names: [says] };
}
