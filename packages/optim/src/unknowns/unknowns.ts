import type { Simulation } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { asParameter } from '../problem/given.ts';
import type { NamedValues } from '../problem/named.ts';
import type { Problem } from '../problem/problem.ts';
import { momentsOf } from '../problem/run.ts';
import type { Block } from './block.ts';
import { arrayBlock, numberBlock } from './block.ts';
import type { Limits } from './limits.ts';
import { RunFailure } from './run-failure.ts';
import type { Target } from './targets.ts';
import { addTied, addUp, fill, targetsOf } from './targets.ts';
import { tieOf } from './tie.ts';

/** Properties of a problem from which its unknowns are made. */
export type UnknownsOf = Pick<
  Problem,
  'model' | 'frames' | 'substeps' | 'parameters' | 'arrays' | 'given' | 'ties' | 'values'
>;

/** Role of given quantities: `kept` at their values, or `fitted` like unknowns with their tolerances as priors. */
export type GivenRole = 'kept' | 'fitted';

/** Relative tolerance within which the model's value equals a given one: models hold values in single precision. */
const VALUE_TOLERANCE = 1e-6;

/** Range of an unknown without one. */
const EVERYTHING = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** All unknowns of a problem as one vector of coordinates, with conversions between coordinates and fields. */
export class Unknowns {
  readonly blocks: readonly Block[];
  readonly count: number;
  /** Index of the coordinate of the unknown found by values alone; null if there is none. */
  readonly byValues: number | null;
  readonly role: GivenRole;
  readonly #targets: readonly Target[];
  readonly #model: Problem['model'];
  /** Values of the given quantities that are kept fixed, by name. */
  readonly #kept: NamedValues;

  /**
   * @throws for a field or element that does not exist, two unknowns of the same name or place, or a start out of
   * range.
   */
  constructor(
    { model, frames, substeps, parameters = [], arrays = [], given = [], ties: specs = [], values = {} }: UnknownsOf,
    role: GivenRole = 'kept',
  ) {
    const timeline = { frames, substeps };
    this.role = role;
    this.#model = model;
    const blocks: Block[] = [];
    let count = 0;
    const add = (block: Block): void => {
      blocks.push(block);
      count += block.count;
    };
    for (const spec of parameters) add(numberBlock(model, spec, count, timeline));
    for (const spec of arrays) add(arrayBlock(model, spec, count, timeline));
    if (count === 0)
      throw new GradsimError(
        'optim/nothing-to-estimate',
        'There is nothing to estimate: the problem has neither parameters nor arrays.',
      );
    // After all others, so that a point of these is the beginning of a point of all.
    if (role === 'fitted') for (const spec of given) add(numberBlock(model, asParameter(spec), count, timeline, true));
    this.#kept =
      role === 'kept' ? Object.fromEntries(given.map(({ name, value, start = value }) => [name, start])) : {};
    this.blocks = blocks;
    this.count = count;
    this.byValues = byValuesOf(blocks);
    const ties = specs.map((spec) => tieOf(model, spec, blocks, timeline, this.#kept));
    refuseUnused(blocks, ties);
    this.#targets = targetsOf({ model, frames, substeps, values }, blocks, ties);
    refuseOtherValues(this.#targets);
    refuseOtherTied(this.#targets, this.initial(), new Set(given.map(({ name }) => name)));
    const names = [...blocks.map((block) => block.name), ...Object.keys(this.#kept)];
    const twice = names.find((name, k) => names.indexOf(name) !== k);
    if (twice) throw new GradsimError('optim/name-taken', `Two parameters have the name ${twice}.`);
  }

  /** Keys of the fields that unknowns set. */
  get fields(): readonly string[] {
    return this.#targets.map(({ key }) => key);
  }

  /** Keys of the fields that an unknown with a derivative sets. */
  get fieldsOfDerivatives(): readonly string[] {
    return this.#targets.filter(({ hasDerivative }) => hasDerivative).map(({ key }) => key);
  }
  /** Keys of the fields that the unknown of this name sets, directly or through ties. */
  fieldsOf(name: string): readonly string[] {
    return this.#targets
      .filter(
        ({ blocks, ties }) => blocks.some((block) => block.name === name) || ties.some(({ uses }) => uses.has(name)),
      )
      .map(({ key }) => key);
  }

  /** Display name of each coordinate; those of an array include the element and component. */
  get names(): string[] {
    return this.blocks.flatMap(({ count, label }) => Array.from({ length: count }, (_, k) => label(k)));
  }

  /** Coordinates of the point at which the search starts. */
  initial(): Float64Array {
    return this.#vector(({ start, coordinate }, k) => coordinate.toCoordinate(start[k]));
  }

  /** Coordinates of the values `initial`, even if the search starts elsewhere. */
  initialCoordinates(): Float64Array {
    return this.#vector(({ initial, coordinate }, k) => coordinate.toCoordinate(initial[k]));
  }

  /**
   * Coordinates of a point with the given values of single unknowns, by name; all other unknowns are at their start.
   */
  coordinatesOf(values: Readonly<Record<string, number>>): Float64Array {
    return this.#vector(({ name, isArray, start, coordinate }, k) =>
      coordinate.toCoordinate(isArray ? start[k] : (values[name] ?? start[k])),
    );
  }

  /** Length of a natural step in each coordinate. */
  scales(): Float64Array {
    return this.#vector(({ scale }) => scale);
  }

  /**
   * Range of each coordinate from which points are drawn; without a `range`, one natural step to either side of
   * `initial`.
   */
  bounds(): (readonly [number, number])[] {
    return this.blocks.flatMap(({ count, range, transform, coordinate, initial, scale }) =>
      Array.from({ length: count }, (_, k): readonly [number, number] => {
        const at = coordinate.toCoordinate(initial[k]);
        if (!range) return [at - scale, at + scale];
        const [low, high] = range;
        const margin = transform === 'bounded' ? 0.02 * (high - low) : 0;
        return [coordinate.toCoordinate(low + margin), coordinate.toCoordinate(high - margin)];
      }),
    );
  }

  /** Limits of the coordinates: the ends of the ranges; infinite without a range, or if the transform enforces it. */
  limits(): Limits {
    const end = (of: 0 | 1, none: number): Float64Array =>
      this.#vector(({ range, transform, coordinate }) =>
        range && transform !== 'bounded' ? coordinate.toCoordinate(range[of]) : none,
      );
    return { low: end(0, Number.NEGATIVE_INFINITY), high: end(1, Number.POSITIVE_INFINITY) };
  }

  /** For each coordinate: -1 if its value is at the lower end of its range, 1 at the upper end, else 0. */
  activeBounds(x: ArrayLike<number>): Float64Array {
    return this.#vector(({ first, range, transform, coordinate }, k) => {
      if (!range) return 0;
      const at = coordinate.toValue(x[first + k]);
      const [low, high] = range;
      // A bounded value comes near its ends and never reaches them.
      const near = (transform === 'bounded' ? 1e-3 : 1e-9) * (high - low);
      return at <= low + near ? -1 : at >= high - near ? 1 : 0;
    });
  }

  /**
   * Interval of each value: from the value at `x` - `reach` to that at `x` + `reach` in its coordinate, within its
   * range; all of that if `reach` is infinite.
   */
  intervals(x: ArrayLike<number>, reach: readonly number[]): (readonly [number, number])[] {
    return this.blocks.flatMap(({ first, count, coordinate, range = EVERYTHING }) =>
      Array.from({ length: count }, (_, k): readonly [number, number] => {
        const at = first + k;
        if (reach[at] === Number.POSITIVE_INFINITY) return range;
        const [low, high] = [x[at] - reach[at], x[at] + reach[at]].map((end) => coordinate.toValue(end));
        return [Math.max(low, range[0]), Math.min(high, range[1])];
      }),
    );
  }

  /** Copy of a point in which coordinates outside of their range are reflected back into it. */
  folded(point: ArrayLike<number>): Float64Array {
    const bounds = this.bounds();
    return this.#vector(({ range, first }, of) => {
      const k = first + of;
      if (!range) return point[k];
      const [low, high] = bounds[k];
      const period = 2 * (high - low);
      const along = (((point[k] - low) % period) + period) % period;
      return low + Math.min(along, period - along);
    });
  }

  values(x: ArrayLike<number>): Float64Array {
    return this.#vector(({ first, coordinate }, k) => coordinate.toValue(x[first + k]));
  }
  derivatives(x: ArrayLike<number>): Float64Array {
    return this.#vector(({ first, coordinate }, k) => coordinate.derivative(x[first + k]));
  }
  /** Second derivatives of the values with respect to their coordinates, divided by the first ones. */
  bends(x: ArrayLike<number>): Float64Array {
    return this.#vector(({ first, coordinate }, k) => coordinate.bend(x[first + k]));
  }

  /** Values of single unknowns and of given quantities, by name. */
  numbers(values: ArrayLike<number>): Record<string, number> {
    const single = this.blocks.filter(({ isArray }) => !isArray);
    return { ...this.#kept, ...Object.fromEntries(single.map(({ name, first }) => [name, values[first]])) };
  }
  /** Values of single unknowns without given quantities, by name. */
  parameters(values: ArrayLike<number>): Record<string, number> {
    const single = this.blocks.filter(({ isArray, isGiven }) => !isArray && !isGiven);
    return Object.fromEntries(single.map(({ name, first }) => [name, values[first]]));
  }
  /** Values of arrays, by name. */
  arrays(values: Float64Array): Record<string, Float64Array> {
    const many = this.blocks.filter(({ isArray }) => isArray);
    return Object.fromEntries(many.map(({ name, first, count }) => [name, values.slice(first, first + count)]));
  }

  #vector(of: (block: Block, k: number) => number): Float64Array {
    const vector = new Float64Array(this.count);
    for (const block of this.blocks) for (let k = 0; k < block.count; k++) vector[block.first + k] = of(block, k);
    return vector;
  }

  /**
   * Values of a field that unknowns set, in one world, for a run of `run.frames` frames; flat
   * [moment][element][component].
   */
  fieldValues(key: string, x: ArrayLike<number>, run: Pick<Simulation, 'frames' | 'substeps'>): Float64Array {
    const target = this.#targets.find((other) => other.key === key)!;
    const values = target.base.slice(0, momentsOf(target, run) * target.perMoment);
    fill(values, target, x);
    return values;
  }

  /**
   * Sets the fields of all worlds of a simulation; `xs[world]` are the coordinates for that world.
   * @throws a RunFailure if a field refuses its values.
   */
  apply(simulation: Simulation, xs: readonly ArrayLike<number>[]): void {
    for (const { key } of this.#targets) {
      const values = this.#ofWorlds(simulation, key, (w) => this.fieldValues(key, xs[w], simulation));
      RunFailure.whileSetting(() => simulation.set(key, values));
    }
  }

  /**
   * Sets the tangents of a simulation: tangent t of world w is along coordinate `directions[t * worlds + w]`, and zero
   * if there is no such coordinate.
   */
  applyTangents(simulation: Simulation, xs: readonly ArrayLike<number>[], directions: readonly number[]): void {
    for (const target of this.#targets) {
      if (!simulation.hasDerivative(target.key)) continue;
      for (let tangent = 0; tangent < simulation.tangents; tangent++) {
        const own = directions.slice(tangent * simulation.worlds);
        const all = this.#ofWorlds(simulation, target.key, (w) =>
          this.#derivativeAlong(target, simulation, xs[w], own[w]),
        );
        simulation.setTangent(target.key, all, undefined, tangent);
      }
    }
  }

  /** Derivative of a field's values with respect to coordinate `k`, flat [moment][element][component]. */
  #derivativeAlong(target: Target, simulation: Simulation, x: ArrayLike<number>, k: number): Float64Array {
    const along = new Float64Array(momentsOf(target, simulation) * target.perMoment);
    if (k === this.byValues || k >= this.count) return along;
    for (const { first, count, places, owners, weights, coordinate } of target.blocks) {
      if (k < first || k >= first + count) continue;
      const slope = coordinate.derivative(x[k]);
      for (let p = 0; p < places.length; p++)
        if (owners[p] === k - first && places[p] < along.length)
          along[places[p]] = weights ? weights[p] * slope : slope;
    }
    for (const { places, owners, slopes } of target.ties) {
      const own = slopes(x, k);
      if (!own) continue;
      for (let p = 0; p < places.length; p++) if (places[p] < along.length) along[places[p]] = own[owners[p]];
    }
    return along;
  }

  #isShared(key: string): boolean {
    return this.#model.field(key).shared === true;
  }

  /** Combines the values of each world to the layout of a simulation, flat [moment][world][element][component]. */
  #ofWorlds(simulation: Simulation, key: string, of: (world: number) => Float64Array): Float64Array {
    const { perMoment } = this.#targets.find((other) => other.key === key)!;
    const { worlds } = simulation;
    if (worlds === 1 || this.#isShared(key)) return of(0);
    const first = of(0);
    const all = new Float64Array(first.length * worlds);
    for (let w = 0; w < worlds; w++) {
      const own = w === 0 ? first : of(w);
      for (let from = 0; from < own.length; from += perMoment)
        all.set(own.subarray(from, from + perMoment), from * worlds + w * perMoment);
    }
    return all;
  }

  /**
   * Converts gradients with respect to fields to gradients with respect to the coordinates of each world. If worlds
   * share a field, world 0 gets the sum over all worlds, and the others get zero for it.
   * @param direct derivatives of losses of the unknowns' own values, by world and field key.
   */
  async gradients(
    simulation: Simulation,
    xs: readonly ArrayLike<number>[],
    direct: readonly ReadonlyMap<string, ArrayLike<number>>[] = [],
  ): Promise<Float64Array[]> {
    const { worlds } = simulation;
    const all = xs.map(() => new Float64Array(this.count));
    const tied = xs.map(() => new Float64Array(this.count));
    for (const target of this.#targets) {
      const { key, perMoment } = target;
      // A field without a derivative has none in the run; losses of its own values may add one.
      const isActive = simulation.hasDerivative(key);
      const ofRun = isActive ? await RunFailure.whileReading(simulation.gradient(key)) : new Float64Array();
      const copies = this.#isShared(key) ? 1 : worlds;
      all.forEach((gradient, w) => {
        const offset = w * perMoment;
        const ran = (place: number): number => {
          const within = place % perMoment;
          return w < copies ? ofRun[(place - within) * copies + offset + within] : 0;
        };
        addUp(gradient, target, ofRun.length / copies, ran);
        addTied(tied[w], target, xs[w], ofRun.length / copies, ran);
        const own = direct[w]?.get(key);
        if (!own) return;
        addUp(gradient, target, own.length, (place) => own[place]);
        addTied(tied[w], target, xs[w], own.length, (place) => own[place]);
      });
    }
    for (const { first, count, coordinate } of this.blocks)
      all.forEach((gradient, w) => {
        for (let k = first; k < first + count; k++) gradient[k] *= coordinate.derivative(xs[w][k]);
      });
    return all.map((gradient, w) => gradient.map((g, k) => (k === this.byValues ? 0 : g + tied[w][k])));
  }
}

/**
 * Index of the coordinate of the unknown found by values alone; null for none. @throws if there are two such unknowns.
 */
function byValuesOf(blocks: readonly Block[]): number | null {
  const [one, other] = blocks.filter(({ isByValues }) => isByValues);
  if (other)
    throw new GradsimError(
      'optim/two-by-values',
      `Both ${one.name} and ${other.name} have \`derivative: 'none'\`; one unknown of a problem can be found by values alone.`,
      { hint: 'Give one of them a value, or a smooth step in place of its comparison.' },
    );
  return one?.first ?? null;
}

/** Checks given quantities. @throws if the model holds another value in their field than the given one. */
function refuseOtherValues(targets: readonly Target[]): void {
  for (const { key, base, blocks } of targets)
    for (const { name, isGiven, start, places } of blocks) {
      const at = isGiven
        ? places.find((place) => Math.abs(base[place] - start[0]) > VALUE_TOLERANCE * Math.abs(start[0]))
        : undefined;
      if (at !== undefined)
        throw new GradsimError(
          'optim/other-value-given',
          `The given quantity ${name} has the value ${start[0]}, and the model has ${base[at]} in ${key}.`,
          { field: key, hint: 'Give the same, or `ties` that say how the model follows from it.' },
        );
    }
}

/**
 * Checks ties that use only given quantities. @throws if the model holds other values than these ties compute, since
 * the search, which does not apply them, would be for another model.
 */
function refuseOtherTied(targets: readonly Target[], x: Float64Array, given: ReadonlySet<string>): void {
  for (const { key, base, ties } of targets)
    for (const { name, uses, places, owners, values } of ties) {
      if (![...uses].every((used) => given.has(used))) continue;
      const tied = values(x);
      const largest = tied.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const at = places.findIndex((place, p) => Math.abs(base[place] - tied[owners[p]]) > VALUE_TOLERANCE * largest);
      if (at >= 0)
        throw new GradsimError(
          'optim/other-value-given',
          `At the given values ${name} gives ${tied[owners[at]]}, and the model has ${base[places[at]]} in ${key}.`,
          { field: key, hint: 'Build the model with the value that the tie gives.' },
        );
    }
}

/** Checks that each parameter sets a field or is used by a tie. @throws if one does not. */
function refuseUnused(blocks: readonly Block[], ties: readonly { readonly uses: ReadonlySet<string> }[]): void {
  const idle = blocks.find(({ name, field }) => field === null && !ties.some(({ uses }) => uses.has(name)));
  if (idle)
    throw new GradsimError('optim/idle-parameter', `The parameter ${idle.name} sets nothing.`, {
      hint: 'Give it a `field`, or the problem `ties` that ask for it.',
    });
}
