import type {
  ForwardJobs,
  Job,
  KernelForm,
  Place,
  Port,
  SiteOf,
  SitePlaces,
  Table,
} from '@gradsim/kernel/compiler';
import {
  additionsOf,
  adjoint,
  everyStatement,
  fieldKey,
  geometry,
  Sum,
  siteOf,
  sitesOf,
  zeroForm,
} from '@gradsim/kernel/compiler';
import type { Layout } from './layout.ts';
import type { Cycle, Field, Model } from './model.ts';
import type { PassStep, Role, Step, Version } from './steps.ts';
import { isPass, isUnwritten, versionKey } from './steps.ts';

/** The adjoint of one pass: a kernel and what its ports stand for. */
interface ReversePass {
  readonly step: PassStep;
  readonly form: KernelForm;
  readonly primal: ReadonlyMap<Port, Version>;
  readonly adjoint: ReadonlyMap<Port, Version>;
}

export interface ReversePlan {
  readonly cycle: Cycle;
  /** In the order in which they run. */
  readonly passes: readonly ReversePass[];
}

/**
 * Which adjoint kernels run to take a cycle back, given the versions whose adjoints are there when it starts.
 * Independent of any layout.
 */
export function planReverse(
  model: Model,
  cycle: Cycle,
  steps: readonly Step[],
  active: ReadonlySet<string>,
  roles: ReadonlyMap<string, Role>,
  seeded: (version: Version) => boolean,
): ReversePlan {
  const present = new Set<string>();
  const isPresent = (v: Version): boolean => present.has(versionKey(v)) || seeded(v);
  const passes: ReversePass[] = [];
  for (const [position, step] of [...steps.entries()].reverse()) {
    if (!isPass(step)) continue;
    const { kernel, rename } = step;
    const domain = kernel.form.domain;
    const name = (port: Port): string => fieldKey(port, domain, rename);
    const seeds = new Set(
      kernel.form.ports
        .filter((p) => p.access !== 'read' && active.has(name(p)) && isPresent(step.writes.get(name(p))!))
        .map((p) => p.name),
    );
    if (seeds.size === 0) continue;
    const wrt = new Set(
      kernel.form.ports
        .filter((p) => p.access === 'read' && p.scalar === 'f32' && active.has(name(p)))
        .map((p) => p.name),
    );
    if (wrt.size === 0) continue;
    const forms = kernel.adjoint
      ? kernel.adjoint().map((k) => k.form)
      : [adjoint(kernel.form, { wrt, seeds })];
    for (const form of forms) {
      const found = (field: Field): Version => versionBefore(steps, position, { field, cycle, number: 0 });
      const reverse = resolvePorts(model, step, form, { active, isPresent, found, roles });
      for (const [port, version] of reverse.adjoint)
        if (port.access === 'add') present.add(versionKey(version));
      passes.push(reverse);
    }
  }
  return { cycle, passes };
}

/** What ports of an adjoint kernel can stand for. */
interface Surroundings {
  readonly active: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, Role>;
  readonly isPresent: (v: Version) => boolean;
  /** The version of a field that the pass finds when it runs. */
  readonly found: (field: Field) => Version;
}

function resolvePorts(
  model: Model,
  step: PassStep,
  whole: KernelForm,
  { active, roles, isPresent, found }: Surroundings,
): ReversePass {
  const key = (port: Port): string => fieldKey(port, whole.domain, step.rename);
  if (step.kernel.adjoint) checkWritten(model, step, whole, key);
  // A hand-written adjoint may give adjoints that nobody asked for.
  const form: KernelForm = {
    ...whole,
    outputs: whole.outputs.filter((o) => active.has(key(o.port)) && step.reads.has(key(o.port))),
  };
  const primal = new Map<Port, Version>();
  const adjoints = new Map<Port, Version>();
  for (const port of usedPorts(form)) {
    if (port.shade === 'primal') {
      // A hand-written adjoint may read what its kernel does not: what earlier passes keep for it, say.
      const version =
        step.reads.get(key(port)) ?? step.writes.get(key(port)) ?? found(model.field(key(port)));
      if (isUnwritten(version, roles)) {
        throw new Error(
          `the adjoint of kernel ${step.kernel.name} (phase ${step.phase}) reads ${key(port)}, which no pass before that kernel writes. Have an earlier pass write it.`,
        );
      }
      primal.set(port, version);
    } else {
      const version = step.writes.get(key(port));
      if (!version || !active.has(key(port)) || !isPresent(version)) {
        throw new Error(
          `the adjoint of kernel ${step.kernel.name} reads the adjoint of ${key(port)}, which has none here; only fields that the kernel writes and that an output depends on have one.`,
        );
      }
      adjoints.set(port, version);
    }
  }
  for (const { port } of form.outputs) adjoints.set(port, step.reads.get(key(port))!);
  return { step, form, primal, adjoint: adjoints };
}

/** Refuses an adjoint written by hand whose ports fit nothing that its kernel reads, or gives, or finds. */
function checkWritten(model: Model, step: PassStep, form: KernelForm, key: (port: Port) => string): void {
  const { kernel } = step;
  const refuse = (what: string): never => {
    throw new Error(`the adjoint ${form.name} of kernel ${kernel.name} (phase ${step.phase}) ${what}`);
  };
  const names = (fields: ReadonlyMap<string, unknown>): string => [...fields.keys()].join(', ') || 'none';
  for (const port of form.ports) {
    const at = key(port);
    const isAdjoint = port.shade === 'adjoint';
    if (port.access === 'read' && isAdjoint && !step.writes.has(at))
      refuse(`reads the adjoint of ${at}, which that kernel does not give; it gives ${names(step.writes)}.`);
    if (port.access !== 'read' && !isAdjoint)
      refuse(`gives ${at} itself; adjoints only add to adjoints, declared with adjointOf.`);
    if (port.access !== 'read' && !step.reads.has(at))
      refuse(`adds to the adjoint of ${at}, which that kernel does not read; it reads ${names(step.reads)}.`);
    const field = model.fields.get(at);
    if (!field) refuse(`reads ${at}, which no plugin adds and no pass writes.`);
    else if (field.components !== port.components || field.scalar !== port.scalar)
      refuse(
        `takes ${at} as ${port.components} x ${port.scalar}, but it is ${field.components} x ${field.scalar}.`,
      );
  }
}

/** The version of a field that the step at `position` finds: the last one made before it, or that of the cycle's start. */
function versionBefore(steps: readonly Step[], position: number, start: Version): Version {
  const made = steps
    .slice(0, position)
    .flatMap((step) => (isPass(step) ? [...step.writes.values()] : [step.version]))
    .filter((v) => v.field.key === start.field.key);
  return made.reduce((last, v) => (v.number > last.number ? v : last), start);
}

/** The ports that live loads of a form read. */
function usedPorts(form: KernelForm): Set<Port> {
  const ports = new Set<Port>();
  for (const node of everyStatement(form.root)) if (node.op === 'load') ports.add(node.port);
  return ports;
}

/** Versions that are overwritten before the backward run comes to them, and have to be made again. */
export function lostVersions(
  plan: ReversePlan,
  roles: ReadonlyMap<string, Role>,
  isLast: (v: Version) => boolean,
  recorded: (field: Field) => boolean,
): Version[] {
  if (plan.cycle === 'setup') return [];
  const lost = plan.passes
    .flatMap((p) => [...p.primal.values()])
    .filter((v) => isLost(v, roles, isLast, recorded));
  return [...new Map(lost.map((v) => [versionKey(v), v])).values()];
}

function isLost(
  v: Version,
  roles: ReadonlyMap<string, Role>,
  isLast: (v: Version) => boolean,
  recorded: (field: Field) => boolean,
): boolean {
  switch (roles.get(v.field.key)) {
    case 'scratch':
      return true;
    case 'state':
      return v.cycle === 'physics' && v.number > 0 && !isLast(v);
    case 'frame':
      return !(recorded(v.field) && isLast(v));
    default:
      return false;
  }
}

/** The steps, in running order, that make the given versions again. */
export function stepsToRerun(
  steps: readonly Step[],
  lost: readonly Version[],
  roles: ReadonlyMap<string, Role>,
  isLast: (v: Version) => boolean,
  recorded: (field: Field) => boolean,
): Step[] {
  const needed = new Set(lost.map(versionKey));
  const rerun = new Set<Step>();
  for (const step of [...steps].reverse()) {
    if (!isPass(step)) {
      if (!needed.has(versionKey(step.version))) continue;
      rerun.add(step);
      continue;
    }
    const sums = [...rerun].some((s) => !isPass(s) && s.from.includes(step));
    if (!sums && ![...step.writes.values()].some((v) => needed.has(versionKey(v)))) continue;
    rerun.add(step);
    for (const v of step.reads.values()) if (isLost(v, roles, isLast, recorded)) needed.add(versionKey(v));
  }
  return steps.filter((s) => rerun.has(s));
}

export interface ReverseJobs {
  readonly jobs: readonly Job[];
  /** Jobs that sum, once at the end, what was added to parameters in every substep and frame. */
  readonly final: readonly Job[];
  /** Slots that these sum, zeroed at the start. */
  readonly persistentSlots: readonly Place[];
}

/** Turns a plan into jobs. */
export function reverseJobs(
  layout: Layout,
  plan: ReversePlan,
  rerun: readonly Step[],
  forward: ForwardJobs<Version>,
  active: ReadonlySet<string>,
  tables: Table[],
): ReverseJobs {
  const jobs: Job[] = rerun.flatMap((step) => forward.get(step) ?? []);
  const final: Job[] = [];
  const persistentSlots: Place[] = [];
  const { cycle } = plan;
  /**
   * Whether the place of an adjoint holds a value when the cycle begins: what other substeps, frames or outputs gave.
   * What lies in all other places is left from before; the first addition replaces it.
   */
  const addsUp = (v: Version): boolean => {
    if (v.number > 0 && !layout.isLast(v)) return false;
    switch (layout.roles.get(v.field.key)) {
      case 'input':
      case 'derived':
        return true;
      case 'state':
        // Adjoints of the state that a substep finds are made here; of the one that it leaves, there from what follows.
        return cycle !== 'physics' || v.number > 0;
      case 'frame':
        return layout.adjoint(v).register === 'frame';
      default:
        return false;
    }
  };
  const isSet = new Set<string>();
  const pending = new Map<
    string,
    { version: Version; sites: { of: SiteOf; put: (places: SitePlaces) => void }[] }
  >();

  const flush = (key: string): void => {
    const waiting = pending.get(key);
    if (!waiting) return;
    pending.delete(key);
    const { version } = waiting;
    const label = `${version.field.key}_bar`;
    const sum = new Sum(
      layout,
      version.field,
      waiting.sites.map((s) => s.of),
    );
    waiting.sites.forEach((s, k) => s.put(sum.sitePlaces(k)));
    jobs.push(...sum.jobs(layout.adjoint(version), addsUp(version) || isSet.has(key), tables, label));
    isSet.add(key);
  };

  for (const { step, form, primal, adjoint: adjoints } of plan.passes) {
    const from = { name: form.name, domain: form.domain, indices: layout.indicesOf(form, step.rename) };
    const sites = sitesOf(form).map((site) => siteOf(layout, adjoints.get(site.port)!.field, site, from));
    const separated = additionsOf(layout, form, sites);
    const places = new Map<Port, Place>();
    for (const [port, version] of primal) places.set(port, layout.primal(version));
    for (const [port, version] of adjoints) {
      if (port.access !== 'read') continue;
      flush(versionKey(version));
      places.set(port, layout.adjoint(version));
    }
    const accumulates = new Set<Port>();
    // A kernel loads before it stores, so it can add to an element's own place only once.
    const ownElements = new Set<string>();
    for (const { of, port, empty, put } of separated.additions) {
      const { site } = of;
      const version = adjoints.get(site.port)!;
      const key = versionKey(version);
      if (empty) jobs.push(empty);
      if (site.index === null && !ownElements.has(key)) {
        ownElements.add(key);
        places.set(port, layout.adjoint(version));
        if (addsUp(version) || isSet.has(key)) accumulates.add(port);
        isSet.add(key);
      } else if (
        addsUp(version) &&
        of.targets !== null &&
        !version.field.over &&
        cycle !== 'setup' &&
        layout.roles.get(version.field.key) !== 'state' &&
        layout.roles.get(version.field.key) !== 'frame'
      ) {
        const sum = new Sum(layout, version.field, [of], true);
        put(places, sum.sitePlaces(0));
        accumulates.add(port);
        persistentSlots.push(sum.slots);
        final.push(...sum.jobs(layout.adjoint(version), true, tables, `${version.field.key}_bar`));
      } else {
        const waiting = pending.get(key) ?? { version, sites: [] };
        waiting.sites.push({ of, put: (at) => put(places, at) });
        pending.set(key, waiting);
      }
    }
    jobs.push({
      label: form.name,
      form: separated.form,
      places,
      accumulates,
      ...geometry(layout, form.domain),
    });
  }
  for (const key of [...pending.keys()]) flush(key);
  if (cycle === 'physics') {
    for (const field of layout.fieldsOf('state')) {
      if (!active.has(field.key)) continue;
      const version: Version = { field, cycle, number: 0 };
      if (isSet.has(versionKey(version))) continue;
      const zero = zeroForm(`zero_${field.name}`, field.components);
      jobs.push({
        label: zero.form.name,
        form: zero.form,
        places: new Map([[zero.target, layout.adjoint(version)]]),
        accumulates: new Set(),
        ...geometry(layout, field.domain),
      });
    }
  }
  return { jobs, final, persistentSlots };
}
