// Gradients of all weights, biases, frequencies and phases through whole runs: adjoint against tangent to 1e-10 and
// against central differences to 1e-6 in doubles, then the device cpu against doubles. The seed is printed on failure.
import { articulated, Link } from '@gradsim/articulated';
import { addCloth, cloth, Hinge, Triangle } from '@gradsim/cloth';
import type { Model, Plugin } from '@gradsim/core';
import { buildModel, cpuDevice, createScene } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { addSoftBody, fem, Tet } from '@gradsim/fem';
import { box, lattice, plane, tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { addSprings, Spring, springs } from '@gradsim/springs';
import { expect, test } from 'vitest';
import type { ControllerOptions } from '../src/index.ts';
import { controller, fieldInput, sinusoidInput, splineInput, weightsOf } from '../src/index.ts';

const over = { frames: 4, frameRate: 20, substeps: 12 } as const;

async function check(model: Model, more: readonly string[], outputs: readonly string[]): Promise<void> {
  const parameters = [...weightsOf(model).map(({ field }) => model.keyOf(field)), ...more];
  const checked = await checkGradients(model, { ...over, parameters, outputs });
  for (const key of parameters) expect(checked.parameters[key].adjoint, key).not.toBe(0);
  await checkDevices(model, { ...over, parameters, outputs, devices: [cpuDevice()] });
}

function tower(options: Omit<ControllerOptions, 'drives'>, drives: ControllerOptions['drives']): Model {
  const scene = createScene([particles(), springs(), controller({ ...options, drives })]);
  const mesh = lattice({ size: [0.1, 0.3, 0.1], cells: [1, 3, 1] });
  addSprings(scene, mesh, { mass: 0.02, stiffness: 20, damping: 0.05, fixed: [0, 1, 8, 9] });
  return buildModel(scene);
}
const springDrive = [{ field: Spring.actuation, scale: 0.25 }];
const seen = [
  fieldInput(Particle.position, { fromMean: true, scale: 5 }),
  fieldInput(Particle.velocity, { elements: [3, 7], components: [0, 2] }),
  sinusoidInput({ frequency: 9, count: 3 }),
];

test('controller gradients agree with central differences: springs driven by sinusoids through a layer without bias', () =>
  check(
    tower({ inputs: [sinusoidInput({ frequency: 12 })], bias: false }, springDrive),
    ['controllerSight0.frequency', 'controllerSight0.phase'],
    ['particles.position'],
  ));

test('controller gradients agree with central differences: springs driven by splines over time', () =>
  check(
    tower({ inputs: [splineInput({ count: 6, duration: 0.15 })], bias: false, output: 'identity' }, springDrive),
    [],
    ['particles.position'],
  ));

test.each(['tanh', 'relu'] as const)(
  'controller gradients agree with central differences: network with several inputs and layers of %s, and its effort',
  (activation) =>
    check(
      tower({ inputs: seen, hidden: [12, 7], activation, effort: true }, springDrive),
      ['particles.velocity'],
      ['particles.position', 'world.controllerEffort'],
    ),
);

test('controller gradients agree with central differences: network that acts every fourth substep', () =>
  check(
    tower({ inputs: seen, hidden: [9], every: 4, effort: true }, springDrive),
    ['springs.stiffness'],
    ['particles.position', 'world.controllerEffort'],
  ));

test('controller gradients agree with central differences: forces in x and z on groups of particles, and rest lengths', () =>
  check(
    tower({ inputs: [sinusoidInput({ frequency: 9 })], hidden: [5] }, [
      {
        field: Particle.force,
        elements: [2, 3, 10, 11],
        groups: [1, 0, 1, 0],
        components: [0, 2],
        scale: 0.1,
      },
      { field: Spring.restLength, elements: [0, 5, 9], scale: 0.01, offset: 0.1 },
    ]),
    [],
    ['particles.position'],
  ));

test('controller gradients agree with central differences: joint torques and joint targets', async () => {
  const scene = createScene([
    articulated(),
    controller({
      inputs: [fieldInput(Link.coordinate), fieldInput(Link.rate, { scale: 0.2 })],
      hidden: [8],
      drives: [
        { field: Link.drive, elements: [0], scale: 4 },
        { field: Link.restCoordinate, elements: [1], scale: 2 },
      ],
    }),
  ]);
  const rod = { joint: 'revolute', axis: [0, 0, 1], mass: 1, centre: [0, -0.25, 0] } as const;
  const inertia = [1, 0, 0, 0, 1, 0, 0, 0, 1].map((x) => x / 48);
  const first = scene.add(Link, { ...rod, inertia, coordinate: 0.3 });
  scene.add(Link, {
    ...rod,
    inertia,
    parent: first,
    anchor: [0, -0.5, 0],
    stiffness: 10,
    damping: 0.1,
    rate: 0.2,
  });
  await check(buildModel(scene), [], ['links.coordinate']);
});

test('controller gradients agree with central differences: forces and torques on bodies', async () => {
  const scene = createScene([
    rigid(),
    controller({
      inputs: [fieldInput(Body.position), fieldInput(Body.angularVelocity)],
      hidden: [4],
      drives: [{ field: Body.force, scale: 3 }, { field: Body.torque }],
    }),
  ]);
  scene.add(Body, { mesh: box({ size: [1, 0.5, 0.7] }), mass: 1, angularVelocity: [1, 0.2, 0.4] });
  await check(buildModel(scene), ['bodies.mass'], ['bodies.position', 'bodies.orientation']);
});

const soft = (add: (scene: ReturnType<typeof createScene>) => void, plugins: readonly Plugin[]): Model => {
  const scene = createScene([particles(), ...plugins]);
  add(scene);
  return buildModel(scene);
};
const gait = { inputs: [sinusoidInput({ frequency: 9, count: 4 })], bias: false } as const;

test('controller gradients agree with central differences: actuation of tetrahedra', () =>
  check(
    soft(
      (scene) => addSoftBody(scene, tetBox({ size: [1, 0.5, 0.5] }), { mu: 100, lambda: 100, density: 1, fixed: [0] }),
      [fem(), controller({ ...gait, drives: [{ field: Tet.actuation, scale: 0.3 }] })],
    ),
    ['tets.mu'],
    ['particles.position'],
  ));

test('controller gradients agree with central differences: actuation of triangles and hinges by two controllers', async () => {
  const sheet = { mu: 100, lambda: 100, density: 1, bendStiffness: 1, fixed: [0] };
  const model = soft(
    (scene) => addCloth(scene, plane({ size: [1, 1], segments: [2, 2] }), sheet),
    [
      cloth(),
      controller({ ...gait, name: 'stretch', drives: [{ field: Triangle.actuation, scale: 0.2 }] }),
      controller({ ...gait, name: 'bend', seed: 5, drives: [{ field: Hinge.actuation, scale: 0.3 }] }),
    ],
  );
  const parameters = [...weightsOf(model, 'stretch'), ...weightsOf(model, 'bend')].map(({ name }) => name);
  const checked = await checkGradients(model, { ...over, parameters, outputs: ['particles.position'] });
  for (const key of parameters) expect(checked.parameters[key].adjoint, key).not.toBe(0);
});
