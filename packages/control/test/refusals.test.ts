// What is refused before anything runs, and in which words.
import { addCloth, cloth, Hinge } from '@gradsim/cloth';
import { buildModel, createScene, definePlugin, f32 } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { type ExpectedError, expect, test } from 'vitest';
import type { ControllerOptions } from '../src/index.ts';
import { controller, fieldInput, sinusoidInput, splineInput, weightsOf } from '../src/index.ts';

const sees = [sinusoidInput({ frequency: 7, count: 3 })];
const drives = [{ field: Spring.actuation }];

function build(options: ControllerOptions) {
  const scene = createScene([particles(), springs(), controller(options)]);
  const [a, b] = [0, 1].map((x) => scene.add(Particle, { position: [x, 0, 0], mass: 1 }));
  scene.add(Spring, { ends: [a, b], stiffness: 1, restLength: 1 });
  return buildModel(scene);
}

test.each<[string, Partial<ControllerOptions>, ExpectedError]>([
  ['a drive of a field that no pass reads', { drives: [{ field: 'things.idle' }] }, 'control/unread-field'],
  [
    'a drive of an unknown field',
    { drives: [{ field: 'springs.activation' }] },
    { code: 'core/unknown-field', field: 'springs.activation' },
  ],
  ['a drive of an index field', { drives: [{ field: 'springs.ends' }] }, 'control/wrong-type'],
  [
    'a drive of an unknown element',
    { drives: [{ field: Spring.actuation, elements: [1] }] },
    { code: 'control/no-such-element', values: [1, 0, 'elements of springs'] },
  ],
  ['an element listed twice', { drives: [{ field: Particle.force, elements: [1, 1] }] }, 'control/named-twice'],
  ['group numbers with gaps', { drives: [{ field: Particle.force, groups: [0, 2] }] }, 'control/wrong-groups'],
  [
    'fewer group numbers than elements',
    { drives: [{ field: Particle.force, groups: [0] }] },
    { code: 'control/wrong-size', values: [1, 2] },
  ],
  [
    'a scale of NaN',
    { drives: [{ field: Spring.actuation, scale: Number.NaN }] },
    { code: 'control/option-out-of-range', values: ['scale'] },
  ],
  [
    'weights of another shape',
    { weights: { 'controllerSight0Weights.weight': [1, 2] } },
    { code: 'control/wrong-size', field: 'controllerSight0Weights.weight', values: [2, 3, 1, 'controllerOutputs'] },
  ],
  [
    'weights of an unknown layer',
    { weights: { 'controllerLayer1.bias': [1] } },
    { code: 'control/no-such-weights', values: ['controllerLayer1.bias'] },
  ],
  ['a hidden layer of size 0', { hidden: [0] }, { code: 'control/option-out-of-range', values: [1, 0] }],
  ['an unknown activation', { activation: 'gelu' as 'relu' }, 'base/unknown-choice'],
  ['a misspelt option', { hiden: [2] } as object, 'base/unknown-option'],
  ['acting every 0.5 substeps', { every: 0.5 }, { code: 'control/option-out-of-range', values: [0.5] }],
  ['no inputs', { inputs: [] }, 'control/sees-nothing'],
  ['no drives', { drives: [] }, 'control/drives-nothing'],
  ['a name with a space', { name: 'my gait' }, 'control/wrong-name'],
  [
    'an input from an unknown field',
    { inputs: [fieldInput('particles.speed')] },
    { code: 'core/unknown-field', field: 'particles.speed' },
  ],
])('a controller refuses %s', (_, options, expected) => {
  const idle = definePlugin({
    name: 'idle',
    contract: 1,
    build: ({ model }) => {
      model.addDomain('things', 1);
      model.addField('things', 'idle', f32, { fill: 0 });
    },
  });
  expect(() => {
    const scene = createScene([particles(), springs(), idle, controller({ inputs: sees, drives, ...options })]);
    const [a, b] = [0, 1].map((x) => scene.add(Particle, { position: [x, 0, 0], mass: 1 }));
    scene.add(Spring, { ends: [a, b], stiffness: 1, restLength: 1 });
    buildModel(scene);
  }).toThrowCode(expected);
});

test('a controller refuses to drive hinges of a sheet without bending stiffness', () => {
  const scene = createScene([particles(), cloth(), controller({ inputs: sees, drives: [{ field: Hinge.actuation }] })]);
  addCloth(scene, plane({ size: [1, 1] }), { mu: 1, lambda: 1, density: 1 });
  expect(() => buildModel(scene)).toThrowCode({ code: 'control/no-element', field: 'hinges.actuation' });
});

test('weightsOf finds a single controller without its name, and refuses an unknown name', () => {
  expect(weightsOf(build({ inputs: sees, drives })).map(({ name }) => name)).toEqual([
    'controllerSight0Weights.weight',
    'controllerOutputs.bias',
  ]);
  expect(() => weightsOf(build({ inputs: sees, drives }), 'gait')).toThrowCode({
    code: 'control/no-such-controller',
    values: ['"gait"'],
  });
});

test.each([
  [
    () => sinusoidInput({ frequency: Number.POSITIVE_INFINITY }),
    { code: 'control/option-out-of-range', values: ['frequency'] },
  ],
  [() => sinusoidInput({ frequency: 1, count: 0 }), { code: 'control/option-out-of-range', values: ['count'] }],
  [() => splineInput({ count: 3, duration: 1 }), { code: 'control/option-out-of-range', values: ['at least 4'] }],
  [() => splineInput({ count: 4, duration: 0 }), { code: 'control/option-out-of-range', values: ['duration'] }],
])('an infinite frequency, 0 sinusoids, 3 spline points or a duration of 0 is refused (case %#)', (make, expected) => {
  expect(make).toThrowCode(expected);
});
