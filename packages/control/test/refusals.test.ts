// What is refused before anything runs, and in which words.
import { addCloth, cloth, Hinge } from '@gradsim/cloth';
import { buildModel, createScene, definePlugin, f32 } from '@gradsim/core';
import { plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { expect, test } from 'vitest';
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

test.each<[string, Partial<ControllerOptions>, RegExp]>([
  ['a column that no pass reads', { drives: [{ field: 'things.idle' }] }, /no pass reads/],
  ['a field that is not there', { drives: [{ field: 'springs.activation' }] }, /springs\.activation/],
  ['an index field', { drives: [{ field: 'springs.ends' }] }, /holds no floats/],
  [
    'an element that is not there',
    { drives: [{ field: Spring.actuation, elements: [1] }] },
    /names 1 of the elements of springs, which are 0 to 0/,
  ],
  ['an element twice', { drives: [{ field: Particle.force, elements: [1, 1] }] }, /twice/],
  ['groups with gaps', { drives: [{ field: Particle.force, groups: [0, 2] }] }, /without gaps/],
  ['too few groups', { drives: [{ field: Particle.force, groups: [0] }] }, /1 groups for 2 elements/],
  ['a scale that is none', { drives: [{ field: Spring.actuation, scale: Number.NaN }] }, /scale/],
  [
    'weights of another shape',
    { weights: { 'controllerSight0Weights.weight': [1, 2] } },
    /2 values of controllerSight0Weights\.weight, which has 3: 3 of controllerSight0 x 1 of controllerOutputs/,
  ],
  ['weights of no layer', { weights: { 'controllerLayer1.bias': [1] } }, /no weights controllerLayer1\.bias/],
  ['no layer', { hidden: [0] }, /layer 1 is 0/],
  ['an activation that there is not', { activation: 'gelu' as 'relu' }, /gelu/],
  ['a misspelt option', { hiden: [2] } as object, /hidden/],
  ['half a substep', { every: 0.5 }, /every is 0.5/],
  ['nothing to see', { inputs: [] }, /has no inputs/],
  ['nothing to drive', { drives: [] }, /drives nothing/],
  ['a name that is none', { name: 'my gait' }, /letters and digits/],
  ['a state that is not there', { inputs: [fieldInput('particles.speed')] }, /particles\.speed/],
])('a controller refuses %s', (_, options, message) => {
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
  }).toThrow(message);
});

test('a controller refuses to drive hinges of a sheet without bending stiffness', () => {
  const scene = createScene([particles(), cloth(), controller({ inputs: sees, drives: [{ field: Hinge.actuation }] })]);
  addCloth(scene, plane({ size: [1, 1] }), { mu: 1, lambda: 1, density: 1 });
  expect(() => buildModel(scene)).toThrow(/hinges\.actuation, of which this scene has no element/);
});

test('a single controller is found without its name, one of two is not', () => {
  expect(weightsOf(build({ inputs: sees, drives })).map(({ name }) => name)).toEqual([
    'controllerSight0Weights.weight',
    'controllerOutputs.bias',
  ]);
  expect(() => weightsOf(build({ inputs: sees, drives }), 'gait')).toThrow(
    /no controller "gait"; there are controller/,
  );
});

test.each([
  [() => sinusoidInput({ frequency: Number.POSITIVE_INFINITY }), /frequency/],
  [() => sinusoidInput({ frequency: 1, count: 0 }), /count/],
  [() => splineInput({ count: 3, duration: 1 }), /at least 4/],
  [() => splineInput({ count: 4, duration: 0 }), /duration/],
])('a controller refuses invalid inputs (%#)', (make, message) => {
  expect(make).toThrow(message);
});
