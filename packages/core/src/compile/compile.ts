import type { Device } from '@gradsim/kernel';
import type { BoundKernel, Executor, Program } from '@gradsim/kernel/device';
import type { Job, JobSurroundings, StepClock, Table } from '@gradsim/kernel/internal';
import {
  Binder,
  fieldsWithNone,
  includesNone,
  layBlocks,
  sizeOfStepTable,
  stepTable,
  writeTables,
} from '@gradsim/kernel/internal';
import type { Model } from '../model/model.ts';
import { keyOf } from '../model/uses.ts';
import type { PlacedComparison } from './comparison/place-comparisons.ts';
import type { CompiledComparison, CompiledModel, CompileOptions, ProgramName } from './compiled-model.ts';
import { PROGRAM_NAMES } from './compiled-model.ts';
import type { StoredVersions } from './derivatives/reverse-plan.ts';
import { Layout } from './layout/layout.ts';
import { registersFor } from './layout/registers.ts';
import { ROUND_REGISTERS } from './layout/round-slots.ts';
import { allWork, untouchedStates } from './program-work.ts';
import { checkRequests } from './requests.ts';
import { reserveSlots } from './state-slots.ts';
import { Fields } from './steps/fields.ts';
import { LastVersions } from './steps/last-versions.ts';
import { listSteps } from './steps/list-steps.ts';
import { recordStates } from './steps/recorded.ts';
import type { Role } from './steps/roles.ts';
import { rolesOf } from './steps/roles.ts';
import type { Step } from './steps/step.ts';
import { allPasses, allSteps } from './steps/step.ts';
import { refuseTooFine } from './too-fine.ts';
import { refuseUnread } from './unread.ts';
import type { Stage, Work } from './work.ts';
import { loopsReadBack, stagesOf, withoutIdle } from './work.ts';

/** Compiles a model, stage by stage; each stage builds on those before it. The model stays unchanged. */
export async function compileModel(model: Model, options: CompileOptions, device: Device): Promise<CompiledModel> {
  // Loaded with the first derivative, comparison and times of frames: a page that only simulates has no bytes of them.
  const derivatives = options.derivative === 'none' ? null : await import('./derivatives/derivatives.ts');
  const comparing = options.comparisons ? await import('./comparison/comparing.ts') : null;
  const uneven = options.clock.frameTimes ? await import('./uneven-steps.ts') : null;
  const fields = new Fields(model);
  refuseTooFine(
    model.passes.map(({ pass }) => pass),
    device.precision,
    options.derivative,
  );
  const listed = listSteps(fields, options.record, options.derivative !== 'none');
  const roles = rolesOf(fields, listed);
  checkRequests(fields, options, roles, listed);
  uneven?.refuseStepsInSetup(listed.setup);
  comparing?.checkComparisons(fields, options.comparisons!, options);
  refuseUnread(fields, listed, roles, [...options.record, ...options.outputs]);
  const { steps, recorded } = recordStates(fields, options.record, roles, listed);
  const outputs = options.outputs.map((key) => recorded.get(key)?.key ?? key);
  const active = derivatives?.activeFields(steps, options.parameters, outputs) ?? new Set<string>();
  if (derivatives && outputs.length > 0) {
    derivatives.refuseSearchedFloats(listed, options);
    derivatives.refuseDead(listed, options, active);
  }
  const last = new LastVersions(steps);
  const backward = options.derivative === 'adjoint' ? derivatives : null;
  const plans = backward?.planAll(fields, steps, active, outputs, roles, last) ?? null;
  const { precision, scatters, accumulatorWords } = device;
  const stored = new Set(recorded.values());
  const kept: StoredVersions = { roles, isLast: (v) => last.has(v), isRecorded: (field) => stored.has(field) };
  if (plans) backward!.keepFrames(fields, plans, kept, stored, { ...options, precision });
  const loops = allSteps(Object.values(steps).flat()).flatMap((s) => (s.kind === 'loop' ? [s.loop] : []));
  const record = new Set([...fields.values()].filter(kept.isRecorded).map((field) => field.key));
  const withNone = noneIn(fields, Object.values(steps).flat());
  // Targets would live as long as what was compiled.
  const layoutOptions = { ...options, comparisons: undefined, record, precision, scatters, accumulatorWords, withNone };
  const layout = new Layout(fields, roles, last, loops, layoutOptions);
  placeInputs(layout, roles);
  const tables: Table[] = [];
  const {
    work: modelWork,
    persistentSlots,
    reversePasses,
  } = allWork(
    layout,
    steps,
    plans && { plans, stored: kept, reverseWork: backward!.reverseWork },
    active,
    tables,
    options,
    derivatives?.tangent,
  );
  derivatives?.placeDerivatives(layout, options, outputs, active);
  const goesBack = modelWork.physicsReverse.length > 0 && options.substepsInAll > 0;
  const growth = goesBack ? derivatives!.watchGrowth(layout, active, options) : null;
  const work = { ...modelWork, growth: growth?.jobs ?? [] };
  const { derivative } = options;
  const placing = { derivative, recorded, active, tables };
  const placed = comparing?.placeComparisons(layout, { ...options.comparisons!, ...placing }) ?? [];
  layout.arena.layRecords();
  const compared = placed.flatMap(({ sumJobs, seedJobs }) => [sumJobs, seedJobs]);
  const overlay = layBlocks(layout.arena, [...Object.values(work), ...compared], options.isApart);
  const readBack = loopsReadBack(Object.values(work).flat());
  const slots = reserveSlots(layout, model, { loops, readBack }, plans !== null, options);
  const registers = registersFor({ loops: loops.length > 0, comparisons: placed.length > 0 });
  const [elements, components] = sizeOfStepTable(options.clock);
  const shape = { elements, components, worlds: 1, worldsInner: true };
  const place = layout.arena.place('durations of substeps', 'f32', shape);
  const { programs, stages, comparisons } = programsOf(work, placed, {
    steps: { place, isEven: !options.clock.frameTimes },
    registers,
    device,
  });
  layout.arena.close();
  const { f32Words, u32Words } = layout.arena;
  const readAtStart = new Set(allPasses(steps.setup).flatMap(({ reads }) => [...reads.keys()]));
  const untouched = untouchedStates(layout, steps.setup);
  const madeAtStart = layout.fieldsOf('state').filter((f) => active.has(f.key) && !untouched.includes(f));
  const spec = { f32Words: Math.max(f32Words, 4), u32Words: Math.max(u32Words, 4), registers, programs };
  const allocated = { spec, tables, steps: place };
  return {
    ...allocated,
    executor: await allocate(allocated, options.clock, device),
    registers,
    model,
    fields,
    layout,
    roles,
    active,
    stages,
    comparisons,
    recorded,
    persistentSlots,
    reversePasses,
    growth: growth?.watch ?? null,
    madeAtStart,
    readAtStart,
    overlay,
    ...slots,
    has: (program) => stages[program].length > 0,
  };
}

/** Creates an executor, and writes the constant tables and that of the substeps to its memory. */
export async function allocate(
  { spec, tables, steps }: Pick<CompiledModel, 'spec' | 'tables' | 'steps'>,
  clock: StepClock,
  device: Device,
): Promise<Executor> {
  const executor = await device.createExecutor(spec);
  writeTables(executor, [...tables, { place: steps, values: stepTable(clock) }]);
  return executor;
}

/**
 * Returns the index fields that may hold `NO_ELEMENT`: those whose values in the model contain it. Values set later may
 * contain it only there.
 */
const noneIn = (fields: Fields, steps: readonly Step[]): Set<string> =>
  fieldsWithNone(
    allPasses(steps).map(({ kernel: { form }, rename }) => ({ form, keyOf: keyOf(form, rename) })),
    (key) => includesNone(fields.field(key).values),
  );

/** Allocates a place for every field that the host may write, whether it is used or not. */
function placeInputs(layout: Layout, roles: ReadonlyMap<string, Role>): void {
  for (const field of layout.fields.values()) {
    const role = roles.get(field.key);
    if (role === 'input' || role === 'state' || role === 'alarm' || (role === 'derived' && field.values))
      layout.input(field);
  }
}

/** Binds all work, and divides it into programs and loops over programs. */
function programsOf(
  work: Record<ProgramName, readonly Work[]>,
  placed: readonly PlacedComparison[],
  around: JobSurroundings,
): {
  programs: Program[];
  stages: Record<ProgramName, readonly Stage[]>;
  comparisons: CompiledComparison[];
} {
  // Jobs that the backward pass reruns are those that ran forward: bound, and compiled, once.
  const bound = new Map<Job, BoundKernel>();
  const binder = new Binder(around);
  const bind = (job: Job, depth: number): BoundKernel => {
    if (!bound.has(job)) bound.set(job, binder.bind(job, ROUND_REGISTERS[depth]?.round));
    return bound.get(job)!;
  };
  const programs: Program[] = [];
  const stages = Object.fromEntries(
    PROGRAM_NAMES.map((name) => [
      name,
      stagesOf(withoutIdle(work[name]), (jobs, depth) => {
        const kernels = jobs.map((job) => bind(job, depth));
        return programs.push({ name, kernels }) - 1;
      }),
    ]),
  ) as unknown as Record<ProgramName, readonly Stage[]>;
  const programOf = (name: string, jobs: readonly Job[]): number =>
    programs.push({ name, kernels: jobs.map((job) => bind(job, 0)) }) - 1;
  const comparisons = placed.map(({ sumJobs, seedJobs, ...comparison }) => ({
    ...comparison,
    sumProgram: programOf('compare', sumJobs),
    seedProgram: seedJobs.length > 0 ? programOf('compareReverse', seedJobs) : null,
  }));
  return { programs, stages, comparisons };
}
