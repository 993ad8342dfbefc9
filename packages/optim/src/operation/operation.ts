import type { Device, FieldKey, FrameClock, Model, Simulation } from '@gradsim/core';
import { clockOf, describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { open } from '../problem/run.ts';
import type { OutputSpec, Port } from './ports.ts';
import {
  fromFrames,
  fromMoments,
  inputPorts,
  outputPorts,
  refuseOthers,
  refuseSize,
  shapesOf,
  toFrames,
  toMoments,
} from './ports.ts';

export interface OperationOptions<Input extends string, Output extends string> extends FrameClock {
  readonly device: Device;
  readonly frames: number;
  /** Physics substeps per frame. */
  readonly substeps: number;
  /**
   * Number of worlds of a batch, each with its own inputs; then all inputs and outputs have a first axis of this
   * length. Default: no batch, and no such axis.
   */
  readonly worlds?: number;
  /** Memory limit for the run's history, which gradients need, bytes. */
  readonly memory?: number;
  /** Constant values of the model's inputs over time, by field key. */
  readonly values?: Readonly<Record<string, ArrayLike<number>>>;
  /** Fields that the operation takes as inputs, by the input's name. */
  readonly inputs: Readonly<Record<Input, FieldKey>>;
  /** States and frame fields that the operation returns, by the output's name. */
  readonly outputs: Readonly<Record<Output, OutputSpec>>;
}

const OPTIONS = {
  device: true,
  frames: true,
  frameRate: true,
  frameTimes: true,
  substeps: true,
  worlds: true,
  memory: true,
  values: true,
  inputs: true,
  outputs: true,
};

type Arrays<Name extends string> = Readonly<Record<Name, Float64Array>>;
type ValuesByName<Name extends string> = Readonly<Record<Name, ArrayLike<number>>>;

/** Result of an operation for some inputs, with its pullback. */
export interface Applied<Input extends string, Output extends string> {
  readonly value: Arrays<Output>;
  /**
   * Maps derivatives of a loss with respect to outputs (only those that the loss depends on) to derivatives with
   * respect to all inputs. Can be called any number of times; if the operation was applied to other inputs in between,
   * it first runs forward again.
   */
  readonly pullback: (cotangents: Partial<ValuesByName<Output>>) => Arrays<Input>;
}

/** Result of an operation whose device must be awaited, with its asynchronous pullback. */
export interface AppliedAsync<Input extends string, Output extends string> {
  readonly value: Arrays<Output>;
  readonly pullback: (cotangents: Partial<ValuesByName<Output>>) => Promise<Arrays<Input>>;
}

/**
 * Creates a differentiable operation from a simulation, for use in frameworks with automatic differentiation: it maps
 * named inputs to the values of named outputs, and its `pullback` maps derivatives back.
 *
 * All values are flat. An input is [element][component], or over time [frame or substep][element][component]; an output
 * is [frame][element][component], or with `frames: 'last'` [element][component]. With `worlds`, the world is the first
 * axis of all.
 *
 * ```ts
 * import { createOperation } from '@gradsim/optim';
 *
 * const fly = await createOperation(model, {
 *   device: cpuDevice(), frames: 30, frameRate: 30, substeps: 8,
 *   inputs: { velocity: 'motes.velocity' },
 *   outputs: { end: { field: 'motes.position', frames: 'last' } },
 * });
 * const { value, pullback } = fly.at({ velocity: [1, 2, 0] });
 * // The loss |end - goal|^2.
 * const { velocity } = pullback({ end: value.end.map((x, k) => 2 * (x - goal[k])) });
 * ```
 * @throws before anything runs, if a field does not exist, or cannot be set, recorded or differentiated.
 */
export async function createOperation<Input extends string, Output extends string>(
  model: Model,
  options: OperationOptions<Input, Output>,
): Promise<Operation<Input, Output>> {
  refuseUnknownOptions<OperationOptions<Input, Output>>('createOperation', options, OPTIONS);
  const { device, frames, substeps, worlds, memory, values } = options;
  for (const name of ['inputs', 'outputs'] as const)
    if (typeof options[name] !== 'object' || options[name] === null || Array.isArray(options[name]))
      throw new GradsimError(
        'optim/wrong-type',
        `createOperation: ${name} must be fields by what they are called here, such as { speed: 'bodies.velocity' }, not ${describeValue(options[name])}.`,
        { field: name },
      );
  const inputs = inputPorts(model, options.inputs, options);
  const outputs = outputPorts(model, options.outputs, options);
  const simulation = await open(
    { model, frames, ...clockOf(options), substeps, values },
    {
      device,
      worlds,
      memory,
      parameters: inputs.map(({ key }) => key),
      record: outputs.map(({ key }) => key),
    },
  );
  return new Operation(simulation, inputs, outputs);
}

/** A differentiable operation, see {@link createOperation}. */
export class Operation<Input extends string, Output extends string> {
  /** Lengths of the axes of all inputs and outputs, for frameworks that need shapes. */
  readonly shapes: {
    readonly inputs: Readonly<Record<Input, readonly number[]>>;
    readonly outputs: Readonly<Record<Output, readonly number[]>>;
  };
  readonly #simulation: Simulation;
  readonly #inputs: readonly Port[];
  readonly #outputs: readonly Port[];
  /** Identity of the last forward run, which tells a pullback whether it has to run again. */
  #latest: object | null = null;

  constructor(simulation: Simulation, inputs: readonly Port[], outputs: readonly Port[]) {
    this.#simulation = simulation;
    this.#inputs = inputs;
    this.#outputs = outputs;
    this.shapes = { inputs: shapesOf<Input>(inputs), outputs: shapesOf<Output>(outputs) };
  }

  /**
   * True if the device works asynchronously, such as webgpu: then only {@link atAsync} can apply the operation, not
   * {@link at}.
   */
  get waits(): boolean {
    return this.#simulation.waits;
  }

  /**
   * Applies the operation synchronously.
   * @throws on an asynchronous device, such as webgpu, which needs {@link atAsync}; for inputs that are missing, of
   * another size, or not finite; and if the run raises an alarm or is not finite.
   */
  at(inputs: ValuesByName<Input>): Applied<Input, Output> {
    if (this.waits)
      throw new GradsimError(
        'optim/device-only-records',
        'The device only records its work, so its results have to be waited for: `await operation.atAsync(inputs)`, or take the device cpu.',
      );
    const run = this.#forward(inputs);
    const value = entriesByName<Output>(this.#outputs, (port) =>
      fromFrames(port, this.#simulation.readFramesSync(port.key)),
    );
    return {
      value,
      pullback: (cotangents) => {
        this.#backward(run, cotangents);
        return entriesByName<Input>(this.#inputs, (port) => fromMoments(port, this.#simulation.gradientSync(port.key)));
      },
    };
  }

  /** Applies the operation on any device; asynchronous form of {@link at}. */
  async atAsync(inputs: ValuesByName<Input>): Promise<AppliedAsync<Input, Output>> {
    const run = this.#forward(inputs);
    const read = await Promise.all(this.#outputs.map(({ key }) => this.#simulation.readFrames(key)));
    return {
      value: entriesByName<Output>(this.#outputs, (port, k) => fromFrames(port, read[k])),
      pullback: async (cotangents) => {
        this.#backward(run, cotangents);
        const all = await Promise.all(this.#inputs.map(({ key }) => this.#simulation.gradient(key)));
        return entriesByName<Input>(this.#inputs, (port, k) => fromMoments(port, all[k]));
      },
    };
  }

  /** Frees the simulation's memory on the device. */
  dispose(): void {
    this.#simulation.dispose();
  }

  /** Runs forward; returns the inputs, from which the run can be repeated and which identify it. */
  #forward(inputs: ValuesByName<Input>): Map<string, Float64Array> {
    const run = new Map<string, Float64Array>();
    refuseOthers('input', Object.keys(inputs), this.#inputs);
    for (const port of this.#inputs) {
      const given = (inputs as ValuesByName<string>)[port.name];
      if (given === undefined)
        throw new GradsimError(
          'optim/input-missing',
          `The operation is not given its input ${port.name} (${port.key}).`,
          { field: port.key },
        );
      refuseSize('input', port, given);
      run.set(port.key, toMoments(port, given));
    }
    this.#run(run);
    return run;
  }

  #run(run: ReadonlyMap<string, Float64Array>): void {
    this.#latest = null;
    for (const [key, values] of run) this.#simulation.set(key, values);
    this.#simulation.forward();
    this.#latest = run;
  }

  #backward(run: ReadonlyMap<string, Float64Array>, cotangents: Partial<ValuesByName<Output>>): void {
    refuseOthers('output', Object.keys(cotangents), this.#outputs);
    const seeds: Record<string, Float64Array> = {};
    for (const port of this.#outputs) {
      const given = (cotangents as Partial<ValuesByName<string>>)[port.name];
      if (given === undefined) continue;
      refuseSize('cotangent of the output', port, given);
      seeds[port.key] = toFrames(port, given, this.#simulation.frames);
    }
    if (this.#latest !== run) this.#run(run);
    this.#simulation.backward(seeds);
  }
}

const entriesByName = <Name extends string>(
  ports: readonly Port[],
  of: (port: Port, k: number) => Float64Array,
): Arrays<Name> => Object.fromEntries(ports.map((port, k) => [port.name, of(port, k)])) as Record<Name, Float64Array>;
