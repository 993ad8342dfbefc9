import type { F32, Kernel, Model, Vec3 } from '@gradsim/core';
import { dot, f32, fieldOn, kernel, max, tanh, vec3 } from '@gradsim/core';
import { neighbours } from '@gradsim/dynamics';
import type { Random } from '../random.ts';
import type { DrawnField, Fields } from './fields.ts';
import { refTo } from './ports.ts';
import type { NeighbourhoodSpec } from './program.ts';

/** Share of programs with neighbours. */
const NEAR = 0.12;
/** Maximum speed of points, m/s: components are drawn within 1.5, and moved a little. */
const FASTEST = 4;

/** Draws points with neighbours in one of the domains, and declares their fields; null for most programs. */
export function drawNeighbourhood(fields: Fields, random: Random): NeighbourhoodSpec | null {
  const domain = random.pick(fields.domains).name;
  const states = fields.all.filter((f) => f.domain === domain && f.type === 'f32' && f.kind === 'state' && !f.sumOf);
  const size = fields.size(domain);
  if (!random.chance(NEAR) || states.length === 0 || size < 2 || size > 30) return null;
  const declare = (stem: string): DrawnField => fields.declare(domain, stem, 'vec3', 'state');
  return {
    domain,
    place: declare('place').name,
    velocity: declare('velocity').name,
    state: random.pick(states).name,
    within: random.whole(10, 32) / 16,
    refresh: random.whole(1, 4),
    isAdding: random.chance(0.4),
  };
}

/** Adds the lists of neighbours, and the kernels that use them. */
export function addNeighbourhood(model: Model, spec: NeighbourhoodSpec): void {
  const { domain, within, refresh, isAdding } = spec;
  const position = refTo(domain, spec.place, vec3);
  const velocity = refTo(domain, spec.velocity, vec3);
  const state = refTo(domain, spec.state, f32);
  const near = neighbours(model, {
    points: { domain, position, velocity },
    distance: within,
    capacity: Math.max(1, model.domain(domain).size - 1),
    maxSpeed: FASTEST,
    refresh,
  });
  /** Smooth weight of a neighbour, 0 at the distance `within`. */
  const weightOf = (offset: Vec3): F32 => {
    const left = max(f32(1).sub(dot(offset, offset).div(within * within)), f32(0));
    return left.mul(left).mul(left);
  };
  const sum = refTo(domain, `sumOf_${spec.place}`, f32);
  const along: Kernel = isAdding
    ? kernel(
        'addNear',
        { domain, reads: { ...near.reads, state }, adds: { sum: fieldOn(sum) } },
        ({ state, sum, ...fields }) => {
          near.ofElement(fields).forEach(({ index, offset }) => sum.add(index, tanh(state).mul(weightOf(offset))));
        },
      )
    : kernel('sumNear', { domain, reads: { ...near.reads, state }, writes: { sum } }, ({ state, ...fields }) => ({
        sum: near.ofElement(fields).sum(f32, ({ index, offset }) => tanh(state.at(index)).mul(weightOf(offset))),
      }));
  model.addPass('force', along);
  model.addPass(
    'integrate',
    kernel(
      'moveNear',
      { domain, reads: { position, velocity, state, sum }, writes: { position, state } },
      (own, { dt }) => ({
        position: own.position.add(own.velocity.mul(dt)),
        state: tanh(own.state.mul(0.75).add(own.sum.mul(dt))),
      }),
    ),
  );
}
