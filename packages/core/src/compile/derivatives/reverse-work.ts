import type { Job, MemoryPlace, Table } from '@gradsim/kernel/internal';
import { AdjointWriter } from '@gradsim/kernel/internal/derivatives';
import type { Field } from '../../model/field.ts';
import type { ForwardWork } from '../forward-work.ts';
import { copyJob, inOneList } from '../forward-work.ts';
import type { Layout } from '../layout/layout.ts';
import type { PassStep, Step } from '../steps/step.ts';
import type { Loop, Version } from '../steps/versions.ts';
import { endOfRound, versionKey } from '../steps/versions.ts';
import type { Work } from '../work.ts';
import type {
  ReverseBlock,
  ReverseItem,
  ReverseLoop,
  ReversePass,
  ReversePlan,
  StoredVersions,
} from './reverse-plan.ts';
import { lostVersions, readsRounds, stepsToRerun } from './reverse-plan.ts';

export interface ReverseWork {
  readonly work: readonly Work[];
  /**
   * Jobs that sum the contributions to parameters from all substeps and frames, once at the end of the backward pass.
   */
  readonly final: readonly Job[];
  /** Slots of the contributions that `final` sums, zeroed at the start of the backward pass. */
  readonly persistentSlots: readonly MemoryPlace[];
  /** For each job, the pass whose adjoint it computes. */
  readonly passes: ReadonlyMap<Job, PassStep>;
}

/** Converts a plan to work, including the steps that recompute lost versions. */
export function reverseWork(
  layout: Layout,
  plan: ReversePlan,
  steps: readonly Step[],
  forward: ForwardWork,
  stored: StoredVersions,
  active: ReadonlySet<string>,
  tables: Table[],
): ReverseWork {
  return new ReverseWriter(layout, plan, forward, stored, active, tables).write(steps);
}

class ReverseWriter {
  readonly #layout: Layout;
  readonly #plan: ReversePlan;
  readonly #forward: ForwardWork;
  readonly #kept: StoredVersions;
  readonly #active: ReadonlySet<string>;
  readonly #adjoints: AdjointWriter<Version>;
  readonly #passes = new Map<Job, PassStep>();
  #work: Work[] = [];
  #loop: Loop | null = null;

  constructor(
    layout: Layout,
    plan: ReversePlan,
    forward: ForwardWork,
    kept: StoredVersions,
    active: ReadonlySet<string>,
    tables: Table[],
  ) {
    this.#layout = layout;
    this.#plan = plan;
    this.#forward = forward;
    this.#kept = kept;
    this.#active = active;
    this.#adjoints = new AdjointWriter(layout, tables, {
      key: versionKey,
      isFound: (version) => this.#isFound(version),
      sumsAtEnd: (version) => this.#sumsAtEnd(version),
      write: (jobs) => void this.#work.push(...jobs),
    });
  }

  write(steps: readonly Step[]): ReverseWork {
    const { cycle, items } = this.#plan;
    this.#rerun(steps, items);
    this.#items(items);
    if (cycle === 'physics') {
      for (const field of this.#layout.fieldsOf('state')) {
        if (this.#active.has(field.key)) this.#adjoints.zeroUnlessSet({ field, cycle, loop: null, number: 0 });
      }
    }
    const { final, persistentSlots } = this.#adjoints;
    return { work: this.#work, final, persistentSlots, passes: this.#passes };
  }

  #rerun(steps: readonly Step[], items: readonly ReverseItem[]): void {
    const { cycle } = this.#plan;
    const lost = lostVersions(cycle, items, this.#loop, this.#kept);
    this.#work.push(...inOneList(stepsToRerun(steps, lost, items, this.#kept), this.#forward));
  }

  #items(items: readonly ReverseItem[]): void {
    for (const item of items) {
      if (item.kind === 'pass') this.#pass(item);
      else if (item.kind === 'loop') this.#rounds(item);
      else this.#block(item);
    }
    this.#adjoints.flushAll();
  }

  /**
   * Returns whether the place of an adjoint holds a valid value when the cycle begins: contributions of other substeps,
   * frames or outputs. All other places hold outdated values of earlier cycles.
   */
  #isKept(v: Version): boolean {
    const { roles } = this.#layout;
    if (v.loop || (v.number > 0 && !this.#layout.isLast(v))) return false;
    switch (roles.get(v.field.key)) {
      case 'input':
      case 'derived':
        return true;
      case 'state':
        // Adjoints of the state that a substep starts with are computed here; those of the state that it leaves, by
        // what follows it.
        return this.#plan.cycle !== 'physics' || v.number > 0;
      case 'frame':
        return this.#layout.adjoint(v).register === 'frameOfRun';
      default:
        return false;
    }
  }

  /** Returns whether an adjoint already has a value before the first contribution of this cycle or round. */
  #isFound(v: Version): boolean {
    // Adjoints of versions outside of a loop are set before its rounds run backwards.
    if (v.loop !== this.#loop) return true;
    return this.#loop ? endOfRound(v) === 'exit' : this.#isKept(v);
  }

  /**
   * Returns whether contributions to an adjoint go to slots in every substep or frame, to be summed once at the end.
   */
  #sumsAtEnd(version: Version): boolean {
    const role = this.#layout.roles.get(version.field.key);
    return (
      this.#isKept(version) &&
      !version.field.variesBy &&
      this.#plan.cycle !== 'setup' &&
      role !== 'state' &&
      role !== 'frame'
    );
  }

  #pass(pass: ReversePass): void {
    for (const job of this.#adjoints.kernel(pass)) this.#passes.set(job, pass.step);
  }

  #copy(field: Field, from: Version, to: Version, accumulate: boolean, label: string): void {
    const [source, target] = [this.#layout.adjoint(from), this.#layout.adjoint(to)];
    this.#work.push(copyJob(this.#layout, field, source, target, label, accumulate));
    this.#adjoints.markSet(to);
  }

  #rounds(item: ReverseLoop): void {
    const { step, carried, items } = item;
    const adjoints = this.#adjoints;
    for (const version of givenBy(items)) if (!isInside(version, step.loop)) adjoints.zeroUnlessSet(version);
    for (const { field, after, exit } of carried) {
      adjoints.flush(after);
      if (adjoints.addsUp(after)) this.#copy(field, after, exit, false, `end_${field.name}_bar`);
      else adjoints.zero(exit);
      // A round begins with the adjoints of its results, and no others.
      adjoints.forget(exit);
    }
    const outer = { work: this.#work, loop: this.#loop };
    const body: Work[] = [];
    this.#work = body;
    this.#loop = step.loop;
    adjoints.apart(() => {
      this.#rerun(step.body, items);
      this.#items(items);
      for (const { entry } of carried) adjoints.zeroUnlessSet(entry);
    });
    this.#work = outer.work;
    this.#loop = outer.loop;
    this.#work.push({ loop: step.loop, direction: readsRounds(item) ? 'back' : 'linear', body });
    for (const { field, versionBefore, entry } of carried) {
      if (!versionBefore) continue;
      adjoints.flush(versionBefore);
      this.#copy(field, entry, versionBefore, adjoints.addsUp(versionBefore), `begin_${field.name}_bar`);
    }
  }

  #block({ step, passes }: ReverseBlock): void {
    for (const version of adjointsRead(step.vjp)) this.#adjoints.zeroUnlessSet(version);
    for (const inner of step.vjp) {
      const pass = passes.get(inner);
      if (pass) this.#pass(pass);
      else this.#work.push(...inOneList([inner], this.#forward));
    }
  }
}

/** Returns the versions to whose adjoints the steps of a backward pass add, including those within loops. */
function givenBy(items: readonly ReverseItem[]): Version[] {
  const given = items.flatMap((item): Version[] => {
    if (item.kind === 'loop')
      return [...givenBy(item.items), ...item.carried.flatMap(({ versionBefore }) => versionBefore ?? [])];
    const passes = item.kind === 'pass' ? [item] : [...item.passes.values()];
    return passes.flatMap(({ adjoint }) =>
      [...adjoint].flatMap(([port, version]) => (port.access === 'add' ? [version] : [])),
    );
  });
  return [...new Map(given.map((v) => [versionKey(v), v])).values()];
}

/** Returns the versions whose adjoints the derivative of a block reads. */
const adjointsRead = (steps: readonly Step[]): Version[] =>
  steps.flatMap((step): Version[] => {
    if (step.kind === 'loop') return adjointsRead(step.body);
    return step.kind === 'pass' ? [...(step.derivatives?.reads.values() ?? [])] : [];
  });

const isInside = ({ loop }: Version, of: Loop): boolean => loop === of || (loop !== null && loop.depth > of.depth);
