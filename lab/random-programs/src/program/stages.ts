import type { F32, FieldRef, Model, ValueType, Vec3 } from '@gradsim/core';
import { sin } from '@gradsim/core';
import type { Composition, Tableau } from '@gradsim/dynamics';
import {
  classical,
  forestRuth,
  heun,
  leapfrog,
  midpoint,
  rungeKutta,
  strongStability3,
  symplectic,
} from '@gradsim/dynamics';
import type { Random } from '../random.ts';
import { refTo, typeOf } from './ports.ts';
import type { PassTree, Program, StageField, StageSpec, Type } from './program.ts';
import { isFloat, keyOf } from './program.ts';
import { allIn, allUses, portKey, usesIn } from './tree.ts';

const TABLEAUS = { midpoint, heun, strongStability3, classical } satisfies Record<string, Tableau>;
const COMPOSITIONS = { leapfrog, forestRuth } satisfies Record<string, Composition>;
/** Names of all integrators with stages. */
export const METHODS = [...Object.keys(TABLEAUS), ...Object.keys(COMPOSITIONS)];
/** Share of programs with stages, of those that have states to move. */
const STAGED = 0.25;
/** Share of those with positions that are moved by a composition. */
const COMPOSED = 0.5;
/** Number of rounds that a loop which ends by a condition counts for. */
const ITERATIONS = 4;
/** Maximum number of rounds of loops that stages run several times. */
const MOST_ROUNDS = 12;

const isMovable = (type: Type): boolean => (['f32', 'vec2', 'vec3', 'vec4'] as readonly Type[]).includes(type);

/** Returns the program with, at times, an integrator of several stages, in which phase `force` runs once a stage. */
export function withStages(program: Program, random: Random): Program {
  const forces = program.passes.filter(({ phase }) => phase === 'force').map(({ pass }) => pass);
  const uses = forces.flatMap(usesIn);
  const portsOf = (access: string) =>
    uses.flatMap(({ kernel: k, rename }) => {
      const kernel = program.kernels[k];
      const ports = kernel.ports.filter((port) => port.access === access);
      return ports.map((port) => ({ port, key: portKey(kernel, port, rename) }));
    });
  // Rounds hand on floats alone, two loops may stand in each other, not three, and a run of many rounds is slow.
  const isWhole = portsOf('write').some(({ port }) => !isFloat(port.type));
  const isLoop = ({ kind }: PassTree): boolean => kind === 'repeat' || kind === 'iterate';
  const loops = forces.flatMap(allIn).filter(isLoop);
  const isDeep = loops.some((tree) => allIn(tree).filter(isLoop).length > 1);
  const rounds = loops.reduce((all, tree) => all * (tree.kind === 'repeat' ? tree.times : ITERATIONS), 1);
  if (isWhole || isDeep || rounds > MOST_ROUNDS || !random.chance(STAGED)) return program;
  const { name: domain } = random.pick(program.domains);
  const written = new Set(
    allUses(program).flatMap(({ kernel: k, rename }) =>
      program.kernels[k].ports.filter((p) => p.access === 'add').map((p) => portKey(program.kernels[k], p, rename)),
    ),
  );
  const states = program.fields.filter(
    (f) => f.domain === domain && f.name.startsWith('x') && isMovable(f.type) && !written.has(keyOf(f)),
  );
  const sums = portsOf('add')
    .filter(({ port, key }) => key.startsWith(`${domain}.`) && isMovable(port.type))
    .map(({ port, key }): StageField => ({ name: key.split('.')[1], type: port.type }));
  const all = { domain, sums: sums.filter(({ name }, k) => sums.findIndex((s) => s.name === name) === k) };
  const moved = states.map(({ name, type }): StageField => ({ name, type }));
  const places = moved.filter(({ type }) => type !== 'f32');
  if (places.length > 0 && random.chance(COMPOSED)) {
    const position = random.pick(places);
    const { values } = states.find(({ name }) => name === position.name)!;
    // Velocities have the values of the positions in another order.
    const velocity = { domain, name: `rate_${position.name}`, type: position.type, values: random.shuffle(values) };
    const method = random.pick(['leapfrog', 'forestRuth'] as const);
    const composed: StageSpec = { ...all, method, states: [position, { name: velocity.name, type: velocity.type }] };
    return { ...program, fields: [...program.fields, velocity], stages: composed };
  }
  if (moved.length === 0) return program;
  const method = random.pick(['midpoint', 'heun', 'strongStability3', 'classical'] as const);
  return { ...program, stages: { ...all, method, states: moved } };
}

/** Adds the integrator to a model. */
export function addStages(model: Model, { method, domain, states, sums }: StageSpec): void {
  const refOf = ({ name, type }: StageField) => refTo(domain, name, typeOf(type)) as FieldRef<ValueType<Vec3>>;
  const reads = Object.fromEntries(sums.map((sum, k) => [`sum${k}`, refOf(sum)]));
  /** Rate of a value: what opposes it, and the sums of its type. */
  const rateOf = (value: Vec3, type: Type, fields: Readonly<Record<string, Vec3>>): Vec3 =>
    sums.reduce((rate, sum, k) => (sum.type === type ? rate.add(fields[`sum${k}`].mul(0.5)) : rate), value.mul(-0.4));
  if (method in COMPOSITIONS) {
    const [position, velocity] = states;
    symplectic(model, {
      elements: domain,
      composition: COMPOSITIONS[method as keyof typeof COMPOSITIONS],
      position: refOf(position),
      velocity: refOf(velocity),
      reads: { ...reads, place: refOf(position) },
      acceleration: ({ place, ...fields }) => rateOf(place as Vec3, position.type, fields as Record<string, Vec3>),
    });
    return;
  }
  rungeKutta(model, {
    elements: domain,
    tableau: TABLEAUS[method as keyof typeof TABLEAUS],
    states: Object.fromEntries(states.map((state, k) => [`state${k}`, refOf(state)])),
    reads,
    rates: (given, { time }) => {
      const fields = given as unknown as Readonly<Record<string, Vec3>>;
      const rates = states.map(({ type }, k) => {
        const own = rateOf(fields[`state${k}`], type, fields).mul(
          sin(time as F32)
            .mul(0.3)
            .add(1),
        );
        // Each moves the next one of its type.
        const other = states.findIndex((state, j) => j > k && state.type === type);
        return [`state${k}`, other < 0 ? own : own.add(fields[`state${other}`].mul(0.3))];
      });
      return Object.fromEntries(rates);
    },
  });
}
