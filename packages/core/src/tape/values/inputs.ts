import { GradsimError } from '@gradsim/base';
import type { MemoryPlace, QuerySteps } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../../compile/compiled-model.ts';
import type { Field } from '../../model/field.ts';
import type { Settings } from '../options.ts';
import type { GivenInputs } from '../rounding.ts';
import type { RunState } from '../run/run-state.ts';
import { writeValues } from './field-values.ts';
import type { Reader } from './reader.ts';
import type { Source } from './reading.ts';
import { requestFor, valuesOf } from './reading.ts';

/** Values that the host sets: initial values and inputs, and their tangents. */
export class Inputs {
  readonly #compiled: CompiledModel;
  readonly #options: Settings;
  readonly #state: RunState;
  readonly #reader: Reader;

  constructor(compiled: CompiledModel, options: Settings, state: RunState, reader: Reader) {
    this.#compiled = compiled;
    this.#options = options;
    this.#state = state;
    this.#reader = reader;
  }

  /** Writes the initial values of the model. */
  writeInitialValues(): void {
    const { fields, layout } = this.#compiled;
    for (const field of fields.values()) {
      if (!field.values || !this.#isGiven(field)) continue;
      const carried = field.carryOf === undefined ? undefined : this.#compiled.model.field(field.carryOf).values;
      this.#write(field, layout.input(field), carried ? this.#roundingOf(carried) : field.values);
    }
  }

  *readInputs(): QuerySteps<GivenInputs> {
    const { fields, layout, executor } = this.#compiled;
    const sources = [...fields.values()]
      .filter((field) => field.scalar === 'f32' && !field.isSum && this.#isGiven(field))
      .map((field): Source => {
        const copies = this.#reader.moments(field);
        return { field, place: layout.input(field), copies, label: field.key };
      });
    const words = (yield sources.map(requestFor)).map((answer) => answer.slice() as Float32Array | Float64Array);
    const values = Object.fromEntries(
      sources.flatMap((source, k) =>
        source.field.carryOf === undefined ? [[source.field.key, valuesOf(source, words[k])]] : [],
      ),
    );
    const restore = (): void => {
      for (const [k, { place }] of sources.entries()) executor.writeF32(place.offset, words[k]);
      this.#state.change();
    };
    return { values, restore };
  }

  /** Returns whether the host gives a field values, or can do so. */
  #isGiven({ key, values }: Field): boolean {
    const role = this.#compiled.roles.get(key);
    return role === 'input' || role === 'state' || (role === 'derived' && values !== undefined);
  }

  /** Sets a field's values; see {@link Simulation.set}. */
  set(key: string, given: ArrayLike<number> | number, world?: number): void {
    const input = this.#input(key);
    const { elements, components } = this.#compiled.layout.input(input).shape;
    const values = typeof given === 'number' ? new Float64Array(elements * components).fill(given) : given;
    this.#setField(input, values, world);
    for (const field of this.#compiled.fields.values())
      if (field.carryOf === input.key && this.#isGiven(field)) this.#setField(field, this.#roundingOf(values), world);
  }

  #setField(input: Field, values: ArrayLike<number>, world?: number): void {
    const { layout, roles } = this.#compiled;
    if (roles.get(input.key) === 'state' && this.#state.isStepped && this.#options.derivative !== 'adjoint') {
      const state = layout.primal({ field: input, cycle: 'physics', loop: null, number: 0 });
      this.#write(input, this.#reader.stateNow(state), values, world);
      return;
    }
    this.#write(input, layout.input(input), values, world);
    this.#state.change();
  }

  /** Returns the rounding errors of values that the device cannot represent exactly, to be compensated. */
  #roundingOf(values: ArrayLike<number>): Float64Array {
    const isSingle = this.#options.device.precision === 'f32';
    return Float64Array.from(values, (x) => (isSingle ? Math.fround(x) - x : 0));
  }

  /** Sets a tangent; see {@link Simulation.setTangent}. */
  setTangent(key: string, values: ArrayLike<number>, world?: number, tangent?: number): void {
    const input = this.#input(key);
    if (!this.#compiled.active.has(input.key))
      throw new GradsimError(
        'core/unknown-parameter',
        `${input.key} is no parameter of this simulation, or reaches no output, so it has no tangent.`,
        { field: input.key },
      );
    const { layout } = this.#compiled;
    // A tangent is a direction: it may have any sign.
    this.#write({ ...input, range: 'any' }, layout.tangent(layout.input(input), tangent), values, world);
  }

  #input(key: string): Field {
    this.#state.refuseWhileRunning(`set of ${key}`);
    const field = this.#compiled.fields.field(key);
    if (field.target !== undefined)
      throw new GradsimError(
        'core/not-settable',
        `${key} is topology, fixed when the simulation was made: which elements of ${field.target} belong together.`,
        { field: key, hint: 'Build a model with other indices.' },
      );
    if (field.isSum)
      throw new GradsimError('core/not-settable', `${key} is what passes add up; it cannot be set.`, { field: key });
    if (!this.#isGiven(field))
      throw new GradsimError('core/not-settable', `${key} is computed by the simulation and cannot be set.`, {
        field: key,
      });
    return field;
  }

  #write(field: Field, place: MemoryPlace, values: ArrayLike<number>, world?: number): void {
    const fit = this.#options.isFree ? { ...field, range: 'any' as const } : field;
    writeValues(this.#compiled, fit, place, {
      values,
      world,
      worlds: this.#options.worlds ?? 1,
      moments: this.#reader.moments(field),
    });
  }
}
