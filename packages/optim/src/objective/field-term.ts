import type { Model } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { FieldLoss } from '../problem/loss.ts';
import { chosenFrames } from '../problem/observation.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { LossAccumulator, Term, TermRun } from './term.ts';
import { seedsOf } from './term.ts';

/** Loss term computed by passes of the model: the weight times the sum of a field's values over the chosen frames. */
export class FieldTerm implements Term {
  readonly name: string;
  readonly fields: readonly string[];
  readonly #key: string;
  readonly #weight: number;
  readonly #frames: readonly number[];

  /** @throws for an unknown field or frame, or a weight that is not a finite number. */
  constructor(model: Model, loss: FieldLoss, count: number) {
    refuseUnknownOptions<FieldLoss>('A loss', loss, { field: true, frames: true, weight: true, name: true });
    const { field, frames = 'all', weight = 1, name } = loss;
    this.#key = model.field(field).key;
    this.fields = [this.#key];
    this.name = name ?? this.#key;
    this.#weight = weight;
    if (flawOf(weight, { scalar: 'f32' }))
      throw new GradsimError('optim/weight-out-of-range', `The loss ${this.name} has the weight ${weight}.`, {
        hint: 'It must be a finite number.',
      });
    this.#frames = chosenFrames(frames, count);
  }

  async add(accumulator: LossAccumulator, { simulation, worlds }: TermRun): Promise<void> {
    const { words, values, frameStride, valueStride, worldStride } = await RunFailure.whileReading(
      simulation.readRecord(this.#key),
    );
    worlds.forEach((world, at) => {
      let sum = 0;
      for (const frame of this.#frames) {
        const from = frame * frameStride + world * worldStride;
        for (let k = 0; k < values; k++) sum += words[from + k * valueStride];
      }
      accumulator.losses[at] += this.#weight * sum;
    });
    if (!accumulator.seeds) return;
    const seed = seedsOf(accumulator, simulation, this.#key);
    for (const frame of this.#frames)
      for (const world of worlds) {
        const from = (frame * simulation.worlds + world) * values;
        for (let k = 0; k < values; k++) seed[from + k] += this.#weight;
      }
  }
}
