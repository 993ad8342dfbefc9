import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { FieldRef, IndexType, Kernel, ValueType } from '@gradsim/kernel';
import { field as fieldRef, index } from '@gradsim/kernel';
import { fieldKey, isIndex } from '@gradsim/kernel/internal';
import type { DomainOptions, FieldArguments, FieldOptions, IndexArguments } from './declarations.ts';
import { DOMAIN_OPTIONS, FIELD_OPTIONS, ofValues, referenceAndOptions } from './declarations.ts';
import type { AlarmMessage, Domain, Field } from './field.ts';
import { refuseUnfitValue, refuseUnknownRange } from './fit.ts';
import type { Offer, OfferDeclarations } from './offers.ts';
import { Offers } from './offers.ts';
import type { KernelPass, Pass } from './pass.ts';
import { asPass, kernelsIn } from './pass.ts';
import type { PassOptions, Phase, PhasePass } from './phases.ts';
import { PHASES } from './phases.ts';
import type { FieldKey } from './references.ts';
import { noField, resolvedKey } from './references.ts';

/** Model of a scene: domains with sizes, fields with values, passes in order. Plugins add to it. */
export class Model {
  readonly domains = new Map<string, Domain>();
  readonly fields = new Map<string, Field>();
  readonly passes: PhasePass[] = [];
  /** For each kernel, the phases and fields with which it was added. */
  readonly #uses = new Map<Kernel, Set<string>>();
  /** Keys of the fields that {@link addComputed} declared. */
  readonly declared = new Set<string>();
  /** Plugin that is adding to the model now, and whether all plugins have built. */
  #owner: OfferDeclarations | undefined;
  #isLate = false;
  readonly #offers = new Offers();
  #searchEvery = Number.POSITIVE_INFINITY;
  /** Warnings that plugins added: see {@link addWarning}. */
  readonly warnings: string[] = [];
  /** Fields named by {@link addStepLimit}, by key, with the keys of the fields that each depends on, and its advice. */
  readonly stepLimits = new Map<string, { readonly from: readonly string[]; readonly advice: string }>();
  #acceptedStep = 0;

  constructor() {
    this.addDomain('world', 1);
  }

  /**
   * Adds a domain.
   *
   * ```ts
   * model.addDomain('pairs', 3, { describe: (pair) => `pair ${pair} of motes` });
   * ```
   */
  addDomain(name: string, size: number, options: DomainOptions = {}): void {
    refuseUnknownOptions<DomainOptions>(`The domain "${name}"`, options, DOMAIN_OPTIONS);
    if (this.domains.has(name))
      throw new GradsimError('core/defined-twice', `The domain "${name}" is there already; two plugins add it.`);
    if (!Number.isInteger(size) || size < 0)
      throw new GradsimError('core/wrong-size', `The domain "${name}" needs a whole number of elements, got ${size}.`);
    this.domains.set(name, { name, size, elementsTogether: false, componentsTogether: false, ...options });
  }

  domain(name: string): Domain {
    const domain = this.domains.get(name);
    if (!domain)
      throw new GradsimError(
        'core/unknown-domain',
        `There is no domain "${name}". Known: ${[...this.domains.keys()].join(', ')}.`,
      );
    return domain;
  }

  /**
   * Returns an element's name for messages, as given by the plugin that added the domain; else `element 7 of motes`.
   */
  describe(domain: string, element: number): string {
    return this.domains.get(domain)?.describe?.(element) ?? `element ${element} of ${domain}`;
  }

  /**
   * Adds a field to which the host gives values, or which passes write.
   *
   * ```ts
   * const drag = model.addField('motes', 'drag', f32, { fill: 0.1, unit: 'N s/m' });
   * ```
   * @param ref a reference that the plugin has declared, or a domain, a name and a type.
   * @returns the reference.
   * @throws when the field exists already, or the values have the wrong size or type.
   */
  addField<R extends FieldRef<ValueType>>(ref: R, options?: FieldOptions): R;
  addField<T extends ValueType, const D extends string, const N extends string>(
    domain: D,
    name: N,
    type: T,
    options?: FieldOptions & { readonly unit?: string },
  ): FieldRef<T, D, N>;
  addField(...given: FieldArguments<FieldOptions>): FieldRef<ValueType> {
    const [ref, options = {}] = referenceAndOptions(given);
    const { key, type } = ref;
    const { size } = this.domain(ref.domain);
    refuseUnknownOptions<FieldOptions & { unit?: string }>(`The field ${key}`, options, FIELD_OPTIONS);
    const { fill, variesBy, shared = false, range, unseen, carryOf } = options;
    refuseUnknownRange(key, range);
    const count = size * type.components;
    let values = options.values;
    if (values === undefined && fill !== undefined) {
      const parts = typeof fill === 'number' ? Array<number>(type.components).fill(fill) : fill;
      if (parts.length !== type.components)
        throw new GradsimError(
          'core/wrong-size',
          `${key} is filled with ${type.components} numbers an element, got ${parts.length}.`,
          { field: key },
        );
      values = Float64Array.from({ length: count }, (_, k) => parts[k % type.components]);
    }
    if (values && variesBy === undefined && values.length !== count)
      throw new GradsimError(
        'core/wrong-size',
        `${key} needs ${size} x ${type.components} values, got ${values.length}.`,
        { field: key },
      );
    const rest = { variesBy, shared, values, range, unseen, carryOf: carryOf?.key };
    const field: Field = { ...ofValues(ref), ...rest };
    if (values) refuseUnfitValue(field, values, (element) => this.describe(field.domain, element));
    this.#registerField(field);
    return ref;
  }

  /**
   * Adds a field that passes add to: the sum of their contributions, zero where there are none.
   *
   * ```ts
   * model.addAccumulator('bodies', 'force', vec3, { unit: 'N' });
   * ```
   */
  addAccumulator<R extends FieldRef<ValueType>>(ref: R): R;
  addAccumulator<T extends ValueType>(
    domain: string,
    name: string,
    type: T,
    options?: { readonly unit?: string },
  ): FieldRef<T>;
  addAccumulator(...given: FieldArguments<object>): FieldRef<ValueType> {
    const [ref] = referenceAndOptions(given);
    this.domain(ref.domain);
    if (ref.type.scalar !== 'f32')
      throw new GradsimError('core/wrong-type', `${ref.key} must be of floats, to be added to.`, { field: ref.key });
    this.#registerField({ ...ofValues(ref), isSum: true });
    return ref;
  }

  /**
   * Declares a field that passes write and that other plugins and hosts may read. A field that is neither declared nor
   * read is refused as a misspelt name.
   *
   * ```ts
   * export const spin = field('motes', 'spin', vec3, { unit: 'rad/s' });
   * model.addComputed(spin);
   * ```
   */
  addComputed<R extends FieldRef<ValueType>>(ref: R): R {
    this.domain(ref.domain);
    this.declared.add(ref.key);
    return ref;
  }

  /**
   * Adds an index field: `count` indices into `target` for every element of `domain`, given by `values` element by
   * element.
   */
  addIndex<R extends FieldRef<IndexType>>(ref: R, values: ArrayLike<number>): R;
  addIndex<C extends number>(
    domain: string,
    name: string,
    target: string,
    count: C,
    values: ArrayLike<number>,
  ): FieldRef<IndexType<C>>;
  addIndex(
    ...given: [FieldRef<IndexType>, ArrayLike<number>] | [...IndexArguments, ArrayLike<number>]
  ): FieldRef<IndexType> {
    if (typeof given[0] !== 'string') {
      const [ref, values] = given as [FieldRef<IndexType>, ArrayLike<number>];
      return this.#addIndex(ref, values);
    }
    const [domain, name, target, count, values] = given as [...IndexArguments, ArrayLike<number>];
    return this.#addIndex(fieldRef(domain, name, index(target, count)), values);
  }
  #addIndex(ref: FieldRef<IndexType>, values: ArrayLike<number>): FieldRef<IndexType> {
    const { key, domain, name, unit } = ref;
    const { domain: target, count } = ref.type;
    const { size } = this.domain(domain);
    const limit = this.domain(target).size;
    if (values.length !== size * count)
      throw new GradsimError('core/wrong-size', `${key} needs ${size} x ${count} indices, got ${values.length}.`, {
        field: key,
      });
    for (let k = 0; k < values.length; k++) {
      if (!isIndex(values[k], limit)) {
        const element = this.describe(domain, Math.floor(k / count));
        throw new GradsimError(
          'core/index-out-of-range',
          `${key} of ${element}: index ${values[k]} is out of range, ${target} has ${limit} elements.`,
          { field: key, element },
        );
      }
    }
    const type = { scalar: 'u32', components: count, target, shared: true } as const;
    this.#registerField({ key, ref, domain, name, unit, ...type, values });
    return ref;
  }

  /**
   * Adds a field by which kernels report a failure: a list that is full, a body that is too fast. It is 0 at the start
   * of a run. A kernel that reads and writes it raises the alarm: the first component becomes the number of the substep
   * + 1 and keeps that value; further components hold details. Results of such a run cannot be read: reading one throws
   * the alarm of the earliest substep, with the text that `message` returns.
   *
   * ```ts
   * model.addAlarm('motes', 'fled', vec2, ([distance], mote) => `${mote} is ${distance} m away; make the box larger`);
   * ```
   */
  addAlarm<R extends FieldRef<ValueType>>(ref: R, message: AlarmMessage): R;
  addAlarm<T extends ValueType, const D extends string, const N extends string>(
    domain: D,
    name: N,
    type: T,
    message: AlarmMessage,
  ): FieldRef<T, D, N>;
  addAlarm(...given: FieldArguments<AlarmMessage>): FieldRef<ValueType> {
    const [ref, alarm] = referenceAndOptions(given);
    this.domain(ref.domain);
    if (ref.type.scalar !== 'f32')
      throw new GradsimError('core/wrong-type', `The alarm ${ref.key} must be of floats.`, { field: ref.key });
    this.#registerField({ ...ofValues(ref), alarm });
    return ref;
  }

  /**
   * Makes phase `search` run at least every `substeps` substeps: before substeps 0, n, 2 n, ... with the smallest n
   * requested. Its results (neighbours, say) stay valid for the physics rate until the next search, and derivatives
   * treat them as constants.
   */
  searchEvery(substeps: number): void {
    if (!Number.isInteger(substeps) || substeps < 1)
      throw new GradsimError(
        'core/option-out-of-range',
        `searchEvery takes a whole number of substeps of at least 1, got ${describeValue(substeps)}.`,
      );
    this.#searchEvery = Math.min(this.#searchEvery, substeps);
  }

  /** Number of substeps between searches; infinite if there is no search. */
  get searchInterval(): number {
    if (!this.passes.some((p) => p.phase === 'search')) return Number.POSITIVE_INFINITY;
    return Number.isFinite(this.#searchEvery) ? this.#searchEvery : 1;
  }

  #registerField(added: Field): void {
    const field = { ...added, owner: this.#owner?.name };
    if (this.fields.has(field.key))
      throw new GradsimError('core/defined-twice', `The field ${field.key} is there already; two plugins add it.`, {
        field: field.key,
      });
    this.fields.set(field.key, field);
  }

  /**
   * Returns a field that plugins have added or that passes create.
   * @throws when there is no such field, with the nearest name, or the reference belongs to another model.
   */
  field(field: FieldKey): Field {
    return this.#find(this.keyOf(field));
  }
  /**
   * Returns the key of a field; a string is returned unchanged. @throws when the reference belongs to another model.
   */
  keyOf(field: FieldKey): string {
    return resolvedKey(field, (key) => this.#find(key));
  }
  #find(key: string): Field {
    const field = this.fields.get(key) ?? this.#fieldWrittenByPass(key);
    if (!field) throw noField(key, this.fields.keys(), this.domains.keys());
    return field;
  }

  /** Returns a field that the first pass writing it creates. */
  #fieldWrittenByPass(key: string): Field | undefined {
    for (const { kernel, names, owner } of this.kernels()) {
      const { domain: own, ports } = kernel.form;
      const port = ports.find((p) => p.access !== 'read' && p.kind === 'primal' && fieldKey(p, own, names) === key);
      if (!port) continue;
      const [domain, ...name] = key.split('.');
      const components = port.isSeveral ? 1 : port.components;
      return {
        key,
        ref: port.field as FieldRef | undefined,
        unit: port.field?.unit,
        domain,
        name: name.join('.'),
        scalar: port.scalar,
        components,
        shared: false,
        isComputed: true,
        owner,
      };
    }
    return undefined;
  }

  /**
   * Adds a pass to a phase: a kernel, or a kernel bound to other fields (`bind`), or a group of passes (`repeat`,
   * `iterate`, `block`). Within a phase the order follows from the data: see {@link orderedPasses}.
   *
   * @throws for an unknown phase, a field that does not exist, and a kernel that is already added over the same fields
   * in the same phase.
   */
  addPass(
    phase: Phase,
    pass: Kernel | Pass,
    { before = [], after = [], derivativeOnly = false }: PassOptions = {},
  ): void {
    const added = asPass(pass);
    for (const { kernel, names } of kernelsIn(added)) this.#checkKernel(phase, kernel, names);
    if (added.kind === 'kernel') {
      const uses = this.#uses.get(added.kernel) ?? new Set();
      const use = `${phase} ${JSON.stringify(added.names)}`;
      if (uses.has(use))
        throw new GradsimError(
          'core/pass-added-twice',
          `kernel ${added.kernel.name} is in phase ${phase} already, over the same fields. To run it there twice, trace it twice; what two plugins need, one of them adds.`,
        );
      this.#uses.set(added.kernel, uses.add(use));
    }
    this.passes.push({ phase, pass: added, before, after, derivativeOnly, owner: this.#owner?.name });
  }

  #checkKernel(phase: Phase, kernel: Kernel, names: Readonly<Record<string, string>>): void {
    this.domain(kernel.form.domain);
    const phases = Object.values(PHASES).flat() as readonly Phase[];
    if (!phases.includes(phase))
      throw new GradsimError(
        'core/unknown-phase',
        `There is no phase "${phase}" for kernel ${kernel.name}; phases are ${phases.join(', ')}.`,
        { kernel: kernel.name },
      );
    for (const name of Object.keys(names)) {
      if (kernel.form.ports.some((p) => p.name === name) || kernel.adjoint) continue;
      const known = [...new Set(kernel.form.ports.map((p) => p.name))].join(', ');
      throw new GradsimError(
        'core/unknown-name',
        `kernel ${kernel.name} has no field "${name}" to rename; it has ${known}.`,
        { kernel: kernel.name },
      );
    }
  }

  /**
   * Makes the phases `force` and `stage` run `count` times a substep, one round after another: for integrators that
   * evaluate forces several times. Kernels read the number of the stage from `round`.
   * @throws when another plugin has already called this, or has read {@link stages}.
   */
  addStages(count: number): void {
    if (!Number.isInteger(count) || count < 1)
      throw new GradsimError(
        'core/option-out-of-range',
        `addStages takes a whole number of stages of at least 1, got ${describeValue(count)}.`,
      );
    if (this.#stages > 1)
      throw new GradsimError(
        'core/two-integrators',
        `Two integrators ask for stages, of ${this.#stages} and of ${count} a substep.`,
        { hint: 'Register one of them.' },
      );
    if (this.#areStagesRead)
      throw new GradsimError(
        'core/stages-too-late',
        `An integrator asks for ${count} stages a substep after forces were built for one.`,
        { hint: 'Register the integrator before the plugins of forces, contact say.' },
      );
    this.#stages = count;
  }
  /** Number of force evaluations per substep. Once this has been read, {@link addStages} throws. */
  get stages(): number {
    this.#areStagesRead = true;
    return this.#stages;
  }
  #stages = 1;
  #areStagesRead = false;

  /** Kernels that passes run, including those within groups, with their phases, plugins and fields. */
  kernels(): (Pick<PhasePass, 'phase' | 'owner'> & KernelPass)[] {
    return this.passes.flatMap(({ phase, pass, owner }) => kernelsIn(pass).map((one) => ({ phase, owner, ...one })));
  }

  /**
   * Attributes everything that `build` adds to a plugin. With `isLate`, all plugins have built, so every offer is
   * complete.
   */
  as(owner: OfferDeclarations, build: () => void, { isLate = false } = {}): void {
    const [before, wasLate] = [this.#owner, this.#isLate];
    [this.#owner, this.#isLate] = [owner, isLate];
    try {
      build();
    } finally {
      [this.#owner, this.#isLate] = [before, wasLate];
    }
  }

  /** Offers something to other plugins. @throws when the plugin being built does not name the offer in its `offers`. */
  offer<T>(offer: Offer<T>, offered: T): void {
    this.#offers.add(offer, offered, this.#owner);
  }
  /** Changes what plugins have offered. @throws when the plugin being built does not name the offer in its `amends`. */
  amend<T>(offer: Offer<T>, change: (offered: T) => T): void {
    this.#offers.change(offer, change, this.#owner);
  }
  /**
   * Returns everything that plugins have offered. @throws when the plugin being built does not name the offer in its
   * `takes`.
   */
  offered<T>(offer: Offer<T>): readonly T[] {
    return this.#offers.offersFor(offer, this.#owner, this.#isLate);
  }

  /**
   * Adds a warning about the model, for something allowed but probably unintended: every simulation of it passes it to
   * `onWarning`.
   */
  addWarning(text: string): void {
    this.warnings.push(text);
  }

  /**
   * Declares that a field, computed in phase `setup`, holds the minimum number of substeps per second for stable motion
   * of each element, 1/s. Runs with fewer substeps get a warning; see {@link Simulation.stableStep}.
   * @param from scalar fields over the same domain that the limit depends on, with their values after setup; the
   * warning names them.
   * @param advice what helps besides more substeps, as the end of that sentence of the warning.
   * @throws if one of those is over another domain, or has several components.
   */
  addStepLimit(
    field: FieldKey,
    from: readonly FieldKey[] = [],
    advice = 'less stiffness or damping, or more mass there',
  ): void {
    const [limit, ...sources] = [field, ...from].map((one) => this.field(one));
    const { key, domain } = limit;
    const wrong = sources.find((one) => one.domain !== domain || one.components !== 1);
    if (wrong)
      throw new GradsimError(
        'core/wrong-size',
        `addStepLimit: ${wrong.key} has ${wrong.components} numbers over ${wrong.domain}; what ${key} follows from has one, over ${domain}.`,
        { field: wrong.key },
      );
    // Fields that only passes create are read like others.
    for (const one of [limit, ...sources]) if (!this.fields.has(one.key)) this.fields.set(one.key, one);
    this.stepLimits.set(key, { from: sources.map((one) => one.key), advice });
  }

  /**
   * Declares that substeps of up to `dt` seconds are known to keep the motion of this model bounded: runs with them get
   * no warning, even if the conservative estimate of {@link Simulation.stableStep} is lower.
   */
  acceptStep(dt: number): void {
    if (!(dt > 0))
      throw new GradsimError(
        'core/option-out-of-range',
        `acceptStep takes a positive number of seconds, got ${describeValue(dt)}.`,
      );
    this.#acceptedStep = dt;
  }
  /** Largest substep without a warning, s; see {@link acceptStep}. */
  get acceptedStep(): number {
    return this.#acceptedStep;
  }
}
