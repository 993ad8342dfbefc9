import type { Device } from '@gradsim/kernel';
import type { ForwardJobs, Job, Place, Table } from '@gradsim/kernel/compiler';
import { bindJob, copyForm, forwardJobs, geometry } from '@gradsim/kernel/compiler';
import type { BoundKernel, Executor, Program } from '@gradsim/kernel/device';
import { activeFields } from './activity.ts';
import type { History } from './history.ts';
import { planHistory } from './history.ts';
import type { ByArena } from './layout.ts';
import { Layout } from './layout.ts';
import type { Cycle, Field, Model } from './model.ts';
import { PHASES } from './model.ts';
import { REGISTERS } from './registers.ts';
import type { ReversePlan } from './reverse.ts';
import { lostVersions, planReverse, reverseJobs, stepsToRerun } from './reverse.ts';
import type { Role, Step, Version } from './steps.ts';
import { isPass, rolesOf, stepsOf } from './steps.ts';

export interface CompileOptions {
  readonly worlds: number;
  readonly frames: number;
  readonly substepsInAll: number;
  readonly dt: number;
  /** Fields that gradients or tangents are wanted for. */
  readonly wrt: readonly string[];
  /** Frame fields whose every frame is kept. */
  readonly record: readonly string[];
  /** Fields that adjoints enter at: recorded frame fields, states. */
  readonly outputs: readonly string[];
  readonly derivative: 'none' | 'adjoint' | 'tangent';
  /** Bytes for states along the run, and for frames that are kept to save rendering them again. */
  readonly memory: number;
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
] as const;
export type ProgramName = (typeof PROGRAMS)[number];

/** A model on a device: programs, and where everything lies. */
export interface CompiledModel {
  readonly model: Model;
  readonly layout: Layout;
  readonly executor: Executor;
  readonly roles: ReadonlyMap<string, Role>;
  readonly active: ReadonlySet<string>;
  /** Kernel names by program, for messages and profiles. */
  readonly labels: Readonly<Record<ProgramName, readonly string[]>>;
  readonly jobs: Readonly<Record<ProgramName, readonly Job[]>>;
  readonly has: (program: ProgramName) => boolean;
  /** What a gradient keeps of the run. */
  readonly history: History;
  /** State slot 0: then come those of a segment of the run, or one more to take turns. */
  readonly slotBase: ByArena;
  /** Where checkpoints lie. */
  readonly checkpointBase: ByArena;
  readonly persistentSlots: readonly Place[];
}

export async function compileModel(
  model: Model,
  options: CompileOptions,
  device: Device,
): Promise<CompiledModel> {
  const cycles = Object.keys(PHASES) as Cycle[];
  const steps = Object.fromEntries(cycles.map((c) => [c, stepsOf(model, c)])) as Record<Cycle, Step[]>;
  const roles = rolesOf(model, steps);
  checkRequests(model, options, roles, steps);
  const active =
    options.derivative === 'none' ? new Set<string>() : activeFields(steps, options.wrt, options.outputs);
  const last = lastVersions(steps);
  const isLast = (v: Version): boolean => v.number === (last.get(`${v.cycle}.${v.field.key}`) ?? 0);

  const plans =
    options.derivative === 'adjoint' ? planAll(model, steps, active, options, roles, isLast) : null;
  const record = new Set(options.record);
  if (plans) keepFrames(plans.frame, model, roles, isLast, record, options);

  const layout = new Layout(model, roles, last, { ...options, record, scatters: device.scatters });
  const tables: Table[] = [];
  placeInputs(layout, model, roles);
  const forward = Object.fromEntries(
    cycles.map((c) => [
      c,
      forwardJobs(
        layout,
        steps[c],
        tables,
        options.derivative === 'tangent' && c !== 'search' ? (v) => active.has(v.field.key) : undefined,
      ),
    ]),
  ) as Record<Cycle, ForwardJobs<Version>>;
  const jobs: Record<ProgramName, Job[]> = {
    setup: [
      ...flat(steps.setup, forward.setup),
      ...initialStates(layout, steps.setup, active, options.derivative),
    ],
    search: flat(steps.search, forward.search),
    physics: flat(steps.physics, forward.physics),
    frame: flat(steps.frame, forward.frame),
    physicsReverse: [],
    frameReverse: [],
    final: [],
    setupReverse: [],
  };
  const persistentSlots: Place[] = [];
  if (plans) {
    const isRecorded = (field: Field): boolean => record.has(field.key);
    for (const cycle of ['setup', 'physics', 'frame'] as const) {
      const lost = lostVersions(plans[cycle], roles, isLast, isRecorded);
      const rerun = stepsToRerun(steps[cycle], lost, roles, isLast, isRecorded);
      const reverse = reverseJobs(layout, plans[cycle], rerun, forward[cycle], active, tables);
      jobs[`${cycle}Reverse` as ProgramName].push(...reverse.jobs);
      jobs.final.push(...reverse.final);
      persistentSlots.push(...reverse.persistentSlots);
    }
    jobs.setupReverse.push(...initialStatesReverse(layout, steps.setup, active));
  }
  // Domains without elements (a scene without springs, say) have nothing to run.
  for (const name of PROGRAMS) jobs[name] = jobs[name].filter(({ elements }) => elements > 0);
  if (options.derivative !== 'none') placeDerivatives(layout, options, active);

  const unit = Number.isFinite(model.searchInterval) ? model.searchInterval : 1;
  const history = historyOf(layout, options, plans !== null, unit);
  const slotBase = layout.reserveSlots(plans ? history.segment + 1 : 2);
  const checkpointBase = layout.reserveStates(history.checkpoints);
  // What the way back runs again is what ran forward: bound, and made into code, once.
  const bound = new Map<Job, BoundKernel>();
  const bind = (job: Job): BoundKernel => {
    if (!bound.has(job)) bound.set(job, bindJob(job, { device, dt: options.dt, registers: REGISTERS }));
    return bound.get(job)!;
  };
  const programs: Program[] = PROGRAMS.map((name) => ({ name, kernels: jobs[name].map(bind) }));
  layout.arena.close();
  const { f32Words, u32Words } = layout.arena;
  const executor = await device.createExecutor({
    f32Words: Math.max(f32Words, 4),
    u32Words: Math.max(u32Words, 4),
    registers: REGISTERS,
    programs,
  });
  for (const { place, values } of tables) if (values.length) executor.writeU32(place.offset, values);
  const labels = Object.fromEntries(
    PROGRAMS.map((name) => [name, jobs[name].map((j) => j.label)] as const),
  ) as Record<ProgramName, string[]>;
  return {
    model,
    layout,
    executor,
    roles,
    active,
    labels,
    jobs,
    slotBase,
    history,
    checkpointBase,
    persistentSlots,
    has: (program) => jobs[program].length > 0,
  };
}

const flat = (steps: readonly Step[], jobs: ForwardJobs<Version>): Job[] =>
  steps.flatMap((s) => jobs.get(s) ?? []);

function lastVersions(steps: Readonly<Record<Cycle, readonly Step[]>>): Map<string, number> {
  const last = new Map<string, number>();
  for (const cycle of Object.keys(steps) as Cycle[]) {
    for (const step of steps[cycle]) {
      for (const v of isPass(step) ? step.writes.values() : [step.version]) {
        const key = `${cycle}.${v.field.key}`;
        last.set(key, Math.max(last.get(key) ?? 0, v.number));
      }
    }
  }
  return last;
}

function checkRequests(
  model: Model,
  options: CompileOptions,
  roles: ReadonlyMap<string, Role>,
  steps: Readonly<Record<Cycle, readonly Step[]>>,
): void {
  const all = [...steps.setup, ...steps.physics, ...steps.frame].filter(isPass);
  for (const key of options.wrt) {
    const field = model.field(key);
    if (field.scalar !== 'f32')
      throw new Error(
        `The parameter ${key} is a field of ${field.scalar}; only f32 fields have derivatives.`,
      );
    if (field.shared && options.worlds > 1) {
      throw new Error(
        `The parameter ${key} is shared by all worlds, so it has no gradient of its own in each; use one world, or a field that is not shared.`,
      );
    }
    if (!all.some((p) => p.reads.has(key)) && roles.get(key) !== 'state') {
      throw new Error(
        `The parameter ${key} is read by no pass, so nothing can depend on it. Leave it out, or add the plugin that uses it.`,
      );
    }
    if (isOverwritten(key, steps.setup)) {
      throw new Error(
        `The parameter ${key} is made in setup, so nothing depends on the value that it is given; name what it is made from.`,
      );
    }
    if (roles.get(key) === 'scratch' || roles.get(key) === 'frame') {
      throw new Error(
        `The parameter ${key} is computed by the simulation in every step; a parameter must be an input.`,
      );
    }
  }
  for (const key of options.record) {
    model.field(key);
    if (roles.get(key) !== 'frame')
      throw new Error(
        `${key} cannot be recorded: it is no field that is made in every frame (phases pose, render, observe).`,
      );
  }
  for (const key of options.outputs) {
    model.field(key);
    const role = roles.get(key);
    if (role !== 'state' && !(role === 'frame' && options.record.includes(key))) {
      throw new Error(
        `${key} cannot be an output: outputs are states and recorded frame fields, and it is ${role === 'frame' ? 'not recorded' : `of role ${role}`}.`,
      );
    }
  }
}

/** Whether setup makes a field without a look at what it was given. */
function isOverwritten(key: string, setup: readonly Step[]): boolean {
  const isWritten = setup.some((s) => (isPass(s) ? s.writes.has(key) : s.version.field.key === key));
  return isWritten && !setup.some((s) => isPass(s) && s.reads.get(key)?.number === 0);
}

function planAll(
  model: Model,
  steps: Readonly<Record<Cycle, readonly Step[]>>,
  active: ReadonlySet<string>,
  options: CompileOptions,
  roles: ReadonlyMap<string, Role>,
  isLast: (v: Version) => boolean,
): Record<Cycle, ReversePlan> {
  const seededIn =
    (cycle: Cycle) =>
    (v: Version): boolean => {
      if (!active.has(v.field.key)) return false;
      const role = roles.get(v.field.key);
      if (cycle === 'frame') return role === 'frame' && isLast(v) && options.outputs.includes(v.field.key);
      if (cycle === 'physics') return role === 'state' && isLast(v);
      return (role === 'state' || role === 'derived') && isLast(v);
    };
  return Object.fromEntries(
    (Object.keys(steps) as Cycle[]).map((c) => [
      c,
      planReverse(model, c, steps[c], active, roles, seededIn(c)),
    ]),
  ) as Record<Cycle, ReversePlan>;
}

/** Keeps every frame of what the backward run needs of it, where half of the memory allows, instead of rendering again. */
function keepFrames(
  plan: ReversePlan,
  model: Model,
  roles: ReadonlyMap<string, Role>,
  isLast: (v: Version) => boolean,
  record: Set<string>,
  options: CompileOptions,
): void {
  const lost = lostVersions(plan, roles, isLast, (field) => record.has(field.key)).filter(isLast);
  const words = lost.reduce(
    (sum, { field }) => sum + model.domain(field.domain).size * field.components * options.worlds,
    0,
  );
  if (words * 4 * options.frames <= options.memory / 2) for (const { field } of lost) record.add(field.key);
}

/** Places for the derivatives that the host writes or reads, whether a kernel does so or not. */
function placeDerivatives(layout: Layout, options: CompileOptions, active: ReadonlySet<string>): void {
  const { model, roles } = layout;
  const of = (keys: readonly string[]): Field[] =>
    keys.filter((key) => active.has(key)).map((key) => model.field(key));
  const withTangents = options.derivative === 'tangent';
  if (!withTangents && layout.stateWords.f32 > 0) layout.adjointSlots();
  for (const field of of(options.wrt)) {
    if (withTangents) layout.tangent(layout.input(field));
    else layout.inputAdjoint(field);
  }
  for (const field of of(options.outputs)) {
    if (roles.get(field.key) === 'state') continue;
    if (withTangents) layout.tangent(layout.recorded(field));
    else layout.recordedAdjoint(field);
  }
  for (const field of layout.fieldsOf('state').filter((f) => active.has(f.key))) {
    const start: Version = { field, cycle: 'physics', number: 0 };
    if (withTangents) layout.tangent(layout.primal(start));
    else layout.adjoint(start);
  }
}

/** Places for all that the host may write, used or not. */
function placeInputs(layout: Layout, model: Model, roles: ReadonlyMap<string, Role>): void {
  for (const field of model.fields.values()) {
    const role = roles.get(field.key);
    if (role === 'input' || role === 'state' || role === 'alarm' || (role === 'derived' && field.values))
      layout.input(field);
  }
}

/** States that setup leaves alone start from what the host wrote. */
function initialStates(
  layout: Layout,
  setup: readonly Step[],
  active: ReadonlySet<string>,
  derivative: CompileOptions['derivative'],
): Job[] {
  return untouchedStates(layout, setup).flatMap((field) => {
    const target: Version = { field, cycle: 'physics', number: 0 };
    const to = stateOut(layout, target);
    const copy = copyJob(layout, field, layout.input(field), to, `start_${field.name}`, false);
    if (derivative !== 'tangent' || !active.has(field.key)) return [copy];
    return [
      copy,
      copyJob(
        layout,
        field,
        layout.tangent(layout.input(field)),
        layout.tangent(to),
        `start_${field.name}'`,
        false,
      ),
    ];
  });
}

/** The place of a state as setup leaves it. */
const stateOut = (layout: Layout, version: Version): Place => layout.primal({ ...version, cycle: 'frame' });

function initialStatesReverse(layout: Layout, setup: readonly Step[], active: ReadonlySet<string>): Job[] {
  return untouchedStates(layout, setup)
    .filter((field) => active.has(field.key))
    .map((field) =>
      copyJob(
        layout,
        field,
        layout.adjoint({ field, cycle: 'frame', number: 0 }),
        layout.inputAdjoint(field),
        `start_${field.name}_bar`,
        true,
      ),
    );
}

function untouchedStates(layout: Layout, setup: readonly Step[]): Field[] {
  const touched = new Set(setup.flatMap((s) => (isPass(s) ? [...s.writes.keys()] : [s.version.field.key])));
  return layout.fieldsOf('state').filter((f) => !touched.has(f.key));
}

function copyJob(
  layout: Layout,
  field: Field,
  from: Place,
  to: Place,
  label: string,
  accumulate: boolean,
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

/**
 * What is kept of a run. A gradient has half of the memory for it; without one, two states take turns. Segments are
 * multiples of `unit` substeps, so that the state of a search is at hand together with the substeps that work with what
 * it found.
 */
function historyOf(
  layout: Layout,
  { substepsInAll: steps, memory, derivative }: CompileOptions,
  withAdjoint: boolean,
  unit: number,
): History {
  const bytes = layout.stateBytes;
  if (derivative === 'tangent' || !withAdjoint || bytes === 0)
    return { segment: Math.max(1, steps), checkpoints: 0 };
  const history = planHistory(steps, Math.floor(memory / 2 / bytes), unit);
  if (history) return history;
  const needed = unit + 2;
  throw new Error(
    `A gradient through ${steps} substeps needs at least ${needed} states of ${bytes} bytes, ${((needed * bytes * 2) / 1e6).toPrecision(2)} MB; ` +
      `the memory budget is ${(memory / 1e6).toPrecision(2)} MB. Raise \`memory\`.`,
  );
}
