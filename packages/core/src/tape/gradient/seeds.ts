import { GradsimError } from '@gradsim/base';
import { toWords } from '@gradsim/kernel/internal';
import type { CompiledModel } from '../../compile/compiled-model.ts';
import type { ComparisonRunner } from '../comparing.ts';
import type { Runner } from '../run/runner.ts';

/** Adjoints of outputs, by key: for a state, of its final value; for a recorded frame field, of every frame. */
export type Seeds = Readonly<Record<string, ArrayLike<number>>>;

/** Adjoints with which a backward pass begins. */
export interface GivenSeeds {
  readonly seeds: Seeds;
  /**
   * Derivative of the loss with respect to the sum of squared residuals of all comparisons, by world; null without
   * comparisons.
   */
  readonly squares: ArrayLike<number> | null;
}

/** Writes the adjoints of a run's outputs, with which the backward pass begins. */
export class SeedWriter {
  readonly #compiled: CompiledModel;
  readonly #outputs: readonly string[];
  readonly #runner: Runner;
  readonly #isDouble: boolean;
  #block: Float32Array | Float64Array = new Float32Array(0);
  readonly #comparing: ComparisonRunner | null;
  #last: GivenSeeds = { seeds: {}, squares: null };

  constructor(
    compiled: CompiledModel,
    comparing: ComparisonRunner | null,
    runner: Runner,
    outputs: readonly string[],
    isDouble: boolean,
  ) {
    this.#compiled = compiled;
    this.#comparing = comparing;
    this.#outputs = outputs;
    this.#runner = runner;
    this.#isDouble = isDouble;
  }

  /** Seeds of the last backward pass. */
  get last(): GivenSeeds {
    return this.#last;
  }

  /**
   * Writes the adjoints of the outputs.
   * @throws when a seed has the wrong size or belongs to no output, or the number of comparison factors is not the
   * number of worlds.
   */
  write(given: GivenSeeds): void {
    this.#last = given;
    const { seeds, squares } = given;
    this.#writeOutputs(seeds);
    if (squares) this.#comparing?.seed(squares, this.#runner.framesTaken);
  }

  #writeOutputs(seeds: Seeds): void {
    const { executor, layout, fields, roles, active, recorded } = this.#compiled;
    for (const key of Object.keys(seeds)) {
      if (!this.#outputs.includes(key))
        throw new GradsimError(
          'core/unknown-output',
          `${key} is no output of this simulation; its outputs are ${this.#outputs.join(', ') || 'none'}.`,
          { field: key },
        );
    }
    for (const key of this.#outputs) {
      const field = recorded.get(key) ?? fields.field(key);
      if (!active.has(field.key)) continue;
      const given = seeds[key];
      const shape = layout.shape(field);
      const perCopy = shape.elements * shape.components * shape.worlds;
      const isState = roles.get(field.key) === 'state';
      const copies = isState ? 1 : this.#runner.framesTaken;
      if (given && given.length !== perCopy * copies) {
        throw new GradsimError(
          'core/wrong-size',
          `The adjoint of ${key} needs ${isState ? '' : `${copies} frames x `}${shape.worlds} worlds x ${shape.elements} x ${shape.components} values, got ${given.length}.`,
          { field: key },
        );
      }
      const place = isState ? null : layout.recordedAdjoint(field);
      for (let copy = 0; copy < copies; copy++) {
        const at = place
          ? place.offset + copy * place.registerStride!
          : layout.adjointSlots() + layout.stateOffset(field);
        if (!given) {
          executor.clear('f32', at, perCopy);
          continue;
        }
        const block = this.#scratch(perCopy);
        toWords(shape, given, copy * perCopy, block);
        executor.writeF32(at, block);
      }
    }
  }

  /** Writes the last seeds once more. */
  writeAgain(): void {
    this.write(this.#last);
  }

  /**
   * Returns the error for a seed that is not finite; null if all are finite. Seeds are checked only once a result is
   * not finite, since there can be as many as pixels in a film.
   */
  nonFinite(): Error | null {
    for (const [key, values] of Object.entries(this.#last.seeds)) {
      const at = Array.prototype.findIndex.call(
        values,
        (value: number) => !Number.isFinite(this.#isDouble ? value : Math.fround(value)),
      );
      if (at < 0) continue;
      const isLarge = Number.isFinite(values[at]) ? ', beyond the numbers of single precision' : '';
      return new GradsimError(
        'core/seed-not-finite',
        `The adjoint of ${key} that the run back was given is ${values[at]} at value ${at}${isLarge}.`,
        { field: key },
      );
    }
    return null;
  }

  /**
   * Returns a buffer for the seeds of one frame, which is reused: allocating and clearing a picture for every frame
   * takes longer than filling it.
   */
  #scratch(words: number): Float32Array | Float64Array {
    if (this.#block.length < words) this.#block = this.#isDouble ? new Float64Array(words) : new Float32Array(words);
    return this.#block.subarray(0, words);
  }
}
