import { GradsimError, nearestTo, suggestion } from '@gradsim/base';
import { f64Device } from '../devices/f64.ts';
import type { Kernel } from '../language/kernel.ts';
import type { ProgramField } from '../program/chain.ts';
import { chainOf, domainsOf } from '../program/chain.ts';
import type { CompiledProgram } from '../program/program.ts';
import { compile } from '../program/program.ts';
import { randomValues } from './random.ts';

/** Values of fields, by name: `domain.name`. */
export type FieldValues = Readonly<Record<string, ArrayLike<number>>>;

/** Source of a kernel's test inputs. */
export interface KernelInputs {
  /**
   * Values of fields by name (`position`, or `particles.position` if two domains have one): those of all elements, or of
   * as many as are repeated to fill them.
   */
  readonly values?: FieldValues;
  /** Ranges of random values by field name, low inclusive, high exclusive; default [-1, 1]. Integers: [0, 4). */
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  /**
   * Values at which derivatives must be finite, by field name: all components of the field take the value, the others
   * stay random. Default 0 for every field, skipped where the kernel's own value is not finite there; values given here
   * are never skipped.
   */
  readonly edges?: Readonly<Record<string, readonly number[]>>;
  /** Fields, by name, that derivatives treat as constants (those passed to `detach`, say). */
  readonly constants?: readonly string[];
  /** Number of elements by domain; default 5 for the kernel's own, 4 for others. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Time step that the kernel gets, s. Default 0.01. */
  readonly dt?: number;
  /**
   * Returns the values of fields that a hand-written adjoint reads and its kernel does not, `{ 'points.saved': ... }`,
   * from the inputs: what the kernel that stores them would compute.
   */
  readonly adjointFields?: (inputs: FieldValues) => FieldValues;
}

/** A kernel compiled as a program in double precision, with random inputs. */
export class KernelTrial {
  /** Float inputs that derivatives are taken with respect to, by `domain.name`. */
  readonly inputs: ReadonlyMap<string, Float64Array>;
  readonly #program: CompiledProgram;
  readonly #given: FieldValues;
  readonly #options: KernelInputs;

  private constructor(
    program: CompiledProgram,
    inputs: ReadonlyMap<string, Float64Array>,
    given: FieldValues,
    options: KernelInputs,
  ) {
    this.#program = program;
    this.inputs = inputs;
    this.#given = given;
    this.#options = options;
  }

  /** Compiles the kernel and draws its inputs. */
  static async create(kernel: Kernel, options: KernelInputs, random: () => number): Promise<KernelTrial> {
    const { values = {}, ranges = {}, constants = [], edges = {}, dt = 0.01, adjointFields } = options;
    const { domain: own, ports } = kernel.form;
    const ownSize = options.sizes?.[own] ?? 5;
    /**
     * Returns the number of elements of a domain; lists that each element of the kernel fills determine that of their
     * domain.
     */
    const sizeOf = (domain: string): number => {
      const list = ports.find((port) => port.isSeveral && port.domain === domain);
      return list ? ownSize * list.components : (options.sizes?.[domain] ?? 4);
    };
    const domains = [...domainsOf([kernel]).keys()];
    // Sizes may be those of several kernels: one of another domain is refused if it looks like one without a size.
    const unsized = domains.filter((domain) => options.sizes?.[domain] === undefined);
    const sizes = Object.fromEntries(
      Object.entries(options.sizes ?? {}).filter(([name]) => domains.includes(name) || nearestTo(name, unsized)),
    );
    for (const domain of domains) if (domain !== 'world') sizes[domain] = domain === own ? ownSize : sizeOf(domain);
    const chain = chainOf([kernel], sizes);
    const starts = [...chain.inputs.values(), ...chain.indices.values()].map(({ field }) => field);
    refuseUnknown(kernel, starts, [...[values, ranges, edges].flatMap(Object.keys), ...constants]);
    const of = <T>(by: Readonly<Record<string, T>>, { key, name }: ProgramField): T | undefined => by[key] ?? by[name];
    const isConstant = ({ key, name }: ProgramField): boolean => constants.includes(key) || constants.includes(name);
    const draw = (field: ProgramField): Float64Array => {
      const { target, scalar, components, domain } = field;
      const count = chain.sizes.get(domain)! * components;
      const given = of(values, field);
      const isWhole = given && given.length <= count && given.length % components === 0;
      if (given && given.length !== 1 && !(isWhole && given.length > 0))
        throw new GradsimError(
          'kernel/wrong-size',
          `the values of ${field.key} are ${given.length} numbers, neither one nor those of up to ${count / components} elements of ${components}.`,
          {
            kernel: kernel.name,
            field: field.key,
            hint: 'Those of fewer elements are repeated; `sizes` sets how many elements there are.',
          },
        );
      if (given) return Float64Array.from({ length: count }, (_, k) => given[k % given.length]);
      const whole = scalar !== 'f32';
      const limit = target === undefined ? 4 : chain.sizes.get(target)!;
      const [low, high] = of(ranges, field) ?? (whole ? [0, limit] : [-1, 1]);
      const drawn = randomValues(random, count, low, high);
      return whole ? drawn.map(Math.floor) : drawn;
    };
    // In the order of the kernel's ports, so that a seed gives the same numbers whatever else there is.
    const drawn = new Map([...chain.fields.values()].filter((f) => starts.includes(f)).map((f) => [f, draw(f)]));
    const pick = (test: (field: ProgramField) => boolean): [string, Float64Array][] =>
      [...drawn].filter(([field]) => test(field)).map(([field, numbers]) => [field.key, numbers]);
    const inputs = pick((f) => f.scalar === 'f32' && !isConstant(f));
    const outputs = [...chain.outputs.values()].filter(({ field }) => field.scalar === 'f32');
    if (inputs.length === 0 || outputs.length === 0)
      throw new GradsimError(
        'kernel/nothing-to-check',
        `kernel ${kernel.name} has no derivative to check: it needs f32 fields that it reads and that it gives.`,
        { kernel: kernel.name },
      );
    if (chain.adjointInputs.size > 0 && !adjointFields)
      throw new GradsimError(
        'kernel/input-missing',
        `the adjoint of kernel ${kernel.name} reads ${[...chain.adjointInputs.keys()].join(', ')}, which that kernel does not.`,
        { kernel: kernel.name, hint: 'Give it in `adjointFields`.' },
      );
    const program = await compile([kernel] as readonly Kernel[], {
      sizes,
      indices: Object.fromEntries(pick((f) => f.target !== undefined)),
      device: f64Device(),
      dt,
      wrt: inputs.map(([key]) => key),
      outputs: outputs.map(({ field }) => field.key),
    });
    const given = Object.fromEntries(pick((f) => f.target === undefined));
    return new KernelTrial(program, new Map(inputs), given, options);
  }

  /**
   * Runs the kernel, with other values of some inputs.
   * @returns the outputs, one after another.
   * @throws when one is not finite.
   */
  async run(changed: FieldValues = {}): Promise<Float64Array> {
    const inputs = { ...this.#given, ...changed };
    const outputs = await this.#program
      .run({ ...inputs, ...this.#options.adjointFields?.(inputs) })
      .catch((error: unknown) => refuseUnknownSize(error, this.#options.sizes));
    return Float64Array.from([...finiteDoubles('', outputs).values()].flatMap((values) => [...values]));
  }

  /** Returns the tangents J v at the inputs of the last run, by output. */
  async tangents(directions: ReadonlyMap<string, Float64Array>): Promise<Map<string, Float64Array>> {
    return finiteDoubles('the tangent of ', await this.#program.jvp(Object.fromEntries(directions)));
  }

  /** Returns the gradients J^T w at the inputs of the last run, by input. */
  async gradients(cotangents: ReadonlyMap<string, Float64Array>): Promise<Map<string, Float64Array>> {
    return finiteDoubles('the gradient of ', await this.#program.vjp(Object.fromEntries(cotangents)));
  }

  dispose(): void {
    this.#program.dispose();
  }
}

/** Throws an error of a run; of an index beyond a domain whose size was not given, what to give. */
function refuseUnknownSize(error: unknown, sizes: KernelInputs['sizes'] = {}): never {
  if (!(error instanceof GradsimError && error.code === 'kernel/access-out-of-range')) throw error;
  const { field, where } = error;
  const [domain] = field!.split('.');
  if (domain in sizes) throw error;
  throw new GradsimError(
    'kernel/size-missing',
    `kernel ${where.kernel} goes beyond the elements of ${domain}, in ${field}: how many there are was not given.`,
    { kernel: where.kernel, field, hint: `Give their number in \`sizes\`: { ${domain}: 125 }, say.`, cause: error },
  );
}

/**
 * Converts values by name to doubles.
 * @throws when one is not finite, with its name.
 */
function finiteDoubles(what: string, values: Readonly<Record<string, ArrayLike<number>>>): Map<string, Float64Array> {
  const all = new Map<string, Float64Array>();
  for (const [key, numbers] of Object.entries(values)) {
    const doubles = Float64Array.from(numbers);
    const at = doubles.findIndex((x) => !Number.isFinite(x));
    if (at >= 0)
      throw new GradsimError('kernel/not-finite', `${what}${key} is ${doubles[at]} at value ${at}`, { field: key });
    all.set(key, doubles);
  }
  return all;
}

function refuseUnknown(kernel: Kernel, fields: readonly ProgramField[], names: readonly string[]): void {
  const known = new Set(fields.flatMap(({ name, key }) => [name, key]));
  for (const name of names)
    if (!known.has(name))
      throw new GradsimError(
        'kernel/unknown-field',
        `kernel ${kernel.name} has no field "${name}". ${suggestion(name, known)}`,
        { kernel: kernel.name },
      );
}
