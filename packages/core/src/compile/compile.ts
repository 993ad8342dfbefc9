import type { Device } from '@gradsim/kernel';
import type { Job, Overlay, Place, Table } from '@gradsim/kernel/compiler';
import { bindJob, bytesOfFloat, fieldsWithNone, includesNone, layBlocks } from '@gradsim/kernel/compiler';
import type { BoundKernel, Executor, Program } from '@gradsim/kernel/device';
import type { Field } from '../model/field.ts';
import type { Cycle, Model } from '../model/model.ts';
import { keyOf } from '../model/uses.ts';
import { activeFields } from './active-fields.ts';
import { refuseDead } from './dead-parameters.ts';
import { Fields } from './fields.ts';
import type { ForwardWork } from './forward-work.ts';
import { copyJob, flat, forwardWork } from './forward-work.ts';
import type { GrowthWatch } from './growth-watch.ts';
import { watchGrowth } from './growth-watch.ts';
import type { History } from './history.ts';
import { planHistory } from './history.ts';
import type { ByArena } from './layout.ts';
import { Layout } from './layout.ts';
import { listSteps } from './list-steps.ts';
import { recordStates } from './recorded.ts';
import { registersFor } from './registers.ts';
import type { Requests } from './requests.ts';
import { checkRequests } from './requests.ts';
import type { Kept, ReversePlan } from './reverse-plan.ts';
import { lostVersions, planReverse } from './reverse-plan.ts';
import { reverseWork } from './reverse-work.ts';
import type { Role } from './roles.ts';
import { LastVersions, rolesOf } from './roles.ts';
import { ROUND_REGISTERS } from './round-slots.ts';
import { refuseSearchedFloats } from './searched-floats.ts';
import type { PassStep, Step, Steps } from './step.ts';
import { allPasses, allSteps, madeBy } from './step.ts';
import { refuseTooFine } from './too-fine.ts';
import { refuseUnread } from './unread.ts';
import type { Loop, Version } from './versions.ts';
import type { Stage, Work } from './work.ts';
import { loopsReadBack, stagesOf, withoutIdle } from './work.ts';

export interface CompileOptions extends Requests {
  readonly worlds: number;
  readonly frames: number;
  readonly substepsInAll: number;
  readonly dt: number;
  /** Bytes for states along the run, and for frames that are kept to save rendering them again. */
  readonly memory: number;
  /** Whether every buffer has memory of its own, so that none is aliased. */
  readonly isApart: boolean;
}

export const PROGRAMS = [
  'setup',
  'search',
  'physics',
  'frame',
  'physicsReverse',
  'frameReverse',
  'final',
  'setupReverse',
  'growth',
] as const;
export type ProgramName = (typeof PROGRAMS)[number];
/** Programs of the backward pass. */
export const BACKWARD: ReadonlySet<ProgramName> = new Set(['physicsReverse', 'frameReverse', 'setupReverse']);

/** A model on a device: programs, and where everything lies. */
export interface CompiledModel {
  readonly model: Model;
  readonly fields: Fields;
  readonly layout: Layout;
  readonly executor: Executor;
  /** Names of the registers in each row that programs run with. */
  readonly registers: readonly string[];
  readonly roles: ReadonlyMap<string, Role>;
  readonly active: ReadonlySet<string>;
  /** Stages of each program, in order. */
  readonly stages: Readonly<Record<ProgramName, readonly Stage[]>>;
  readonly has: (program: ProgramName) => boolean;
  /** The field that every frame of a recorded one lies in. */
  readonly recorded: ReadonlyMap<string, Field>;
  /** States and checkpoints that a gradient keeps of the run. */
  readonly history: History;
  /** The same of rounds, for loops whose rounds the backward pass reads; those of others alternate between two slots. */
  readonly roundsKept: ReadonlyMap<Loop, History>;
  /** Offset of state slot 0, before those of a segment of the run, or before the one to alternate with. */
  readonly slotBase: ByArena;
  /** Offset of the checkpoints. */
  readonly checkpointBase: ByArena;
  readonly persistentSlots: readonly Place[];
  /** The pass that each job of the backward pass is the adjoint of. */
  readonly reversePasses: ReadonlyMap<Job, PassStep>;
  /** Samples of adjoints from which their growth over a backward pass is told. */
  readonly growth: GrowthWatch | null;
  /** Keys of the fields whose initial values setup reads. */
  readonly readAtStart: ReadonlySet<string>;
  /** States with a derivative that setup makes. */
  readonly madeAtStart: readonly Field[];
  /** Size of the memory that values within a substep or a frame share. */
  readonly overlay: Overlay;
}

/** Compiles a model, stage by stage; each makes something of what those before it made. The model stays as it is. */
export async function compileModel(model: Model, options: CompileOptions, device: Device): Promise<CompiledModel> {
  const fields = new Fields(model);
  refuseTooFine(
    model.passes.map(({ pass }) => pass),
    device.precision,
    options.derivative,
  );
  const listed = listSteps(fields, options.record);
  const roles = rolesOf(fields, listed);
  checkRequests(fields, options, roles, listed);
  refuseUnread(fields, listed, roles, [...options.record, ...options.outputs]);
  const { steps, recorded } = recordStates(fields, options.record, roles, listed);
  const outputs = options.outputs.map((key) => recorded.get(key)?.key ?? key);
  const active = options.derivative === 'none' ? new Set<string>() : activeFields(steps, options.wrt, outputs);
  if (options.derivative !== 'none' && outputs.length > 0) {
    refuseSearchedFloats(listed, options);
    refuseDead(listed, options, active);
  }
  const last = new LastVersions(steps);
  const plans = options.derivative === 'adjoint' ? planAll(fields, steps, active, outputs, roles, last) : null;
  const { precision, scatters } = device;
  const kept = keptFrames(fields, plans, roles, last, new Set([...recorded.values()]), {
    ...options,
    precision,
  });
  const loops = allSteps(Object.values(steps).flat()).flatMap((s) => (s.kind === 'loop' ? [s.loop] : []));
  const record = new Set([...fields.values()].filter(kept.isRecorded).map((field) => field.key));
  const withNone = noneIn(fields, Object.values(steps).flat());
  const layoutOptions = { ...options, record, precision, scatters, withNone };
  const layout = new Layout(fields, roles, last, loops, layoutOptions);
  placeInputs(layout, roles);
  const tables: Table[] = [];
  const {
    work: modelWork,
    persistentSlots,
    reversePasses,
  } = allWork(layout, steps, plans, kept, active, tables, options);
  if (options.derivative !== 'none') placeDerivatives(layout, options, outputs, active);
  const goesBack = modelWork.physicsReverse.length > 0 && options.substepsInAll > 0;
  const growth = goesBack ? watchGrowth(layout, active, options) : null;
  const work = { ...modelWork, growth: growth?.jobs ?? [] };
  layout.arena.layRecords();
  const overlay = layBlocks(layout.arena, Object.values(work), options.isApart);
  const readBack = loopsReadBack(Object.values(work).flat());
  const slots = reserveSlots(layout, model, { loops, readBack }, plans !== null, options);
  const registers = registersFor(loops.length > 0);
  const { programs, stages } = programsOf(work, options.dt, registers, device);
  layout.arena.close();
  const { f32Words, u32Words } = layout.arena;
  const executor = await device.createExecutor({
    f32Words: Math.max(f32Words, 4),
    u32Words: Math.max(u32Words, 4),
    registers,
    programs,
  });
  const readAtStart = new Set(allPasses(steps.setup).flatMap(({ reads }) => [...reads.keys()]));
  const untouched = untouchedStates(layout, steps.setup);
  const madeAtStart = layout.fieldsOf('state').filter((f) => active.has(f.key) && !untouched.includes(f));
  for (const { place, values } of tables) if (values.length) executor.writeU32(place.offset, values);
  return {
    registers,
    model,
    fields,
    layout,
    executor,
    roles,
    active,
    stages,
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

/** The fields that may hold `NO_ELEMENT`: what is set later may hold it where the model's values do. */
const noneIn = (fields: Fields, steps: readonly Step[]): Set<string> =>
  fieldsWithNone(
    allPasses(steps).map(({ kernel: { form }, rename }) => ({ form, keyOf: keyOf(form, rename) })),
    (key) => includesNone(fields.field(key).values),
  );

/** Plans the backward pass of each cycle. */
function planAll(
  fields: Fields,
  steps: Steps,
  active: ReadonlySet<string>,
  outputs: readonly string[],
  roles: ReadonlyMap<string, Role>,
  last: LastVersions,
): Record<Cycle, ReversePlan> {
  const seededIn =
    (cycle: Cycle) =>
    (v: Version): boolean => {
      if (!active.has(v.field.key) || v.loop) return false;
      const role = roles.get(v.field.key);
      if (cycle === 'frame') return role === 'frame' && last.has(v) && outputs.includes(v.field.key);
      if (cycle === 'physics') return role === 'state' && last.has(v);
      return (role === 'state' || role === 'derived') && last.has(v);
    };
  return Object.fromEntries(
    (Object.keys(steps) as Cycle[]).map((cycle) => [
      cycle,
      planReverse(cycle, steps[cycle], { fields, active, roles, seeded: seededIn(cycle) }),
    ]),
  ) as Record<Cycle, ReversePlan>;
}

/**
 * The versions that the backward pass finds. Where half of the memory allows, it keeps every frame of the fields that it
 * needs, instead of rendering them again.
 */
function keptFrames(
  fields: Fields,
  plans: Record<Cycle, ReversePlan> | null,
  roles: ReadonlyMap<string, Role>,
  last: LastVersions,
  recorded: Set<Field>,
  { worlds, frames, memory, precision }: CompileOptions & Pick<Device, 'precision'>,
): Kept {
  const kept: Kept = { roles, isLast: (v) => last.has(v), isRecorded: (field) => recorded.has(field) };
  if (!plans) return kept;
  const lost = lostVersions('frame', plans.frame.items, null, kept).filter(kept.isLast);
  const words = lost.reduce((sum, { field }) => sum + fields.domain(field.domain).size * field.components * worlds, 0);
  if (words * bytesOfFloat(precision) * frames <= memory / 2) for (const { field } of lost) recorded.add(field);
  return kept;
}

/** Gives a place to every field that the host may write, used or not. */
function placeInputs(layout: Layout, roles: ReadonlyMap<string, Role>): void {
  for (const field of layout.fields.values()) {
    const role = roles.get(field.key);
    if (role === 'input' || role === 'state' || role === 'alarm' || (role === 'derived' && field.values))
      layout.input(field);
  }
}

/** Work of each program. */
function allWork(
  layout: Layout,
  steps: Steps,
  plans: Record<Cycle, ReversePlan> | null,
  kept: Kept,
  active: ReadonlySet<string>,
  tables: Table[],
  { derivative }: CompileOptions,
): {
  work: Record<Exclude<ProgramName, 'growth'>, readonly Work[]>;
  persistentSlots: readonly Place[];
  reversePasses: ReadonlyMap<Job, PassStep>;
} {
  const dots = derivative === 'tangent' ? active : undefined;
  const forward = Object.fromEntries(
    (Object.keys(steps) as Cycle[]).map((c) => [
      c,
      forwardWork(layout, steps[c], tables, c === 'search' ? undefined : dots),
    ]),
  ) as unknown as Record<Cycle, ForwardWork>;
  const work: Record<Exclude<ProgramName, 'growth'>, Work[]> = {
    setup: [...flat(steps.setup, forward.setup), ...initialStates(layout, steps.setup, active, derivative)],
    search: flat(steps.search, forward.search),
    physics: flat(steps.physics, forward.physics),
    frame: flat(steps.frame, forward.frame),
    physicsReverse: [],
    frameReverse: [],
    final: [],
    setupReverse: [],
  };
  const persistentSlots: Place[] = [];
  const reversePasses = new Map<Job, PassStep>();
  for (const cycle of plans ? (['setup', 'physics', 'frame'] as const) : []) {
    const vjps = allSteps(steps[cycle]).flatMap((s) => (s.kind === 'block' ? [s.vjp] : []));
    const all = new Map(forward[cycle]);
    for (const vjp of vjps) forwardWork(layout, vjp, tables, undefined, all);
    const reverse = reverseWork(layout, plans![cycle], steps[cycle], all, kept, active, tables);
    work[`${cycle}Reverse`].push(...reverse.work);
    work.final.push(...reverse.final);
    persistentSlots.push(...reverse.persistentSlots);
    for (const [job, pass] of reverse.passes) reversePasses.set(job, pass);
  }
  if (plans) work.setupReverse.push(...initialStatesReverse(layout, steps.setup, active));
  return { work, persistentSlots, reversePasses };
}

/** States that setup leaves alone start from what the host wrote. */
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
    return [copy, copyJob(layout, field, layout.tangent(from), layout.tangent(to), `start_${field.name}'`)];
  });
}

/** The place of a state as setup leaves it. */
const startOf = (layout: Layout, field: Field): Place =>
  layout.primal({ field, cycle: 'frame', loop: null, number: 0 });

function initialStatesReverse(layout: Layout, setup: readonly Step[], active: ReadonlySet<string>): Job[] {
  return untouchedStates(layout, setup)
    .filter((field) => active.has(field.key))
    .map((field) => {
      const from = layout.adjoint({ field, cycle: 'frame', loop: null, number: 0 });
      return copyJob(layout, field, from, layout.inputAdjoint(field), `start_${field.name}_bar`, true);
    });
}

function untouchedStates(layout: Layout, setup: readonly Step[]): Field[] {
  const touched = new Set(setup.flatMap(madeBy).map((v) => v.field));
  return layout.fieldsOf('state').filter((f) => !touched.has(f));
}

/** Places for the derivatives that the host writes or reads, whether a kernel does so or not. */
function placeDerivatives(
  layout: Layout,
  { wrt, derivative }: CompileOptions,
  outputs: readonly string[],
  active: ReadonlySet<string>,
): void {
  const { fields, roles } = layout;
  const of = (keys: readonly string[]): Field[] =>
    keys.filter((key) => active.has(key)).map((key) => fields.field(key));
  const withTangents = derivative === 'tangent';
  if (!withTangents && layout.stateWords.f32 > 0) layout.adjointSlots();
  for (const field of of(wrt)) {
    if (withTangents) layout.tangent(layout.input(field));
    else layout.inputAdjoint(field);
  }
  for (const field of of(outputs)) {
    if (roles.get(field.key) === 'state') continue;
    if (withTangents) layout.tangent(layout.recorded(field));
    else layout.recordedAdjoint(field);
  }
  for (const field of layout.fieldsOf('state').filter((f) => active.has(f.key))) {
    const start: Version = { field, cycle: 'physics', loop: null, number: 0 };
    if (withTangents) layout.tangent(layout.primal(start));
    else layout.adjoint(start);
  }
}

/** Reserves slots for states and for what loops hand on, as many as a gradient keeps of them. */
function reserveSlots(
  layout: Layout,
  model: Model,
  { loops, readBack }: { loops: readonly Loop[]; readBack: ReadonlySet<Loop> },
  withAdjoint: boolean,
  options: CompileOptions,
): Pick<CompiledModel, 'history' | 'roundsKept' | 'slotBase' | 'checkpointBase'> {
  const keeps = withAdjoint && options.derivative === 'adjoint';
  const roundsKept = new Map<Loop, History>();
  // A gradient has half of the memory for states, a part of it for rounds where there are any to keep.
  const budget = options.memory / (readBack.size > 0 ? 4 : 2);
  for (const loop of loops) {
    const rounds = layout.rounds(loop);
    if (!readBack.has(loop)) {
      rounds.reserve(layout.arena, 2, 0);
      continue;
    }
    const what = `rounds of ${loop.name}`;
    const bytes = layout.bytesOf({ f32: rounds.words, u32: 0 });
    const history = historyOf(bytes, loop.rounds, keeps, budget / readBack.size, 1, what);
    rounds.reserve(layout.arena, history.segment + 1, history.checkpoints);
    roundsKept.set(loop, history);
  }
  const unit = Number.isFinite(model.searchInterval) ? model.searchInterval : 1;
  const history = historyOf(layout.stateBytes, options.substepsInAll, keeps, budget, unit, 'substeps');
  const slotBase = layout.reserveSlots(withAdjoint ? history.segment + 1 : SLOTS);
  const checkpointBase = layout.reserveStates(history.checkpoints);
  return { history, roundsKept, slotBase, checkpointBase };
}

/** Without a gradient, states alternate between two slots; the third is for the one before the last frame, see `Runner.step`. */
const SLOTS = 3;

/**
 * States that are kept of a run of `steps`; without a gradient, two slots alternate. Segments are multiples of `unit`
 * substeps, so that the state of a search is in the segment of the substeps that use its results.
 */
function historyOf(bytes: number, steps: number, keeps: boolean, budget: number, unit: number, what: string): History {
  if (!keeps || bytes === 0) return { segment: Math.max(1, steps), checkpoints: 0 };
  const history = planHistory(steps, Math.floor(budget / bytes), unit);
  if (history) return history;
  const needed = unit + 2;
  const megabytes = (value: number): string => `${(value / 1e6).toPrecision(2)} MB`;
  throw new Error(
    `A gradient through ${steps} ${what} needs at least ${needed} states of ${bytes} bytes, ${megabytes(needed * bytes * 2)}; ` +
      `the memory budget is ${megabytes(budget * 2)}. Raise \`memory\`.`,
  );
}

/** Binds all work, and cuts it into programs and loops over them. */
function programsOf(
  work: Record<ProgramName, readonly Work[]>,
  dt: number,
  registers: readonly string[],
  device: Device,
): { programs: Program[]; stages: Record<ProgramName, readonly Stage[]> } {
  // Jobs that the backward pass reruns are those that ran forward: bound, and compiled, once.
  const bound = new Map<Job, BoundKernel>();
  const bind = (job: Job, depth: number): BoundKernel => {
    if (!bound.has(job)) bound.set(job, bindJob(job, { device, dt, registers, round: ROUND_REGISTERS[depth]?.round }));
    return bound.get(job)!;
  };
  const programs: Program[] = [];
  const stages = Object.fromEntries(
    PROGRAMS.map((name) => [
      name,
      stagesOf(withoutIdle(work[name]), (jobs, depth) => {
        const kernels = jobs.map((job) => bind(job, depth));
        return programs.push({ name, kernels }) - 1;
      }),
    ]),
  ) as unknown as Record<ProgramName, readonly Stage[]>;
  return { programs, stages };
}
