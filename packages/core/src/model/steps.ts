import type { Kernel } from '@gradsim/kernel';
import type { KernelStep, KernelSum, Port } from '@gradsim/kernel/compiler';
import { fieldKey } from '@gradsim/kernel/compiler';
import type { Cycle, Field, Model, Pass, Phase } from './model.ts';
import { cycleOf } from './model.ts';

/** A field's value between two writes within a cycle. 0 is what the cycle finds when it starts. */
export interface Version {
  readonly field: Field;
  readonly cycle: Cycle;
  readonly number: number;
}
export const versionKey = (v: Version): string => `${v.field.key}@${v.cycle}${v.number}`;

export interface PassStep extends KernelStep<Version> {
  readonly phase: Phase;
}
/** The sum of what passes of a phase added to a field. */
export interface SumStep extends KernelSum<Version> {
  readonly from: readonly PassStep[];
}
export type Step = PassStep | SumStep;

/** Lists the steps of a cycle: passes in order, each sum after the last pass of the phase that adds to it. */
export function stepsOf(model: Model, cycle: Cycle): Step[] {
  const current = new Map<string, number>();
  const version = (field: Field): Version => ({ field, cycle, number: current.get(field.key) ?? 0 });
  const next = (field: Field): Version => {
    current.set(field.key, (current.get(field.key) ?? 0) + 1);
    return version(field);
  };
  const passes = model.passesOf(cycle);
  const steps: Step[] = [];
  const sums = new Map<string, { version: Version; from: PassStep[]; phase: Phase }>();
  passes.forEach((pass, position) => {
    const { kernel, rename, phase } = pass;
    const keyOf = (port: Port): string => fieldKey(port, kernel.form.domain, rename);
    const reads = new Map<string, Version>();
    for (const port of kernel.form.ports.filter((p) => p.access === 'read')) {
      const key = keyOf(port);
      checkRead(model, pass, port, key);
      if (sums.has(key) && !steps.some((s) => s.kind === 'sum' && s.version.field.key === key)) {
        throw new Error(
          `kernel ${kernel.name} reads ${key} in phase ${phase} before all passes of that phase have added to it; give it a later phase.`,
        );
      }
      reads.set(key, version(model.field(key)));
    }
    const writes = new Map<string, Version>();
    for (const port of kernel.form.ports.filter((p) => p.access === 'write')) {
      const field = writtenField(model, pass, port, keyOf(port));
      if (writes.has(field.key)) {
        throw new Error(
          `kernel ${kernel.name} (phase ${phase}) writes ${field.key} twice, under two of its names; one would be lost.`,
        );
      }
      if (kernel.form.ports.some((p) => p.access === 'read' && p.domain !== '' && keyOf(p) === field.key)) {
        throw new Error(
          `kernel ${kernel.name} writes ${field.key} and reads it at other elements, which may be written already. Write to another field.`,
        );
      }
      if (passes.some((other) => addsTo(other, field.key))) {
        throw new Error(
          `${field.key} is written by kernel ${kernel.name} (phase ${phase}) and added to by another; additions start from zero, so one would be lost. Use two fields.`,
        );
      }
      writes.set(field.key, next(field));
    }
    const step: PassStep = { kind: 'pass', phase, kernel, rename, reads, writes };
    steps.push(step);
    for (const key of new Set(kernel.form.ports.filter((p) => p.access === 'add').map(keyOf))) {
      const port = kernel.form.ports.find((p) => p.access === 'add' && keyOf(p) === key)!;
      const field = writtenField(model, pass, port, key);
      const sum = sums.get(key) ?? { version: next(field), from: [], phase };
      if (sum.phase !== phase) {
        throw new Error(
          `${key} is added to in phase ${sum.phase} and again in ${phase} (kernel ${kernel.name}); all additions to a field belong to one phase.`,
        );
      }
      sum.from.push(step);
      sums.set(key, sum);
      writes.set(key, sum.version);
      const more = passes.slice(position + 1).some((later) => later.phase === phase && addsTo(later, key));
      if (!more) steps.push({ kind: 'sum', version: sum.version, from: sum.from });
    }
  });
  return steps;
}

function addsTo({ kernel, rename }: Pass, key: string): boolean {
  return kernel.form.ports.some((p) => p.access === 'add' && fieldKey(p, kernel.form.domain, rename) === key);
}

function checkRead(model: Model, { kernel, phase }: Pass, port: Port, key: string): void {
  const field = model.fields.get(key);
  const cycle = cycleOf(phase);
  if (field?.over && (cycle === 'setup' || (cycle === 'frame' && field.over === 'substep'))) {
    throw new Error(
      `kernel ${kernel.name} (phase ${phase}) reads ${key}, which has a value for every ${field.over}: ` +
        (cycle === 'setup' ? 'setup runs before all of them.' : 'no substep begins at the last frame.'),
    );
  }
  if (!field) {
    const writtenSomewhere = model.passes.some((p) =>
      [...p.kernel.form.ports].some(
        (q) => q.access !== 'read' && fieldKey(q, p.kernel.form.domain, p.rename) === key,
      ),
    );
    if (!writtenSomewhere) {
      throw new Error(
        `kernel ${kernel.name} (phase ${phase}) reads ${key}, which no plugin adds and no pass writes.`,
      );
    }
    throw new Error(`kernel ${kernel.name} (phase ${phase}) reads ${key} before any pass has written it.`);
  }
  if (field.components !== port.components || field.scalar !== port.scalar) {
    throw new Error(
      `kernel ${kernel.name} reads ${key} as ${port.components} x ${port.scalar}, but it is ${field.components} x ${field.scalar}.`,
    );
  }
  if (port.target !== undefined && field.target !== port.target) {
    throw new Error(
      `kernel ${kernel.name} takes ${key} as indices of ${port.target}, but they are of ${field.target ?? 'nothing'}.`,
    );
  }
}

/** The field that a pass writes. One that no plugin declared comes into being here. */
function writtenField(model: Model, { kernel, phase }: Pass, port: Port, key: string): Field {
  const known = model.fields.get(key);
  const components = port.isSeveral ? 1 : port.components;
  if (port.isSeveral) checkSeveral(model, kernel, port, key);
  if (known) {
    if (known.components !== components || known.scalar !== port.scalar) {
      throw new Error(
        `kernel ${kernel.name} writes ${key} as ${components} x ${port.scalar}, but it is ${known.components} x ${known.scalar}.`,
      );
    }
    if (known.over) throw new Error(`kernel ${kernel.name} writes ${key}, which is an input over time.`);
    if (known.shared)
      throw new Error(`kernel ${kernel.name} (phase ${phase}) writes ${key}, which all worlds share.`);
    return known;
  }
  const [domain, ...name] = key.split('.');
  model.domain(domain);
  const field: Field = {
    key,
    domain,
    name: name.join('.'),
    scalar: port.scalar,
    components,
    shared: false,
    isMade: true,
  };
  model.fields.set(key, field);
  return field;
}

function checkSeveral(model: Model, kernel: Kernel, port: Port, key: string): void {
  const [own, other] = [model.domain(kernel.form.domain).size, model.domain(port.domain).size];
  if (own * port.components === other) return;
  throw new Error(
    `kernel ${kernel.name} writes ${port.components} elements of ${key} for each of the ${own} of ${kernel.form.domain}, but ${port.domain} has ${other}.`,
  );
}

/** What becomes of a field over a run. */
export type Role =
  /** Never written: a parameter or a constant. */
  | 'input'
  /** Made once, in setup. */
  | 'derived'
  /** Carried from substep to substep. */
  | 'state'
  /** Made in phase search, and there until the next one. */
  | 'found'
  /** Raised by kernels and kept to the end of the run; see `Model.addAlarm`. */
  | 'alarm'
  /** Made anew in every substep, or every frame. */
  | 'scratch'
  | 'frame';

export function rolesOf(model: Model, steps: Readonly<Record<Cycle, readonly Step[]>>): Map<string, Role> {
  const roles = new Map<string, Role>();
  const writtenIn = (cycle: Cycle, key: string): boolean =>
    steps[cycle].some((s) => (s.kind === 'pass' ? s.writes.has(key) : s.version.field.key === key));
  const readAtStart = (cycle: Cycle, key: string): boolean =>
    steps[cycle].some((s) => s.kind === 'pass' && s.reads.get(key)?.number === 0);
  for (const field of model.fields.values()) {
    const { key } = field;
    const [setup, search, physics, frame] = (['setup', 'search', 'physics', 'frame'] as const).map((c) =>
      writtenIn(c, key),
    );
    if (field.alarm) {
      if (setup || frame)
        throw new Error(`The alarm ${key} is raised in setup or at the frame rate; it cannot be.`);
      roles.set(key, 'alarm');
      continue;
    }
    if (search) {
      checkFound(key, steps, { setup, physics, frame, readAtStart: readAtStart('search', key) });
      roles.set(key, 'found');
      continue;
    }
    if (physics && frame)
      throw new Error(`${key} is written at the physics rate and at the frame rate; use two fields.`);
    if (frame && (setup || steps.physics.some((s) => s.kind === 'pass' && s.reads.has(key)))) {
      throw new Error(
        `${key} is written at the frame rate, but read or written in setup or at the physics rate.`,
      );
    }
    if (frame && readAtStart('frame', key)) {
      throw new Error(
        `${key} is read at the frame rate before any pass has written it; frame fields are made anew in every frame.`,
      );
    }
    if (frame) roles.set(key, 'frame');
    else if (physics) {
      const kept =
        field.values !== undefined ||
        setup ||
        (['search', 'physics', 'frame'] as const).some((cycle) => readAtStart(cycle, key));
      if (kept && field.isMade && !setup) {
        throw new Error(
          `${key} is made by the substeps but read before the first one (at frame 0, or in phase search), where nothing has written it. Give it a value to start from: add the field with \`fill\`, or write it in setup.`,
        );
      }
      roles.set(key, kept ? 'state' : 'scratch');
    } else roles.set(key, setup ? 'derived' : 'input');
  }
  return roles;
}

function checkFound(
  key: string,
  steps: Readonly<Record<Cycle, readonly Step[]>>,
  is: { setup: boolean; physics: boolean; frame: boolean; readAtStart: boolean },
): void {
  if (is.setup || is.physics || is.frame)
    throw new Error(`${key} is written in phase search and in another; use two fields.`);
  if (is.readAtStart)
    throw new Error(
      `${key} is read in phase search before any pass has written it; every search starts anew from the state.`,
    );
  for (const cycle of ['setup', 'frame'] as const) {
    if (steps[cycle].some((s) => isPass(s) && s.reads.has(key)))
      throw new Error(`${key} is made in phase search, so only passes at the physics rate can read it.`);
  }
}

/** Whether a version is what a cycle finds of a field that each cycle makes anew: nothing has written it. */
export const isUnwritten = ({ field, cycle, number }: Version, roles: ReadonlyMap<string, Role>): boolean => {
  const role = roles.get(field.key);
  return number === 0 && (role === 'scratch' || role === 'frame' || (role === 'found' && cycle === 'search'));
};

export const isPass = (step: Step): step is PassStep => step.kind === 'pass';
