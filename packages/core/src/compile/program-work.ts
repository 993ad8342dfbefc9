import type { Job, MemoryPlace, Table } from '@gradsim/kernel/internal';
import type { Field } from '../model/field.ts';
import type { Cycle } from '../model/phases.ts';
import type { CompileOptions, ProgramName } from './compiled-model.ts';
import type { ReversePlan, StoredVersions } from './derivatives/reverse-plan.ts';
import type { reverseWork } from './derivatives/reverse-work.ts';
import type { Dots, ForwardWork } from './forward-work.ts';
import { copyJob, forwardWork, inOneList, tangentCopies } from './forward-work.ts';
import type { Layout } from './layout/layout.ts';
import type { PassStep, Step, Steps } from './steps/step.ts';
import { allSteps, madeBy } from './steps/step.ts';
import type { Work } from './work.ts';

/** Plans of the backward pass, and the function that converts a plan to work. */
interface Backward {
  readonly plans: Record<Cycle, ReversePlan>;
  readonly stored: StoredVersions;
  readonly reverseWork: typeof reverseWork;
}

/** Returns the work of each program; without `backward`, only that of forward runs. */
export function allWork(
  layout: Layout,
  steps: Steps,
  backward: Backward | null,
  active: ReadonlySet<string>,
  tables: Table[],
  { derivative }: CompileOptions,
  tangent: Dots['tangent'] | undefined,
): {
  work: Record<Exclude<ProgramName, 'growth'>, readonly Work[]>;
  persistentSlots: readonly MemoryPlace[];
  reversePasses: ReadonlyMap<Job, PassStep>;
} {
  const dots = derivative === 'tangent' ? { active, tangent: tangent! } : undefined;
  const forward = Object.fromEntries(
    (Object.keys(steps) as Cycle[]).map((c) => [
      c,
      forwardWork(layout, steps[c], tables, c === 'search' ? undefined : dots),
    ]),
  ) as unknown as Record<Cycle, ForwardWork>;
  const work: Record<Exclude<ProgramName, 'growth'>, Work[]> = {
    setup: [...inOneList(steps.setup, forward.setup), ...initialStates(layout, steps.setup, active, derivative)],
    search: inOneList(steps.search, forward.search),
    physics: inOneList(steps.physics, forward.physics),
    frame: inOneList(steps.frame, forward.frame),
    physicsReverse: [],
    frameReverse: [],
    final: [],
    setupReverse: [],
  };
  const persistentSlots: MemoryPlace[] = [];
  const reversePasses = new Map<Job, PassStep>();
  for (const cycle of backward ? (['setup', 'physics', 'frame'] as const) : []) {
    const { plans, stored, reverseWork } = backward!;
    const vjps = allSteps(steps[cycle]).flatMap((s) => (s.kind === 'block' ? [s.vjp] : []));
    const all = new Map(forward[cycle]);
    for (const vjp of vjps) forwardWork(layout, vjp, tables, undefined, all);
    const reverse = reverseWork(layout, plans[cycle], steps[cycle], all, stored, active, tables);
    work[`${cycle}Reverse`].push(...reverse.work);
    work.final.push(...reverse.final);
    persistentSlots.push(...reverse.persistentSlots);
    for (const [job, pass] of reverse.passes) reversePasses.set(job, pass);
  }
  if (backward) work.setupReverse.push(...initialStatesReverse(layout, steps.setup, active));
  return { work, persistentSlots, reversePasses };
}

/** Creates the jobs that copy the initial values from the host to the states that setup does not compute. */
function initialStates(
  layout: Layout,
  setup: readonly Step[],
  active: ReadonlySet<string>,
  derivative: CompileOptions['derivative'],
): Job[] {
  return untouchedStates(layout, setup).flatMap((field) => {
    const [from, to] = [layout.input(field), startOf(layout, field)];
    const copy = copyJob(layout, field, from, to, `start_${field.name}`);
    if (derivative !== 'tangent' || !active.has(field.key)) return [copy];
    return [copy, ...tangentCopies(layout, field, from, to, `start_${field.name}`)];
  });
}

/** Returns the place of a state at the end of setup. */
const startOf = (layout: Layout, field: Field): MemoryPlace =>
  layout.primal({ field, cycle: 'frame', loop: null, number: 0 });

function initialStatesReverse(layout: Layout, setup: readonly Step[], active: ReadonlySet<string>): Job[] {
  return untouchedStates(layout, setup)
    .filter((field) => active.has(field.key))
    .map((field) => {
      const from = layout.adjoint({ field, cycle: 'frame', loop: null, number: 0 });
      return copyJob(layout, field, from, layout.inputAdjoint(field), `start_${field.name}_bar`, true);
    });
}

export function untouchedStates(layout: Layout, setup: readonly Step[]): Field[] {
  const touched = new Set(setup.flatMap(madeBy).map((v) => v.field));
  return layout.fieldsOf('state').filter((f) => !touched.has(f));
}
