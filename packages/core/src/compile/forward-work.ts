import { GradsimError } from '@gradsim/base';
import type { Job, MemoryPlace, Table, Tangents } from '@gradsim/kernel/internal';
import { copyForm, forwardJobs, geometry } from '@gradsim/kernel/internal';
import type { Field } from '../model/field.ts';
import type { Layout } from './layout/layout.ts';
import { isUnwritten } from './steps/roles.ts';
import type { BlockStep, LoopStep, PassStep, Step, SumStep } from './steps/step.ts';
import type { Version } from './steps/versions.ts';
import type { Work } from './work.ts';

/** Fields whose tangents are computed too, and the transform that makes a kernel its tangent kernel. */
export interface Dots {
  readonly active: ReadonlySet<string>;
  readonly tangent: Tangents<Version>['tangent'];
}

/** For each step of a forward run, its work. */
export type ForwardWork = ReadonlyMap<Step, readonly Work[]>;

/**
 * Returns for each step, including those within loops and blocks, the jobs and loops that run it, in running order. With
 * `dots`, tangents of its fields are computed as well: every pass becomes its tangent kernel, and every sum also sums
 * each tangent.
 * @param column index of the tangent that passes of a block's derivative use.
 */
export function forwardWork(
  layout: Layout,
  steps: readonly Step[],
  tables: Table[],
  dots?: Dots,
  work = new Map<Step, readonly Work[]>(),
  column = 0,
): ForwardWork {
  const inside = (body: readonly Step[], of: typeof dots, c = column): Work[] =>
    inOneList(body, forwardWork(layout, body, tables, of, work, c));
  const active = dots?.active;
  const tangents = dots && { ...dots, isActive: (version: Version): boolean => dots.active.has(version.field.key) };
  // Passes of a block's derivative that add to adjoints belong to the backward pass.
  const plain = steps.filter((s) => (s.kind === 'pass' ? !givesAdjoints(s) : s.kind === 'sum'));
  for (const [step, jobs] of forwardJobs(layout, plain as readonly (PassStep | SumStep)[], tables, tangents, column))
    work.set(step as Step, jobs);
  for (const step of steps) {
    if (step.kind === 'loop') work.set(step, loopWork(layout, step, inside(step.body, dots), active));
    else if (step.kind === 'block')
      work.set(step, [
        ...inside(step.body, undefined),
        ...(active && isMoved(step, active) ? columnsOf(layout).flatMap((c) => inside(step.jvp, undefined, c)) : []),
      ]);
  }
  return work;
}

/** Returns whether a pass of a block's derivative adds to adjoints. */
const givesAdjoints = ({ kernel }: PassStep): boolean =>
  kernel.form.ports.some((p) => p.kind === 'adjoint' && p.access !== 'read');

/** Returns whether a requested tangent depends on a block. @throws if so and the block defines no `jvp`. */
function isMoved({ name, writes, jvp }: BlockStep, active: ReadonlySet<string>): boolean {
  const key = [...writes.keys()].find((written) => active.has(written));
  if (key === undefined) return false;
  if (jvp.length === 0)
    throw new GradsimError(
      'core/no-tangent-rule',
      `${name} makes ${key}, whose tangent is wanted, and has no derivative for forward mode.`,
      { field: key, hint: 'Give it `jvp`.' },
    );
  return true;
}

export const inOneList = (steps: readonly Step[], work: ForwardWork): Work[] =>
  steps.flatMap((step) => work.get(step) ?? []);

/**
 * Returns a loop's work, in running order: jobs that copy the carried fields into the loop, the loop itself with
 * `body`, and jobs that copy them out. Tangents of `active` fields are copied too.
 */
function loopWork(
  layout: Layout,
  { loop, carried }: LoopStep,
  body: readonly Work[],
  active: ReadonlySet<string> | undefined,
): Work[] {
  const copies = (field: Field, from: MemoryPlace, to: MemoryPlace, label: string): Job[] => [
    copyJob(layout, field, from, to, label),
    ...(active?.has(field.key) ? tangentCopies(layout, field, from, to, label) : []),
  ];
  const begin = carried.flatMap(({ field, versionBefore, entry }) =>
    versionBefore && !isUnwritten(versionBefore, layout.roles)
      ? copies(field, layout.primal(versionBefore), layout.primal(entry), `begin_${field.name}`)
      : [],
  );
  const end = carried.flatMap(({ field, exit, after }) =>
    copies(field, layout.primal(exit), layout.primal(after), `end_${field.name}`),
  );
  return [...begin, { loop, direction: 'forward', body }, ...end];
}

const columnsOf = ({ tangents }: Layout): number[] => [...Array(tangents).keys()];

/** Copies the tangents of a field from one place to another. */
export const tangentCopies = (layout: Layout, field: Field, from: MemoryPlace, to: MemoryPlace, label: string): Job[] =>
  columnsOf(layout).map((c) => copyJob(layout, field, layout.tangent(from, c), layout.tangent(to, c), `${label}'`));

/** Creates the job that copies a field from one place to another, or adds it there. */
export function copyJob(
  layout: Layout,
  field: Field,
  from: MemoryPlace,
  to: MemoryPlace,
  label: string,
  accumulate = false,
): Job {
  const { form, source, target } = copyForm(label, field.components, field.scalar);
  return {
    label,
    form,
    places: new Map([
      [source, from],
      [target, to],
    ]),
    accumulates: new Set(accumulate ? [target] : []),
    ...geometry(layout, field.domain),
  };
}
