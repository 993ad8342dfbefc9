import { forRange, loop, when } from '../language/control.ts';
import { abs, exp, norm, select, sin, sqrt, tanh } from '../language/functions.ts';
import type { Kernel } from '../language/kernel.ts';
import { kernel } from '../language/kernel.ts';
import { f32, fieldOn, i32, index, perWorld, several, u32, vec3 } from '../language/types.ts';
import type { ProgramOptions } from '../program/plan.ts';
import type { FieldValues } from './trial.ts';

/** Kernels that use a device in one particular way, with inputs for them. */
export interface ProgramTrial {
  readonly name: string;
  readonly kernels: readonly Kernel[];
  readonly options: Omit<ProgramOptions, 'device'>;
  readonly inputs: FieldValues;
}

/** Kernel of a spring: reads at indices, adds at indices and to one value per world. */
const stretch = kernel(
  'stretch',
  {
    domain: 'springs',
    reads: { ends: index('points', 2), position: fieldOn('points', vec3), rest: f32, stiffness: perWorld(f32) },
    adds: { force: fieldOn('points', vec3), energy: perWorld(f32) },
  },
  ({ ends: [i, j], position, rest, stiffness, force, energy }) => {
    const d = position.at(i).sub(position.at(j));
    const length = norm(d).add(0.1);
    const extension = length.sub(rest);
    const pull = d.mul(stiffness.mul(extension).div(length));
    force.add(i, pull.neg());
    force.add(j, pull);
    energy.add(extension.mul(extension).mul(stiffness).mul(0.5));
  },
);
/** Kernel that reads the sum of the springs' forces, and overwrites the positions that the springs read. */
const move = kernel(
  'move',
  { domain: 'points', reads: { position: vec3, force: vec3, mass: f32 }, writes: { position: vec3 } },
  ({ position, force, mass }, { dt, substep, frame }) => {
    const late = substep.add(frame.mul(10)).toF32().mul(dt);
    return { position: position.add(force.mul(dt).div(mass)).add(vec3(late, 0, 0)) };
  },
);

/** Kernel with branches within loops within branches, which depend on data of the own element. */
export const winding = kernel(
  'winding',
  { domain: 'points', reads: { x: f32, rounds: u32 }, writes: { y: f32, steps: u32 } },
  ({ x, rounds }) => {
    const start = when(
      x.gt(0),
      () => sin(x),
      () =>
        when(
          x.lt(-1),
          () => x.mul(x).add(tanh(x)),
          () => f32(0.25),
        ),
    );
    const summed = forRange(0, rounds, { sum: start, odd: u32(0) }, (k, { sum, odd }) => ({
      sum: when(
        sum.gt(1),
        () => sum.mul(0.5).add(k.toF32().mul(0.01)),
        () => sum.add(exp(x.mul(0.1))),
      ),
      odd: odd.add(k.and(1)),
    }));
    const halved = loop(
      { value: summed.sum.add(3), steps: summed.odd },
      ({ value }) => value.gt(0.5),
      ({ value, steps }) => ({
        value: select(steps.and(1).eq(0), value.mul(0.6), value.mul(0.8)),
        steps: steps.add(1),
      }),
    );
    return { y: halved.value.add(start), steps: halved.steps };
  },
);

/** Kernel that writes short lists, which other kernels read at indices known only at run time. */
const list = kernel(
  'list',
  { domain: 'points', reads: { sign: i32 }, writes: { entries: several('entries', u32, 2), twice: i32 } },
  ({ sign }, { element }) => ({ entries: [element, element.add(1)], twice: sign.mul(2).sub(1) }),
);
const gather = kernel(
  'gather',
  {
    domain: 'points',
    reads: { entries: fieldOn('entries', u32), x: fieldOn('points', f32) },
    writes: { around: f32 },
  },
  ({ entries, x }, { element }) => ({
    around: forRange(0, 2, f32(0), (k, sum) =>
      // The last entry is out of range by one.
      sum.add(sqrt(abs(x.at(entries.at(element.mul(2).add(k)).rem(5))))),
    ),
  }),
);

type Draw = (low: number, high: number, isWhole?: boolean, count?: number) => Float64Array;

/** Creates programs of several sizes: less than a group of lanes, more than a workgroup, many worlds. */
export function programTrials(draw: Draw): ProgramTrial[] {
  const springs = (points: number, count: number, worlds: number): ProgramTrial => ({
    name: `sums over ${count} elements into ${points}, ${worlds} worlds`,
    kernels: [stretch, move, stretch],
    options: {
      sizes: { points, springs: count },
      indices: { 'springs.ends': draw(0, points, true, 2 * count) },
      worlds,
      dt: 0.01,
    },
    inputs: {
      'points.position': draw(-1, 1, false, points * 3 * worlds),
      'points.mass': draw(1, 2, false, points),
      'springs.rest': draw(0.5, 1, false, count),
      'world.stiffness': draw(1, 2, false, worlds),
    },
  });
  return [
    springs(1, 1, 1),
    springs(7, 300, 1),
    springs(40, 90, 3),
    ...[1, 6, 131].map((points) => ({
      name: `loops and branches of ${points} elements`,
      kernels: [winding],
      options: { sizes: { points }, worlds: 2 },
      inputs: {
        'points.x': draw(-2, 2, false, points * 2),
        'points.rounds': draw(0, 6, true, points * 2),
      },
    })),
    {
      name: 'lists, whole numbers and reads at indices of the run',
      kernels: [list, gather],
      options: { sizes: { points: 5, entries: 10 }, wrt: [] },
      inputs: { 'points.sign': draw(-50, 50, true, 5), 'points.x': draw(0, 1, false, 5) },
    },
  ];
}
