import type { Simulation } from '@gradsim/core';
import { createSimulation, deadParameters, f64Device } from '@gradsim/core';
import type { DrawnScene } from './scene.ts';
import { RATE } from './scene.ts';

/** Columns that are no states, of which a parameter scales the values: zeros stay at the end of their range. */
const COLUMNS = [
  ...['mass', 'ke', 'kd', 'kf', 'mu', 'thickness'].map((name) => `particles.${name}`),
  ...['mass', 'ke', 'kd', 'kf', 'mu', 'drag'].map((name) => `bodies.${name}`),
  ...['mass', 'centre', 'stiffness', 'damping', 'dryFriction', 'upper', 'anchor', 'ke'].map((name) => `links.${name}`),
  ...['stiffness', 'damping', 'restLength'].map((name) => `springs.${name}`),
  ...['radius', 'ke', 'kd', 'mu'].map((name) => `spheres.${name}`),
  ...['size', 'ke', 'kd', 'mu'].map((name) => `boxes.${name}`),
  ...['radius', 'length', 'ke', 'kd'].map((name) => `capsules.${name}`),
  ...['ke', 'kd', 'mu'].map((name) => `meshes.${name}`),
  ...['mu', 'lambda', 'damping', 'density', 'drag'].map((name) => `triangles.${name}`),
  'hinges.stiffness',
  ...['mu', 'lambda', 'damping', 'density'].map((name) => `tets.${name}`),
  ...['stiffness', 'damping', 'length'].map((name) => `ties.${name}`),
  ...['normal', 'ke', 'mu'].map((name) => `halfSpaces.${name}`),
  'world.gravity',
];

/** A run in doubles from given values to the weighted sum of its final states. */
export interface Run {
  /** Initial values of all fields that can be varied, by key; states first. */
  readonly starts: ReadonlyMap<string, Float64Array>;
  readonly states: readonly string[];
  /** Returns the sum at the initial values plus `step` times `along`, by key. */
  value(along: Values, step: number): Promise<number>;
  /** Returns its gradient at the same values. */
  gradient(along: Values, step: number): Promise<Values>;
  /** Returns its derivative along a direction at the initial values, by the tangent. */
  tangent(along: Values): Promise<number>;
  /** Sum of the absolute values of the summands at the initial values, of which each is rounded. */
  readonly size: number;
  dispose(): void;
}
export type Values = ReadonlyMap<string, Float64Array>;

/** Compiles a model for both derivatives, with random weights of the final states. */
export async function openRun({ model, states, substeps }: DrawnScene, random: () => number): Promise<Run> {
  const has = (key: string): boolean => {
    try {
      return model.field(key).components > 0 && model.domain(model.field(key).domain).size > 0;
    } catch {
      return false;
    }
  };
  const outputs = states.filter(has);
  const wanted = [...outputs, ...COLUMNS.filter(has)];
  const dead = deadParameters(model, { parameters: wanted, outputs });
  const parameters = wanted.filter((key) => !dead.has(key));
  const device = f64Device();
  const make = (derivative: 'adjoint' | 'tangent'): Promise<Simulation> =>
    createSimulation(model, {
      device,
      frames: 2,
      frameRate: RATE / substeps,
      substeps,
      parameters,
      outputs,
      derivative,
      onWarning: () => {},
    });
  const [adjoint, tangent] = [await make('adjoint'), await make('tangent')];
  const starts = new Map(
    parameters.map((key) => {
      const { domain, components, values } = model.field(key);
      const given = values ?? [0];
      const count = model.domain(domain).size * components;
      return [key, Float64Array.from({ length: count }, (_, k) => given[k % given.length])] as const;
    }),
  );
  const set = (simulation: Simulation, along: Values, step: number): void => {
    for (const [key, start] of starts) {
      const way = along.get(key);
      simulation.set(key, way && step !== 0 ? start.map((x, k) => x + step * way[k]) : start);
    }
  };
  adjoint.forward();
  const weights = new Map<string, Float64Array>();
  let size = 0;
  for (const key of outputs) {
    const values = await adjoint.read(key);
    const own = Float64Array.from(values, () => 2 * random() - 1);
    weights.set(key, own);
    values.forEach((value, k) => {
      size += Math.abs(value * own[k]);
    });
  }
  const sumOf = async (read: (key: string) => Promise<ArrayLike<number>>): Promise<number> => {
    let sum = 0;
    for (const [key, own] of weights) {
      const values = await read(key);
      own.forEach((w, k) => {
        sum += w * values[k];
      });
    }
    return sum;
  };
  return {
    starts,
    states: parameters.filter((key) => outputs.includes(key)),
    size,
    value(along, step) {
      set(adjoint, along, step);
      adjoint.forward();
      return sumOf((key) => adjoint.read(key) as Promise<Float64Array>);
    },
    async gradient(along, step) {
      set(adjoint, along, step);
      adjoint.forward();
      adjoint.backward(Object.fromEntries(weights));
      const found = new Map<string, Float64Array>();
      for (const key of parameters) found.set(key, await adjoint.gradient(key));
      return found;
    },
    tangent(along) {
      for (const [key, start] of starts) tangent.setTangent(key, along.get(key) ?? new Float64Array(start.length));
      tangent.forward();
      return sumOf(async (key) =>
        tangent.hasDerivative(key) ? tangent.readTangent(key) : new Float64Array(weights.get(key)!.length),
      );
    },
    dispose() {
      adjoint.dispose();
      tangent.dispose();
      device.dispose();
    },
  };
}
