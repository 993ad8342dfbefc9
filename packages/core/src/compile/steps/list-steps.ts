import { GradsimError } from '@gradsim/base';
import type { FieldRef, Kernel } from '@gradsim/kernel';
import type { Port } from '@gradsim/kernel/internal';
import type { Field } from '../../model/field.ts';
import type { BlockPass, IteratePass, KernelPass, Names, Pass, RepeatPass } from '../../model/pass.ts';
import { kernelsIn, nameOf, repeat } from '../../model/pass.ts';
import type { Cycle, Phase, PhasePass } from '../../model/phases.ts';
import { cycleOf, PHASES } from '../../model/phases.ts';
import { formatTolerance } from '../../model/tolerance.ts';
import { keyOf, usesOf, usesOfPass } from '../../model/uses.ts';
import type { Fields } from './fields.ts';
import { endPasses, keepForm } from './iteration.ts';
import { orderedPasses } from './order.ts';
import { readField, writtenField } from './port-fields.ts';
import type { BlockStep, CarriedField, LoopStep, PassStep, Step, Steps } from './step.ts';
import { allSteps, madeBy } from './step.ts';
import type { Loop, Version } from './versions.ts';

/**
 * Lists the steps of every cycle, and gives each field a new version for each write. Fields that no plugin added are
 * created by the first pass that writes them.
 * @param record keys of the fields that the host can read after the run, whether a pass reads them or not.
 * @param hasDerivative whether passes for derivatives alone run.
 * @throws for reads of fields that nothing has written, and for writes that would be lost.
 */
export function listSteps(fields: Fields, record: readonly string[], hasDerivative: boolean): Steps {
  let loops = 0;
  const cycles = Object.keys(PHASES) as Cycle[];
  const list = (cycle: Cycle): readonly Step[] =>
    new StepLister(fields, cycle, { record, hasDerivative }, () => loops++).list();
  return Object.fromEntries(cycles.map((cycle) => [cycle, list(cycle)])) as unknown as Steps;
}

/**
 * A block's derivative that is being listed: which one, the loop that it is in, and the versions that its passes can
 * differentiate.
 */
interface Ends {
  readonly mode: 'vjp' | 'jvp';
  readonly loop: Loop | null;
  readonly reads: ReadonlyMap<string, Version>;
  readonly writes: ReadonlyMap<string, Version>;
}

class StepLister {
  readonly #fields: Fields;
  readonly #cycle: Cycle;
  readonly #record: readonly string[];
  readonly #hasDerivative: boolean;
  readonly #nextLoop: () => number;
  /** Passes of the current cycle, in running order. */
  #passes: readonly PhasePass[] = [];
  /** Current version of each field, by key. */
  #current = new Map<string, Version>();
  readonly #numbers = new Map<string, number>();
  #loop: Loop | null = null;
  /** Enclosing loops, outermost first, and the fields that their rounds change. */
  readonly #changed: { readonly loop: Loop; readonly keys: ReadonlySet<string> }[] = [];
  #phase: Phase = 'setup';
  /** Keys of the fields that passes of the cycle add to. */
  #summed: ReadonlySet<string> = new Set();
  /** For each field, the phase in which the steps listed so far add to it. */
  readonly #added = new Map<string, Phase>();
  /** The derivative of a block that is being listed; null outside of one. */
  #ends: Ends | null = null;

  constructor(
    fields: Fields,
    cycle: Cycle,
    { record, hasDerivative }: { readonly record: readonly string[]; readonly hasDerivative: boolean },
    nextLoop: () => number,
  ) {
    this.#fields = fields;
    this.#cycle = cycle;
    this.#record = record;
    this.#hasDerivative = hasDerivative;
    this.#nextLoop = nextLoop;
  }

  list(): Step[] {
    const passes = orderedPasses(this.#fields, this.#cycle, this.#hasDerivative);
    this.#passes = passes;
    this.#summed = usesOf(passes.map(({ pass }) => pass)).adds;
    const of = (phase: Phase): Pass[] => passes.filter((p) => p.phase === phase).map((p) => p.pass);
    const { stages } = this.#fields.model;
    return PHASES[this.#cycle].flatMap((phase) => {
      this.#phase = phase;
      if (stages === 1 || (phase !== 'force' && phase !== 'stage')) return this.#all(of(phase));
      const staged = [...of('force'), ...of('stage')];
      return phase === 'force' || staged.length === 0 ? [] : this.#all([repeat(stages, staged, 'stages')]);
    });
  }

  #currentVersion(field: Field): Version {
    const known = this.#current.get(field.key);
    if (known) return known;
    // A field that no enclosing loop changes lies outside of all of them.
    const around = this.#changed.findLast(({ keys }) => keys.has(field.key));
    return { field, cycle: this.#cycle, loop: around?.loop ?? null, number: 0 };
  }
  #newVersion(field: Field): Version {
    const counter = `${this.#loop?.id ?? ''} ${field.key}`;
    const number = (this.#numbers.get(counter) ?? 0) + 1;
    this.#numbers.set(counter, number);
    const version: Version = { field, cycle: this.#cycle, loop: this.#loop, number };
    this.#current.set(field.key, version);
    return version;
  }

  #all(passes: readonly Pass[]): Step[] {
    const steps: Step[] = [];
    const sums = new Map<string, { version: Version; from: PassStep[] }>();
    const lastAdders = lastAddersOf(passes);
    passes.forEach((pass, position) => {
      this.#refuseOpenSums(pass, (key) => (lastAdders.get(key) ?? -1) >= position, sums);
      if (pass.kind === 'repeat') steps.push(this.#loopOf(pass, pass.times, { id: this.#nextLoop() }));
      else if (pass.kind === 'iterate') steps.push(...this.#iterate(pass));
      else if (pass.kind === 'block') steps.push(this.#block(pass));
      else if (pass.kind === 'kernel') {
        const step = this.#pass(pass, sums);
        steps.push(step);
        for (const key of usesOfPass(pass).adds) {
          const sum = sums.get(key);
          if (sum && lastAdders.get(key) === position) steps.push({ kind: 'sum', ...sum });
        }
      }
    });
    return steps;
  }

  /** @throws for a read of a field to which this pass or a later one still adds. */
  #refuseOpenSums(pass: Pass, isOpen: (key: string) => boolean, sums: ReadonlyMap<string, unknown>): void {
    const key = [...usesOfPass(pass).reads].find((read) => sums.has(read) && isOpen(read));
    if (key === undefined) return;
    const name = pass.kind === 'kernel' ? `kernel ${nameOf(pass)}` : nameOf(pass);
    throw new GradsimError(
      'core/read-before-sum',
      `${name} reads ${key} in phase ${this.#phase} before all passes of that phase have added to it.`,
      { field: key, hint: 'Give it a later phase.' },
    );
  }

  #pass(pass: KernelPass, sums: Map<string, { version: Version; from: PassStep[] }>): PassStep {
    const { kernel, names } = pass;
    const { form } = kernel;
    const phase = this.#phase;
    const key = keyOf(form, names);
    const primal = form.ports.filter((p) => p.kind === 'primal');
    // A key alone could be that of a field of another package.
    for (const { name, field } of primal)
      if (field && !(name in names) && this.#fields.find(field.key)) this.#fields.keyOf(field as FieldRef);
    const derivative = form.ports.find((p) => p.kind !== 'primal');
    if (derivative && !this.#ends)
      throw new GradsimError(
        'core/derivative-not-available',
        `kernel ${kernel.name} (phase ${phase}) works with the ${derivative.kind} of ${key(derivative)}.`,
        { kernel: kernel.name, hint: 'Only adjoints of kernels and derivatives of blocks can.' },
      );
    const reads = new Map<string, Version>();
    for (const port of primal.filter((p) => p.access === 'read')) {
      const field = readField(this.#fields, { kernel, phase }, port, key(port));
      reads.set(field.key, this.#currentVersion(field));
    }
    const writes = new Map<string, Version>();
    const step: PassStep = {
      kind: 'pass',
      phase,
      kernel,
      rename: names,
      reads,
      writes,
      ...(this.#ends ? { derivatives: this.#derivativesOf(kernel, names, this.#ends) } : {}),
    };
    for (const port of primal.filter((p) => p.access === 'write')) {
      const field = writtenField(this.#fields, { kernel, phase }, port, key(port));
      if (writes.has(field.key)) {
        throw new GradsimError(
          'core/written-twice',
          `kernel ${kernel.name} (phase ${phase}) writes ${field.key} twice, under two of its names; one would be lost.`,
          { kernel: kernel.name, field: field.key },
        );
      }
      if (field.alarm && primal.some((p) => p.access === 'read' && p.domain !== '' && key(p) === field.key)) {
        throw new GradsimError(
          'core/alarm-read-elsewhere',
          `kernel ${kernel.name} writes ${field.key} and reads it at other elements; an alarm is raised at the own element only.`,
          { kernel: kernel.name, field: field.key },
        );
      }
      if (this.#summed.has(field.key)) {
        throw new GradsimError(
          'core/written-and-added',
          `${field.key} is written by kernel ${kernel.name} (phase ${phase}) and added to by another; additions start from zero, so one would be lost.`,
          { kernel: kernel.name, field: field.key, hint: 'Use two fields.' },
        );
      }
      writes.set(field.key, this.#newVersion(field));
    }
    for (const port of primal.filter((p) => p.access === 'add')) {
      const field = writtenField(this.#fields, { kernel, phase }, port, key(port));
      if (writes.has(field.key)) continue;
      const before = this.#added.get(field.key);
      if (before !== undefined && !sums.has(field.key)) {
        throw new GradsimError(
          'core/two-phases-of-sums',
          `${field.key} is added to in phase ${before} and again in ${phase} (kernel ${kernel.name}); all additions to a field belong to one phase, and to one list of passes.`,
          { kernel: kernel.name, field: field.key },
        );
      }
      const sum = sums.get(field.key) ?? { version: this.#newVersion(field), from: [] };
      this.#added.set(field.key, phase);
      sum.from.push(step);
      sums.set(field.key, sum);
      writes.set(field.key, sum.version);
    }
    return step;
  }

  /** Returns the versions to which the ports of a kernel in a block's derivative refer. */
  #derivativesOf(
    kernel: Kernel,
    names: Names,
    { mode, loop, reads, writes }: Ends,
  ): NonNullable<PassStep['derivatives']> {
    const key = keyOf(kernel.form, names);
    const found = { reads: new Map<string, Version>(), gives: new Map<string, Version>() };
    for (const port of kernel.form.ports) {
      if (port.kind === 'primal') continue;
      // Adjoints go from what the block writes to what it reads, tangents the other way.
      const isRead = port.access === 'read';
      const what = `kernel ${kernel.name} (phase ${this.#phase}) ${isRead ? 'reads' : 'gives'} the ${port.kind} of ${key(port)}`;
      if ((port.kind === 'adjoint') !== (mode === 'vjp'))
        throw new GradsimError(
          'core/derivative-not-available',
          `${what} in \`${mode}\`, where there are only ${mode === 'vjp' ? 'adjoint' : 'tangent'}s.`,
        );
      if (mode === 'vjp' && !isRead && this.#loop !== loop)
        throw new GradsimError('core/derivative-not-available', `${what} in rounds of ${this.#loop!.name}.`, {
          hint: 'Have the rounds write a field, and a pass behind them add it.',
        });
      const side = (port.kind === 'adjoint') === isRead ? writes : reads;
      const version = side.get(key(port));
      if (!version) {
        throw new GradsimError(
          'core/derivative-not-available',
          `${what}, which its block does not ${side === writes ? 'write' : 'read'}; it ${side === writes ? 'writes' : 'reads'} ${[...side.keys()].join(', ') || 'nothing'}.`,
        );
      }
      found[isRead ? 'reads' : 'gives'].set(key(port), version);
    }
    return found;
  }

  /** Lists a loop: its rounds of passes, with copies between values outside of the loop and those that it carries. */
  #loopOf(
    pass: RepeatPass | IteratePass,
    rounds: number,
    { id, endedField }: Pick<Loop, 'id' | 'endedField'>,
    more: readonly Pass[] = [],
  ): LoopStep {
    const passes = [...pass.passes, ...more];
    const { reads: exposed, writes, adds } = usesOf(passes);
    const depth = this.#loop ? this.#loop.depth + 1 : 0;
    if (depth > 1)
      throw new GradsimError(
        'core/loops-too-deep',
        `${pass.name} stands in a loop within a loop; two may stand in each other, not three.`,
      );
    const loop: Loop = {
      id,
      name: pass.name,
      depth,
      rounds,
      carried: new Map(),
      ...(endedField ? { endedField } : {}),
    };
    const outside = this.#readElsewhere(passes);
    if (pass.kind === 'iterate') outside.add(`world.${pass.until.field}`);
    const handedOn = [...new Set([...writes, ...adds])].filter((key) => exposed.has(key) || outside.has(key));
    const [outer, outerLoop] = [this.#current, this.#loop];
    const foundBefore = handedOn.map((key) => {
      const field = this.#fields.find(key);
      if (!field) return null;
      const version = this.#currentVersion(field);
      return exposed.has(key) || version.number > 0 || field.values ? version : null;
    });
    this.#loop = loop;
    this.#current = new Map(outer);
    // Fields that each round creates have no value when the loop begins.
    const keys = new Set([...writes, ...adds]);
    for (const key of keys) this.#current.delete(key);
    this.#changed.push({ loop, keys });
    let body: readonly Step[];
    try {
      const listed = this.#all(passes);
      body = endedField ? [...listed, ...this.#keepSteps(listed, handedOn, endedField)] : listed;
    } finally {
      this.#loop = outerLoop;
      this.#changed.pop();
    }
    const inner = this.#current;
    this.#current = outer;
    const carried = handedOn.map((key, k): CarriedField => {
      const field = this.#fields.field(key);
      const exit = inner.get(key)!;
      loop.carried.set(field, { exit: exit.number });
      if (field.scalar !== 'f32')
        throw new GradsimError('core/wrong-type', `${key} is handed from round to round of ${pass.name}.`, {
          field: key,
          hint: 'Only f32 fields can be.',
        });
      const entry: Version = { field, cycle: this.#cycle, loop, number: 0 };
      return { field, versionBefore: foundBefore[k], entry, exit, after: this.#newVersion(field) };
    });
    const reads = readsOutside(body, loop);
    for (const { versionBefore: found } of carried) if (found) reads.set(found.field.key, found);
    return {
      kind: 'loop',
      loop,
      body,
      carried,
      reads,
      writes: new Map(carried.map(({ field, after }) => [field.key, after])),
    };
  }

  /** Returns the keys of the fields that passes other than the given ones, or the host, read. */
  #readElsewhere(passes: readonly Pass[]): Set<string> {
    const own = new Set(passes.flatMap(kernelsIn));
    const others = this.#fields.model.passes.filter(({ phase }) => cycleOf(phase) !== this.#cycle);
    const keys = new Set(this.#record);
    for (const { pass } of [...this.#passes, ...others])
      for (const other of kernelsIn(pass))
        if (!own.has(other)) for (const key of keysOf(other, (port) => port.access === 'read')) keys.add(key);
    for (const field of this.#fields.values()) if (field.values) keys.add(field.key);
    // Fields that setup makes can be read once it has run.
    if (this.#cycle === 'setup')
      for (const one of own)
        for (const key of keysOf(one, (port) => port.access !== 'read' && port.scalar === 'f32')) keys.add(key);
    return keys;
  }

  #iterate(pass: IteratePass): Step[] {
    const { field, below } = pass.until;
    const key = `world.${field}`;
    const written = usesOf(pass.passes);
    if (!written.writes.has(key) && !written.adds.has(key))
      throw new GradsimError(
        'core/iteration-without-measure',
        `${pass.name} iterates until ${key} is below ${formatTolerance(below)}, and none of its passes writes ${key}; they write ${[...written.writes, ...written.adds].join(', ') || 'nothing'}.`,
        { field: key },
      );
    const id = this.#nextLoop();
    const end = endPasses(pass, id);
    const endedField = this.#fields.ensure(`world.${end.endedField}`, { scalar: 'f32', components: 1 });
    this.#fields.ensure(`world.${end.unfinished}`, {
      scalar: 'f32',
      components: 3,
      isComputed: false,
      alarm: end.message,
    });
    return [
      ...this.#all([end.begin]),
      this.#loopOf(pass, pass.maxRounds, { id, endedField }, [end.test]),
      ...this.#all([end.report]),
    ];
  }

  /** Returns the steps by which a world that has ended keeps its values: one for each carried field. */
  #keepSteps(body: readonly Step[], handedOn: readonly string[], done: Field): Step[] {
    const finished: Version = { field: done, cycle: this.#cycle, loop: this.#loop, number: 0 };
    const made = new Map<Field, Version>();
    for (const version of body.flatMap(madeBy)) made.set(version.field, version);
    return [...made].flatMap(([field, version]): Step[] => {
      if (field === done || !handedOn.includes(field.key) || field.scalar !== 'f32' || field.alarm) return [];
      const form = keepForm(field, done);
      const entry: Version = { ...version, number: 0 };
      const names = { new: field.name, old: form.old, done: done.name };
      const reads = new Map([
        [field.key, version],
        [`${field.domain}.${form.old}`, entry],
        [done.key, finished],
      ]);
      const writes = new Map([[field.key, this.#newVersion(field)]]);
      const { form: keep } = form;
      const kernel: Kernel = { name: keep.name, form: keep };
      return [{ kind: 'pass', phase: this.#phase, kernel, rename: names, reads, writes }];
    });
  }

  #block(pass: BlockPass): BlockStep {
    const before = new Map(this.#current);
    const body = this.#all(pass.passes);
    const reads = readsOutside(body);
    const current = this.#current;
    const found = (key: string): Version => {
      return before.get(key) ?? this.#currentVersion(this.#fields.field(key));
    };
    const derivativeReads = usesOf([...pass.vjp, ...pass.jvp]).reads;
    const writes = new Map<string, Version>();
    for (const version of body.flatMap(madeBy)) writes.set(version.field.key, version);
    for (const key of [...pass.reads, ...derivativeReads])
      if (!reads.has(key) && !writes.has(key)) reads.set(key, found(key));
    // The derivative sees the block's inputs and, with `seesResults`, its results.
    const around = pass.seesResults ? new Map([...reads, ...current]) : new Map([...current, ...reads]);
    const outer = this.#ends;
    const derivative = (mode: Ends['mode']): Step[] => {
      this.#current = new Map(around);
      this.#ends = { mode, loop: this.#loop, reads, writes };
      try {
        return this.#all(pass[mode]);
      } finally {
        this.#current = current;
        this.#ends = outer;
      }
    };
    const [vjp, jvp] = [derivative('vjp'), derivative('jvp')];
    return { kind: 'block', name: pass.name, body, reads, writes, vjp, jvp };
  }
}

/** Returns, for each field, the position of the last of the given passes that adds to it. */
const lastAddersOf = (passes: readonly Pass[]): ReadonlyMap<string, number> =>
  new Map(passes.flatMap((pass, k) => [...usesOfPass(pass).adds].map((key) => [key, k] as const)));

const keysOf = ({ kernel: { form }, names }: KernelPass, isMeant: (port: Port) => boolean): string[] =>
  form.ports.filter(isMeant).map(keyOf(form, names));

/**
 * Returns the versions that steps read and do not write, except those of rounds of `loop` and of loops nested in it.
 */
function readsOutside(steps: readonly Step[], loop?: Loop): Map<string, Version> {
  const all = allSteps(steps);
  const made = new Set(all.flatMap(madeBy));
  const loops = new Set(all.flatMap((s) => (s.kind === 'loop' ? [s.loop] : [])));
  if (loop) loops.add(loop);
  const reads = new Map<string, Version>();
  for (const step of all)
    if (step.kind !== 'sum')
      for (const v of step.reads.values())
        if (!made.has(v) && !(v.loop && loops.has(v.loop))) reads.set(v.field.key, v);
  return reads;
}
