import { articulated, Gravity, Link } from '@gradsim/articulated';
import { sumOfProducts } from '@gradsim/base';
import type { Device, Entity, FieldRef, Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, GradsimError } from '@gradsim/core';
import { gravity } from '@gradsim/dynamics';
import { caseFormat } from '../case-format.ts';
import type { CheckResult } from '../errors.ts';
import { gradientErrors, relativeError } from '../errors.ts';
import type { Field } from '../fields.ts';
import { array, count, number, parameters, positive, text } from '../fields.ts';
import { numbers } from './particle-run.ts';

/** Entries of the time steps of a case, and its expected result. */
interface TreeCase {
  readonly dt: number;
  readonly steps: number;
  readonly expected: {
    readonly loss: number;
    readonly gradient: Readonly<Record<string, number | readonly unknown[]>>;
  };
}

/** A case as a tree of links, with the outputs of the loss and the conversion of its gradient to that in the file. */
interface Run {
  readonly scene: Scene;
  readonly parameters: readonly FieldRef[];
  /** Weights of the loss: those of all coordinates, then those of all rates. */
  readonly weights: readonly number[];
  /** Converts the final coordinates, or the final rates, of all joints to those that the file has. */
  readonly states: (of: readonly number[]) => readonly number[];
  readonly expectedStates: readonly [readonly number[], readonly number[]];
  /** Converts gradients with respect to fields to gradients by the names in the file. */
  readonly gradient: (of: (field: FieldRef) => readonly number[]) => Readonly<Record<string, readonly number[]>>;
}

const STEPS = { dt: positive, steps: count() };

async function checkTree({ dt, steps, expected }: TreeCase, run: Run, device: Device): Promise<CheckResult> {
  const outputs = [Link.coordinate, Link.rate];
  const simulation = await createSimulation(buildModel(run.scene), {
    device,
    frames: 2,
    substeps: steps,
    frameRate: 1 / (dt * steps),
    outputs,
    parameters: run.parameters,
  });
  try {
    simulation.forward();
    const ends = await Promise.all(outputs.map(async (field) => Array.from(await simulation.read(field))));
    const loss = sumOfProducts(ends.flat(), run.weights);
    const half = run.weights.length / 2;
    simulation.backward({
      [Link.coordinate.key]: run.weights.slice(0, half),
      [Link.rate.key]: run.weights.slice(half),
    });
    const fields = new Map<string, number[]>();
    for (const field of run.parameters) fields.set(field.key, Array.from(await simulation.gradient(field)));
    const got = run.gradient(({ key }) => fields.get(key)!);
    const gradients = Object.entries(expected.gradient).map(([name, value]) => ({
      name,
      got: got[name],
      expected: numbers(value),
    }));
    const states = ends.map((end, k) => relativeError(run.states(end), run.expectedStates[k]));
    return {
      lossError: relativeError([loss], [expected.loss]),
      stateError: Math.max(...states),
      ...gradientErrors(gradients),
    };
  } finally {
    simulation.dispose();
  }
}

const downwardPose = (length: number): number[] => [0, -length, 0];
/** Selects the y components of a flat list of vectors. */
const ofY = (values: readonly number[]): number[] => values.filter((_, k) => k % 3 === 1);

function pendula(acceleration: number): Scene {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [0, -acceleration, 0] });
  return scene;
}

interface PendulumCase extends TreeCase {
  readonly parameters: Readonly<Record<'length' | 'gravity' | 'damping' | 'angle' | 'angular_velocity', number>>;
  readonly k: readonly number[];
  readonly expected: TreeCase['expected'] & { readonly angle: number; readonly angular_velocity: number };
}

/** Format of cases of a point mass on a massless rod, simulated by the package articulated. */
export const pendulum = caseFormat<PendulumCase>({
  matches: (model) => /^simple pendulum\b/.test(model),
  fields: {
    ...STEPS,
    ...parameters({
      length: positive,
      gravity: number,
      damping: number,
      angle: number,
      angular_velocity: number,
    }),
    loss: text(/^k0 angle \+ k1 angular_velocity$/),
    k: array(2),
    'expected.loss': number,
    'expected.angle': number,
    'expected.angular_velocity': number,
  },
  check: (file, device) => {
    const { length, gravity: g, damping: c, angle, angular_velocity: rate } = file.parameters;
    const scene = pendula(g);
    // Of a mass of 1 kg the torque is c L^2 times the rate.
    const moving = { coordinate: angle, rate, damping: c * length ** 2 };
    scene.add(Link, { joint: 'revolute', axis: [0, 0, 1], mass: 1, centre: downwardPose(length), ...moving });
    const run: Run = {
      scene,
      parameters: [Link.centre, Link.damping, Link.coordinate, Link.rate, gravity],
      weights: file.k,
      states: (of) => of,
      expectedStates: [[file.expected.angle], [file.expected.angular_velocity]],
      gradient: (of) => ({
        length: [-ofY(of(Link.centre))[0] + 2 * c * length * of(Link.damping)[0]],
        gravity: [-of(gravity)[1]],
        damping: [length ** 2 * of(Link.damping)[0]],
        angle: of(Link.coordinate),
        angular_velocity: of(Link.rate),
      }),
    };
    return checkTree(file, run, device);
  },
});

interface DoubleCase extends TreeCase {
  readonly parameters: Readonly<
    Record<'lengths' | 'masses' | 'damping' | 'angles' | 'angular_velocities', readonly number[]>
  > & { readonly gravity: number };
  readonly k: readonly number[];
  readonly expected: TreeCase['expected'] & Readonly<Record<'angles' | 'angular_velocities', readonly number[]>>;
}

/**
 * Converts the angles a and b of both rods from straight down, as in the file, to the angles of the two joints; the
 * second one is relative to the first rod.
 */
const relative = ([a, b]: readonly number[]): number[] => [a, b - a];
const absolute = ([q, r]: readonly number[]): number[] => [q, q + r];
/** Converts a derivative with respect to both joint angles to one with respect to the angles from straight down. */
const ofAngles = ([q, r]: readonly number[]): number[] => [q - r, r];
const ofJoints = ([a, b]: readonly number[]): number[] => [a + b, b];

/** Format of cases of two point masses on massless rods, simulated by the package articulated. */
export const doublePendulum = caseFormat<DoubleCase>({
  matches: (model) => /^two point masses on massless rods\b/.test(model),
  fields: {
    ...STEPS,
    ...parameters({
      lengths: array(2),
      masses: array(2),
      damping: array(2),
      gravity: number,
      angles: array(2),
      angular_velocities: array(2),
    }),
    loss: text(/^k \. \(angle 1, angle 2, rate 1, rate 2\)$/),
    k: array(4),
    'expected.loss': number,
    'expected.angles': array(2),
    'expected.angular_velocities': array(2),
  },
  check: (file, device) => {
    const { lengths, masses, damping, angles, angular_velocities: rates, gravity: g } = file.parameters;
    const scene = pendula(g);
    const [coordinates, turning] = [relative(angles), relative(rates)];
    let parent: Entity | undefined;
    for (const k of [0, 1])
      parent = scene.add(Link, {
        ...(parent === undefined ? {} : { parent, anchor: downwardPose(lengths[0]) }),
        joint: 'revolute',
        axis: [0, 0, 1],
        mass: masses[k],
        centre: downwardPose(lengths[k]),
        damping: damping[k],
        coordinate: coordinates[k],
        rate: turning[k],
      });
    const run: Run = {
      scene,
      parameters: [Link.centre, Link.anchor, Link.mass, Link.damping, Link.coordinate, Link.rate, gravity],
      weights: [...ofJoints(file.k.slice(0, 2)), ...ofJoints(file.k.slice(2))],
      states: absolute,
      expectedStates: [file.expected.angles, file.expected.angular_velocities],
      gradient: (of) => {
        const [centres, anchors] = [ofY(of(Link.centre)), ofY(of(Link.anchor))];
        return {
          lengths: [-centres[0] - anchors[1], -centres[1]],
          masses: of(Link.mass),
          damping: of(Link.damping),
          gravity: [-of(gravity)[1]],
          angles: ofAngles(of(Link.coordinate)),
          angular_velocities: ofAngles(of(Link.rate)),
        };
      },
    };
    return checkTree(file, run, device);
  },
});

interface ArticulatedCase extends TreeCase {
  readonly parents: readonly number[];
  readonly axes: readonly (readonly number[])[];
  readonly anchors: readonly (readonly number[])[];
  readonly parameters: Readonly<Record<'mass' | 'damping' | 'torque' | 'stiffness' | 'q' | 'qd', readonly number[]>> &
    Readonly<Record<'centre' | 'inertia', readonly (readonly number[])[]>> & { readonly gravity_y: number };
  readonly k: readonly number[];
  readonly expected: TreeCase['expected'] & Readonly<Record<'q' | 'qd', readonly number[]>>;
}

/** Requires the index of each link's parent, -1 for the world; a parent comes before its children. */
const parents: Field = {
  require: (path, value, sizes) => {
    array('links').require(path, value, sizes);
    (value as number[]).forEach((parent, k) => {
      if (!Number.isInteger(parent) || parent < -1 || parent >= k)
        throw new GradsimError(
          'reference/wrong-entry',
          `the entry "${path}[${k}]" must be -1 for the world, or the number of a link before it, not ${parent}.`,
        );
    });
  },
};

/** Format of cases of a tree of links on revolute joints, simulated by the package articulated. */
export const articulatedTree = caseFormat<ArticulatedCase>({
  matches: (model) => /^tree of links on revolute joints\b/.test(model),
  fields: {
    ...STEPS,
    parents,
    axes: array('links', 3),
    anchors: array('links', 3),
    ...parameters({
      mass: array('links'),
      centre: array('links', 3),
      inertia: array('links', 3),
      damping: array('links'),
      torque: array('links'),
      stiffness: array('links'),
      q: array('links'),
      qd: array('links'),
      gravity_y: number,
    }),
    loss: text(/^k \. \(q, qd\)$/),
    k: {
      require: (path, value, sizes) => array(2 * (sizes.get('links') ?? 0)).require(path, value, sizes),
    },
    'expected.loss': number,
    'expected.q': array('links'),
    'expected.qd': array('links'),
  },
  check: (file, device) => {
    const p = file.parameters;
    const scene = pendula(-p.gravity_y);
    const links: Entity[] = [];
    file.parents.forEach((parent, k) => {
      const [a, b, c] = p.inertia[k];
      links.push(
        scene.add(Link, {
          ...(parent < 0 ? {} : { parent: links[parent] }),
          joint: 'revolute',
          axis: file.axes[k],
          anchor: file.anchors[k],
          mass: p.mass[k],
          centre: p.centre[k],
          inertia: [a, 0, 0, 0, b, 0, 0, 0, c],
          damping: p.damping[k],
          drive: p.torque[k],
          stiffness: p.stiffness[k],
          coordinate: p.q[k],
          rate: p.qd[k],
        }),
      );
    });
    const fields = {
      mass: Link.mass,
      centre: Link.centre,
      damping: Link.damping,
      torque: Link.drive,
      stiffness: Link.stiffness,
      q: Link.coordinate,
      qd: Link.rate,
    };
    const run: Run = {
      scene,
      parameters: [...Object.values(fields), Link.inertia, gravity],
      weights: file.k,
      states: (of) => of,
      expectedStates: [file.expected.q, file.expected.qd],
      gradient: (of) => ({
        ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field)])),
        inertia: of(Link.inertia).filter((_, entry) => [0, 4, 8].includes(entry % 9)),
        gravity_y: [of(gravity)[1]],
      }),
    };
    return checkTree(file, run, device);
  },
});
