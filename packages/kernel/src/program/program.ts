import { GradsimError } from '@gradsim/base';
import type { Borrowed } from '../devices/borrow.ts';
import { borrowDevice } from '../devices/borrow.ts';
import type { Kernel } from '../language/kernel.ts';
import type { Version } from './chain.ts';
import type { Mode, RunInputs } from './machine.ts';
import { Machine } from './machine.ts';
import type { MemoryPlace } from './memory/places.ts';
import type { Cotangents, Gradients, Inputs, Kernels, Outputs, OutputTangents, Tangents } from './names.ts';
import type { Plan, ProgramOptions } from './plan.ts';
import { isFloat, lookUp, planOf } from './plan.ts';
import type { Values, Words } from './values.ts';
import { emptyWords, valuesAt, wordsOf } from './values.ts';

/** Values of `substep` and `frame` for kernels that use them. */
export interface Moment {
  readonly substep?: number;
  readonly frame?: number;
}

/**
 * Makes a program of a kernel, or of kernels that run one after another: a function from typed arrays to typed arrays,
 * with its derivatives. A kernel reads what those before it wrote or added to; all other fields that it reads are
 * inputs. A field may be overwritten: later kernels read the new values, and the backward pass the old ones.
 *
 * ```ts
 * const square = kernel(
 *   'square',
 *   { domain: 'points', reads: { x: f32 }, writes: { y: f32 } },
 *   ({ x }) => ({ y: x.mul(x) }),
 * );
 * const f = await compile(square, { sizes: { points: 3 } });
 * const { 'points.y': y } = await f.run({ 'points.x': [1, 2, 3] }); // 1, 4, 9
 * const { 'points.x': dx } = await f.vjp({ 'points.y': [1, 1, 1] }); // 2, 4, 6
 * ```
 * @throws for domains without a size, indices that are missing or out of range, fields whose type differs between
 * kernels, kernels whose outputs are never used, a kernel that uses `dt` if none is given.
 */
export async function compile<const K extends Kernels>(
  kernels: K,
  options: ProgramOptions,
): Promise<CompiledProgram<K>> {
  const list: readonly Kernel[] = 'form' in kernels ? [kernels] : kernels;
  const plan = planOf(list, options);
  const borrowed = await borrowDevice(options.device);
  try {
    return new CompiledProgram<K>(plan, await Machine.create(plan, borrowed.device, 'run'), borrowed);
  } catch (error) {
    borrowed.giveBack();
    throw error;
  }
}

/**
 * Function from typed arrays to typed arrays, with derivatives; see {@link compile}. Values are
 * [world][element][component]. Calls run in the order in which they are made, whether awaited or not.
 */
export class CompiledProgram<K extends Kernels = Kernels> {
  readonly #plan: Plan;
  readonly #borrowed: Borrowed;
  readonly #machines = new Map<Mode, Machine>();
  #given: RunInputs | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #isDisposed = false;

  /** See {@link compile}. */
  constructor(plan: Plan, forward: Machine, borrowed: Borrowed) {
    this.#plan = plan;
    this.#machines.set('run', forward);
    this.#borrowed = borrowed;
  }

  /**
   * Runs the kernels; returns the outputs by name.
   * @param inputs values of every input: either for one world, and then used in all worlds, or for each world in turn.
   * @throws for an input that is missing, unknown or of another length.
   */
  run(inputs: Inputs<K>, moment: Moment = {}): Promise<Outputs<K>> {
    return this.#inTurn(async () => {
      const given = this.#pack(inputs as NamedValues, moment);
      const machine = await this.#machine(this.#machines.has('vjp') ? 'vjp' : 'run');
      machine.forward(given);
      this.#given = given;
      const read = this.#read(machine, this.#plan.outputs, (version) => machine.layout.primal(version));
      return (await read) as Outputs<K>;
    });
  }

  /**
   * Vector-Jacobian product w^T (df/dx) at the inputs of the last `run`: given the derivatives w of a number with
   * respect to the outputs, returns its derivatives with respect to the inputs. The first call compiles the backward
   * pass.
   * @param cotangents of outputs; zero where left out.
   * @throws where nothing has run, for unknown outputs and other lengths, and for a kernel that has no adjoint.
   */
  vjp(cotangents: Cotangents<K>): Promise<Gradients<K>> {
    return this.#inTurn(async () => {
      const given = this.#lastGiven('vjp');
      const { chain, wrt, outputs } = this.#plan;
      const seeds = this.#words(outputs.filter(isFloat), cotangents as NamedValues, 'output of floats');
      for (const [key, version] of chain.adjointInputs)
        if (!given.words.has(version))
          throw new GradsimError(
            'kernel/input-missing',
            `An adjoint written by hand reads ${key}, which no kernel does.`,
            { field: key, hint: 'Give it to run().' },
          );
      const machine = await this.#machine('vjp');
      machine.back(given, seeds, outputs);
      const gradients = this.#read(machine, wrt, (version) =>
        machine.hasAdjoint(version) ? machine.layout.adjoint(version) : null,
      );
      return (await gradients) as Gradients<K>;
    });
  }

  /**
   * Jacobian-vector product (df/dx) v at the inputs of the last `run`: the derivatives of the outputs in the direction
   * v of the inputs. The first call compiles the forward mode.
   * @param tangents of inputs; zero where left out.
   * @throws where nothing has run, for unknown inputs and other lengths.
   */
  jvp(tangents: Tangents<K>): Promise<OutputTangents<K>> {
    return this.#inTurn(async () => {
      const given = this.#lastGiven('jvp');
      const { wrt, outputs } = this.#plan;
      const directions = this.#words(wrt, tangents as NamedValues, 'input of floats');
      const machine = await this.#machine('jvp');
      const { layout } = machine;
      machine.forwardWithTangents(given, directions, wrt);
      const dots = this.#read(machine, outputs.filter(isFloat), (version) => layout.tangent(layout.primal(version)));
      return (await dots) as OutputTangents<K>;
    });
  }

  /**
   * Frees the memory, and the device if it was chosen by name and no other program uses it. Further calls do nothing.
   */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const { executor } of this.#machines.values()) executor.dispose();
    this.#machines.clear();
    this.#borrowed.giveBack();
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => {
      if (this.#isDisposed)
        throw new GradsimError('kernel/disposed', 'This program was disposed of; compile the kernels again.');
      return act();
    });
    this.#queue = turn.catch(() => {});
    return turn;
  }

  #lastGiven(what: string): RunInputs {
    if (!this.#given)
      throw new GradsimError('kernel/no-run-yet', `${what}() needs a run() before it, whose derivative it takes.`);
    return this.#given;
  }

  async #machine(mode: Mode): Promise<Machine> {
    const known = this.#machines.get(mode);
    if (known) return known;
    const machine = await Machine.create(this.#plan, this.#borrowed.device, mode);
    this.#machines.set(mode, machine);
    // A backward run includes a forward run.
    if (mode === 'vjp') {
      this.#machines.get('run')?.executor.dispose();
      this.#machines.delete('run');
    }
    return machine;
  }

  #pack(inputs: NamedValues, { substep = 0, frame = 0 }: Moment): RunInputs {
    const { inputs: needed, adjointInputs } = this.#plan.chain;
    const words = this.#words([...needed.values(), ...adjointInputs.values()], inputs, 'input');
    for (const version of needed.values()) if (!words.has(version)) throw this.#missing(version);
    return { words, substep, frame };
  }

  #missing({ field }: Version): Error {
    const writers = this.#plan.chain.steps.flatMap((s) => (s.kind === 'pass' ? [s] : []));
    const later = writers.find(({ writes }) => writes.has(field.key));
    return new GradsimError(
      'kernel/input-missing',
      `The input ${field.key} is missing: kernel ${field.namedBy} reads it before any kernel writes it.` +
        (later ? ` Kernel ${later.kernel.name} does so later; should it come first?` : ''),
    );
  }

  /** Converts values by field name to words in the order of memory. */
  #words(versions: readonly Version[], given: NamedValues, kind: string): Map<Version, Words> {
    const known = new Map(versions.map((version) => [version.field.key, version]));
    const words = new Map<Version, Words>();
    for (const [key, values] of Object.entries(given)) {
      const version = lookUp(known, key, kind);
      if (values) words.set(version, wordsOf(this.#plan, this.#borrowed.device, version.field, values));
    }
    return words;
  }

  /**
   * Reads the values of versions at their places, by field name; zeros for a version without a place. The values are
   * those at the time of the call, whatever runs later.
   */
  async #read(
    machine: Machine,
    versions: readonly Version[],
    placeOf: (version: Version) => MemoryPlace | null,
  ): Promise<Record<string, Values>> {
    const read = ({ field }: Version, place: MemoryPlace | null): Values | Promise<Values> =>
      place ? valuesAt(machine.executor, field, place) : emptyWords(this.#plan, this.#borrowed.device, field);
    const all = versions.map(async (version) => [version.field.key, await read(version, placeOf(version))]);
    const [entries] = await Promise.all([Promise.all(all), machine.refuseBadAccess()]);
    return Object.fromEntries(entries);
  }
}

type NamedValues = Readonly<Record<string, ArrayLike<number> | undefined>>;
