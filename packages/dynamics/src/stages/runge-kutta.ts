import type {
  Bool,
  F32,
  FieldRef,
  Kernel,
  KernelFields,
  Model,
  ReadSpec,
  Surroundings,
  ValueType,
  Vec,
} from '@gradsim/core';
import { field, GradsimError, kernel, refuseUnknownOptions, select } from '@gradsim/core';
import { checkTableau, coefficientOfStage, type Tableau, timeOfStage } from './tableau.ts';

type Reads = Readonly<Record<string, ReadSpec>>;
type States<D extends string> = Readonly<Record<string, FieldRef<ValueType<F32 | Vec>, D>>>;
type RatesOf<S> = { readonly [K in keyof S]: S[K] extends FieldRef<ValueType<infer V>> ? V : never };

export interface RungeKuttaOptions<D extends string, S, R> {
  /** Component, or domain, whose elements are moved. */
  readonly elements: D | { readonly domain: D };
  readonly tableau: Tableau;
  /** Fields that are moved, by the names that `rates` has for them. */
  readonly states: S;
  /** Further fields that `rates` reads, such as the sum of forces and masses. */
  readonly reads: R;
  /**
   * Returns the rate of each state, in its unit over seconds, from the states and fields of the current stage. Its `time`
   * is that of the stage.
   */
  readonly rates: (fields: KernelFields<S & R, object, D>, surroundings: Surroundings) => RatesOf<S>;
}
const OPTIONS = { elements: true, tableau: true, states: true, reads: true, rates: true };

/**
 * Moves states by an explicit Runge-Kutta method, with the forces of whatever plugins the scene has: phase `force` runs
 * once a stage, its sums from zero each time. Call it in a plugin's `build`.
 *
 * ```ts
 * rungeKutta(model, {
 *   elements: Stone,
 *   tableau: classical,
 *   states: { position: Stone.position, velocity: Stone.velocity },
 *   reads: { force: Stone.force, mass: Stone.mass, gravity },
 *   rates: ({ velocity, force, mass, gravity }) => ({ position: velocity, velocity: gravity.add(force.div(mass)) }),
 * });
 * ```
 *
 * The order is that of the tableau where rates are smooth. In every stage, forces of other plugins see the `time` at the
 * start of the substep: of what changes with time, take {@link timeOfStage}, or the order is 1. A push over a window
 * counts with its mean over the substep. Contact is that of the instant of each stage, not the mean over its time, so
 * derivatives through touches are those of a sampled force.
 * @throws when the tableau is not that of an explicit method, or another integrator has stages.
 */
export function rungeKutta<D extends string, const S extends States<D>, const R extends Reads>(
  model: Model,
  options: RungeKuttaOptions<D, S, R>,
): void {
  refuseUnknownOptions<RungeKuttaOptions<D, S, R>>('rungeKutta', options, OPTIONS);
  const { elements, tableau, states, reads, rates } = options;
  checkTableau(tableau);
  const twice = Object.keys(states).find((name) => name in reads);
  if (twice !== undefined)
    throw new GradsimError('dynamics/state-read-twice', `rungeKutta: ${twice} is in states and in reads.`, {
      field: twice,
      hint: '`rates` is given every state: leave it out of reads, or give the other field another name.',
    });
  const domain = typeof elements === 'string' ? elements : elements.domain;
  model.addStages(tableau.b.length);
  const moved = Object.entries(states).map(([name, state]) => movedState(name, state, tableau));
  model.addPass('control', startOfStages(domain, states, moved));
  model.addPass('stage', stageOf(domain, { tableau, states, moved, reads, rates: rates as unknown as AnyRates }));
}

/** Values that are moved: a number or a vector, by the operations that they share. */
interface Movable {
  add(other: Movable): Movable;
  mul(factor: F32): Movable;
}
type Fields = Readonly<Record<string, Movable>>;
type AnyRates = (fields: Fields, surroundings: Surroundings) => Fields;

/** A state with the fields that hold what stages know of it, by the names that kernels have for them. */
interface MovedState {
  readonly name: string;
  readonly zero: () => Movable;
  /** Value at the start of the substep. */
  readonly start: readonly [string, FieldRef<ValueType>];
  /** Sum of the rates so far, by the weights b. */
  readonly sum: readonly [string, FieldRef<ValueType>];
  /** Rates of the stages that are of use to others than the next one, with the number of the stage. */
  readonly rates: readonly { readonly stage: number; readonly entry: readonly [string, FieldRef<ValueType>] }[];
}

function movedState(name: string, state: FieldRef<ValueType<F32 | Vec>>, { a }: Tableau): MovedState {
  const entry = (what: string) => [`${name}${what}`, field(state.domain, `${state.name}${what}`, state.type)] as const;
  const isKept = (stage: number): boolean => a.some((row, later) => later > stage + 1 && row[stage] !== 0);
  const zero = state.type as unknown as (...parts: readonly number[]) => Movable;
  return {
    name,
    zero: () => zero(...Array<number>(state.type.components).fill(0)),
    start: entry('AtStart'),
    sum: entry('RateSum'),
    rates: a.flatMap((_, stage) => (isKept(stage) ? [{ stage, entry: entry(`RateOfStage${stage}`) }] : [])),
  };
}

/** Kernel that remembers the states at the start of a substep. */
function startOfStages(domain: string, states: States<string>, moved: readonly MovedState[]): Kernel {
  const writes = Object.fromEntries(
    moved.flatMap(({ start, sum, rates }) => [start, sum, ...rates.map(({ entry }) => entry)]),
  );
  return kernel('startStages', { domain, reads: states, writes }, (given) => {
    const fields = given as unknown as Fields;
    return Object.fromEntries(
      moved.flatMap(({ name, zero, start, sum, rates }) => [
        [start[0], fields[name]],
        ...[sum, ...rates.map(({ entry }) => entry)].map(([key]) => [key, zero()]),
      ]),
    );
  });
}

interface Stage {
  readonly tableau: Tableau;
  readonly states: States<string>;
  readonly moved: readonly MovedState[];
  readonly reads: Reads;
  readonly rates: AnyRates;
}

/** Kernel of a stage: moves the states on to where the next stage evaluates its rates, or to the end of the substep. */
function stageOf(domain: string, { tableau, states, moved, reads, rates }: Stage): Kernel {
  const { a, b } = tableau;
  /** Weight of the rate of stage `of` in where stage `at` leads. */
  const weight = (at: number, of: number): number => a[at + 1]?.[of] ?? 0;
  const kept = moved.flatMap(({ sum, rates: known }) => [sum, ...known.map(({ entry }) => entry)]);
  const all = { ...states, ...reads, ...Object.fromEntries([...moved.map(({ start }) => start), ...kept]) };
  const writes = { ...states, ...Object.fromEntries(kept) };
  return kernel('rungeKuttaStage', { domain, reads: all, writes }, (given, surroundings) => {
    const { round, dt } = surroundings;
    const fields = given as unknown as Fields;
    const ofStages = (value: (stage: number) => number): F32 =>
      coefficientOfStage(
        round,
        b.map((_, stage) => value(stage)),
      );
    // Its other properties are getters, and stay what is asked for only where it is.
    const now = Object.create(surroundings, { time: { get: () => timeOfStage(tableau, surroundings) } });
    const found = rates(fields, now);
    const isLast = round.eq(b.length - 1);
    return Object.fromEntries(
      moved.flatMap(({ name, start, sum, rates: earlier }) => {
        const rate = found[name];
        const total = fields[sum[0]].add(rate.mul(ofStages((stage) => b[stage])));
        const ahead = earlier.reduce(
          (all, { stage: of, entry }) =>
            all.add(fields[entry[0]].mul(ofStages((stage) => (stage > of ? weight(stage, of) : 0)))),
          rate.mul(ofStages((stage) => weight(stage, stage))),
        );
        return [
          [name, fields[start[0]].add(selectMovable(isLast, total, ahead).mul(dt))],
          [sum[0], total],
          ...earlier.map(({ stage, entry }) => [entry[0], selectMovable(round.eq(stage), rate, fields[entry[0]])]),
        ];
      }),
    );
  });
}

const selectMovable = select as unknown as (condition: Bool, yes: Movable, no: Movable) => Movable;
