import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device, Model, Simulation, SimulationOptions } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { Spring, springs } from '@gradsim/springs';
import type { Draw } from '../draw.ts';

/** A model to simulate, and properties of its fields. */
export interface RunSubject {
  readonly model: Model;
  /** Fields that can be set: the values for one world, and whether they must be positive. */
  readonly inputs: Readonly<Record<string, { readonly values: readonly number[]; readonly isPositive?: boolean }>>;
  /** State fields of floating-point type. */
  readonly states: readonly string[];
  /** A field that the simulation computes, and one that holds topology, neither of which may be set. */
  readonly computed: string;
  readonly topology: string;
}

function chainOfPoints(): RunSubject {
  const scene = createScene([particles(), springs()]);
  const points = [0, 1, 2].map((k) =>
    scene.add(Particle, { position: [k, 0, 0], mass: 1 + k, fixed: k === 0 ? 1 : 0 }, `point ${k}`),
  );
  for (const k of [0, 1])
    scene.add(Spring, { ends: [points[k], points[k + 1]], stiffness: 10, damping: 0.1, restLength: 0.9 });
  return {
    model: buildModel(scene),
    inputs: {
      'particles.position': { values: [0, 0, 0, 1, 0, 0, 2, 0.1, 0] },
      'particles.velocity': { values: [0, 0, 0, 0, 1, 0, 0, 0, 0.5] },
      'particles.mass': { values: [1, 2, 3], isPositive: true },
      'springs.stiffness': { values: [12, 9], isPositive: true },
      'world.gravity': { values: [0, -9, 0] },
    },
    states: ['particles.position', 'particles.velocity'],
    computed: 'particles.inverseMass',
    topology: 'springs.ends',
  };
}

function boxOnGround(): RunSubject {
  const scene = createScene([rigid(), contact()]);
  const body = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), mass: 1, position: [0, 0.3, 0] }, 'the box');
  scene.attach(body, contactOf(Body), { ke: 500, kd: 1, kf: 2, mu: 0.3 });
  scene.add(HalfSpace, {});
  return {
    model: buildModel(scene),
    inputs: {
      'bodies.position': { values: [0, 0.25, 0] },
      'bodies.velocity': { values: [1, 0, 0] },
      'bodies.mass': { values: [2], isPositive: true },
      'bodies.mu': { values: [0.2], isPositive: true },
      'world.gravity': { values: [0, -5, 0] },
    },
    states: ['bodies.position', 'bodies.velocity', 'bodies.angularVelocity'],
    computed: 'bodies.totalMass',
    topology: 'bodyVertices.body',
  };
}

const SUBJECTS = [chainOfPoints(), boxOnGround()];
const DEVICES: readonly Device[] = [f64Device(), cpuDevice({ threads: 1 })];

/** A simulation, and the options it was created with. */
export interface OpenedRun {
  readonly subject: RunSubject;
  readonly options: SimulationOptions & { readonly frames: number };
  readonly simulation: Simulation;
  readonly worlds: number;
  readonly parameter: string;
  readonly about: string;
}

/** Draws a subject and options for a simulation of it, with a given kind of `derivative` or a random one. */
export function drawnOptions(random: Draw, wanted?: SimulationOptions['derivative']): Omit<OpenedRun, 'simulation'> {
  const subject = random.pick(SUBJECTS);
  const derivative = wanted ?? random.pick(['none', 'adjoint', 'tangent'] as const);
  const parameter = random.pick(Object.keys(subject.inputs));
  const worlds = random.whole(1, 3);
  const options = {
    device: random.pick(DEVICES),
    frames: random.whole(2, 4),
    frameRate: 30,
    substeps: random.whole(4, 8),
    worlds,
    derivative,
    outputs: [random.pick(subject.states)],
    ...(derivative === 'none' ? {} : { parameters: [parameter] }),
    record: random.chance(0.5) ? [random.pick(subject.states)] : [],
  };
  const about = `${subject.states[0]} on ${options.device.kind}, ${worlds} worlds, ${derivative}`;
  return { subject, options, worlds, parameter, about };
}

export async function openRun(drawn: Omit<OpenedRun, 'simulation'>): Promise<OpenedRun> {
  return {
    ...drawn,
    simulation: await createSimulation(drawn.subject.model, { ...drawn.options, onWarning: () => {} }),
  };
}
