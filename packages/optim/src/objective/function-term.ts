import type { FieldKey, FrameClock, Model, RecordWords, Simulation } from '@gradsim/core';
import { clockOf, GradsimError } from '@gradsim/core';
import type { FunctionLoss, LossRun, LossValue } from '../problem/loss.ts';
import type { Timeline } from '../problem/run.ts';
import { momentsOf } from '../problem/run.ts';
import { RunFailure } from '../unknowns/run-failure.ts';
import type { LossAccumulator, Term, TermRun } from './term.ts';
import { seedsOf } from './term.ts';

type Shape = readonly [number, number, number];

/** An argument of a loss function: a recorded field, or a field that unknowns set. */
interface LossArgument {
  readonly name: string;
  readonly key: string;
  readonly isRecorded: boolean;
  readonly variesBy: 'frame' | 'substep' | undefined;
  readonly shape: Shape;
  /** Returns the name of an element for messages. */
  readonly describe: (element: number) => string;
}

/** Loss term computed by a JavaScript function of recorded fields or unknowns. */
export class FunctionTerm implements Term {
  readonly name: string;
  readonly fields: readonly string[];
  readonly directFields: readonly string[];
  readonly #loss: FunctionLoss;
  readonly #given: readonly LossArgument[];
  readonly #run: LossRun;
  readonly #weight: number;

  /**
   * @param unknownFields keys of the fields that unknowns set.
   * @throws for a recorded field that does not exist, an argument `unknowns` that no unknown sets, a repeated name, or
   * no argument at all.
   */
  constructor(model: Model, loss: FunctionLoss, run: Timeline & FrameClock, unknownFields: readonly string[]) {
    const { name, recordedFields = {}, unknowns = {}, weight = 1 } = loss;
    if (typeof name !== 'string' || name === '')
      throw new GradsimError(
        'optim/name-missing',
        'A loss that is a function needs a `name`, by which messages can call it.',
      );
    if (!Number.isFinite(weight))
      throw new GradsimError('optim/weight-out-of-range', `The loss ${name} has the weight ${weight}.`, {
        hint: 'It must be a finite number.',
      });
    const recorded = Object.entries(recordedFields).map(([own, field]) => givenOf(model, own, field, true, run));
    const asSet = Object.entries(unknowns).map(([own, field]) => givenOf(model, own, field, false, run));
    for (const { name: own, key } of asSet) {
      if (!unknownFields.includes(key))
        throw new GradsimError(
          'optim/field-without-unknown',
          `The loss ${name} asks for ${key} among \`unknowns\`, to which no unknown goes; they go to ${unknownFields.join(', ')}. What is recorded belongs in \`of\`.`,
          { field: key },
        );
      if (own in recordedFields)
        throw new GradsimError(
          'optim/name-taken',
          `The loss ${name} calls two things ${own}, in \`of\` and in \`unknowns\`.`,
        );
    }
    if (recorded.length + asSet.length === 0)
      throw new GradsimError('optim/nothing-to-compare', `The loss ${name} is a function of nothing.`, {
        hint: 'Name recorded fields in `of`, or fields of unknowns in `unknowns`.',
      });
    this.name = name;
    this.fields = recorded.map(({ key }) => key);
    this.directFields = asSet.map(({ key }) => key);
    this.#loss = loss;
    this.#given = [...recorded, ...asSet];
    this.#weight = weight;
    const { frames, substeps } = run;
    const shapes = Object.fromEntries(this.#given.map(({ name: own, shape }) => [own, shape]));
    this.#run = { frames, ...clockOf(run), substeps, shapes };
  }

  async add(accumulator: LossAccumulator, { simulation, worlds, fieldValues }: TermRun): Promise<void> {
    const records = new Map<string, RecordWords>();
    for (const key of this.fields) records.set(key, await RunFailure.whileReading(simulation.readRecord(key)));
    for (const [at, world] of worlds.entries()) {
      const values = this.#given.map((g): [string, Float64Array] => [
        g.name,
        g.isRecorded ? recordedValues(records.get(g.key)!, g.shape, world) : fieldValues(g.key, at),
      ]);
      // The loss of a run that diverged is infinite, and its function is not called.
      if (!values.every(([, v]) => v.every(Number.isFinite))) {
        accumulator.losses[at] = Number.NaN;
        continue;
      }
      const start = simulation.worlds > 1 ? `, world ${world}` : '';
      const found = await this.#loss.evaluate(this.#refusingUnknownNames(Object.fromEntries(values)), this.#run);
      this.#refuseValue(found, start);
      accumulator.losses[at] += this.#weight * found.value;
      if (!Number.isFinite(found.value)) continue;
      this.#refuseGradient(found, start);
      if (accumulator.seeds) this.#addGradient(accumulator, simulation, found, world, at);
    }
  }

  /** Wraps the arguments so that reading one with an unknown name throws. */
  #refusingUnknownNames(values: Record<string, Float64Array>): Record<string, Float64Array> {
    return new Proxy(values, {
      get: (target, name) => {
        if (typeof name !== 'string' || name in target) return Reflect.get(target, name);
        throw new GradsimError(
          'optim/field-not-given',
          `The loss ${this.name} asks for "${name}", which it is not given.`,
          {
            hint: `Name its field in \`of\`, to have it recorded. It is given ${this.#given.map((g) => g.name).join(', ')}.`,
          },
        );
      },
    });
  }

  #addGradient(
    accumulator: LossAccumulator,
    simulation: Simulation,
    { gradient }: LossValue,
    world: number,
    at: number,
  ): void {
    for (const { name, key, isRecorded, shape } of this.#given) {
      const own = gradient[name];
      if (!isRecorded) {
        const sum = accumulator.directDerivatives[at].get(key) ?? new Float64Array(own.length);
        for (let k = 0; k < own.length; k++) sum[k] += this.#weight * own[k];
        accumulator.directDerivatives[at].set(key, sum);
        continue;
      }
      const seed = seedsOf(accumulator, simulation, key);
      const perFrame = shape[1] * shape[2];
      for (let frame = 0; frame < shape[0]; frame++) {
        const to = (frame * simulation.worlds + world) * perFrame;
        for (let k = 0; k < perFrame; k++) seed[to + k] += this.#weight * own[frame * perFrame + k];
      }
    }
  }

  #refuseValue(found: LossValue | undefined, start: string): asserts found is LossValue {
    const value = found?.value;
    if (typeof value !== 'number')
      throw new GradsimError(
        'optim/wrong-loss',
        `The loss ${this.name} gave ${describe(found)}; its function gives \`{ value, gradient }\`, a number and an array for each of ${this.#given.map((g) => g.name).join(', ')}.`,
      );
    if (Number.isNaN(value) || value === Number.NEGATIVE_INFINITY)
      throw new GradsimError(
        'optim/loss-not-finite',
        `The loss ${this.name} is ${value}${start}, though all that it was given is finite. Positive infinity is for where there must be no step to.`,
      );
  }

  #refuseGradient({ gradient }: LossValue, start: string): void {
    const names = this.#given.map((g) => g.name);
    for (const other of Object.keys(gradient ?? {}))
      if (!names.includes(other))
        throw new GradsimError(
          'optim/wrong-gradient',
          `The loss ${this.name} gave a gradient with respect to "${other}", which it is not given; it is given ${names.join(', ')}.`,
        );
    for (const { name, key, variesBy, isRecorded, shape, describe: element } of this.#given) {
      const own = gradient?.[name];
      if (own === undefined)
        throw new GradsimError(
          'optim/wrong-gradient',
          `The loss ${this.name} gave no gradient with respect to "${name}".`,
          { hint: 'Give zeros where it does not depend on it.' },
        );
      const [moments, elements, components] = shape;
      const when = isRecorded ? 'frame' : variesBy;
      const count = moments * elements * components;
      if (own.length !== count)
        throw new GradsimError(
          'optim/wrong-gradient',
          `The loss ${this.name} gave a gradient of ${own.length} values with respect to "${name}" (${key}); ${when ? `${moments} ${when}s x ` : ''}${elements} elements x ${components} components are ${count}.`,
          { field: key },
        );
      const bad = Array.prototype.findIndex.call(own, (value: number) => !Number.isFinite(value));
      if (bad < 0) continue;
      const within = bad % (elements * components);
      const at = when ? ` in ${when} ${Math.floor(bad / (elements * components))}` : '';
      throw new GradsimError(
        'optim/gradient-not-finite',
        `The loss ${this.name} gave the gradient ${own[bad]} with respect to "${name}": ${key} of ${element(Math.floor(within / components))}, component ${within % components},${at}${start}.`,
        { field: key },
      );
    }
  }
}

const describe = (found: unknown): string =>
  typeof found === 'object' && found !== null ? `an object of ${Object.keys(found).join(', ')}` : String(found);

function givenOf(model: Model, name: string, of: FieldKey, isRecorded: boolean, run: Timeline): LossArgument {
  const field = model.field(of);
  const { size } = model.domain(field.domain);
  return {
    name,
    key: field.key,
    isRecorded,
    variesBy: field.variesBy,
    shape: [isRecorded ? run.frames : momentsOf(field, run), size, field.components],
    describe: (element) => model.describe(field.domain, element),
  };
}

/** Values of a recorded field in one world, flat in the order [frame][element][component]. */
function recordedValues(
  { words, frameStride, valueStride, worldStride }: RecordWords,
  [frames, elements, components]: Shape,
  world: number,
): Float64Array {
  const values = new Float64Array(frames * elements * components);
  let to = 0;
  for (let frame = 0; frame < frames; frame++) {
    const from = frame * frameStride + world * worldStride;
    for (let e = 0; e < elements; e++)
      for (let c = 0; c < components; c++) values[to++] = words[from + (c * elements + e) * valueStride];
  }
  return values;
}
