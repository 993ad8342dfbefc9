import { GradsimError } from '@gradsim/base';
import type { KernelForm, Port } from '@gradsim/kernel/internal';
import { portsRead } from '@gradsim/kernel/internal';
import type { AdjointKernel } from '@gradsim/kernel/internal/derivatives';
import { adjoint, checkWrittenAdjoint } from '@gradsim/kernel/internal/derivatives';
import type { Field } from '../../model/field.ts';
import type { Cycle } from '../../model/phases.ts';
import { keyOf } from '../../model/uses.ts';
import type { Fields } from '../steps/fields.ts';
import type { Role } from '../steps/roles.ts';
import { isUnwritten } from '../steps/roles.ts';
import type { BlockStep, CarriedField, LoopStep, PassStep, Step } from '../steps/step.ts';
import { madeBy } from '../steps/step.ts';
import type { Loop, Version } from '../steps/versions.ts';
import { endOfRound, versionKey } from '../steps/versions.ts';

/** Step of a backward pass: the adjoint of one pass. */
export interface ReversePass extends AdjointKernel<Version> {
  readonly kind: 'pass';
  readonly step: PassStep;
}
/** Step of a backward pass: a loop in reverse, and those of its carried fields that have adjoints. */
export interface ReverseLoop {
  readonly kind: 'loop';
  readonly step: LoopStep;
  readonly carried: readonly CarriedField[];
  readonly items: readonly ReverseItem[];
}
/** Step of a backward pass: the derivative that a block defines, with the adjoints that its passes write. */
export interface ReverseBlock {
  readonly kind: 'block';
  readonly step: BlockStep;
  readonly passes: ReadonlyMap<Step, ReversePass>;
}
export type ReverseItem = ReversePass | ReverseLoop | ReverseBlock;

export interface ReversePlan {
  readonly cycle: Cycle;
  /** Steps of the backward pass in running order. */
  readonly items: readonly ReverseItem[];
}

/** Input of {@link planReverse}. */
export interface ReverseOptions {
  readonly fields: Fields;
  readonly active: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, Role>;
  /** Returns whether the adjoint of a version is given when the backward pass begins. */
  readonly seeded: (version: Version) => boolean;
}

/** A position in a list of steps, and that of the list in the enclosing one. */
interface StepPosition {
  readonly steps: readonly Step[];
  readonly position: number;
  readonly cycle: Cycle;
  readonly loop: Loop | null;
  readonly outer: StepPosition | null;
}

/**
 * Plans the adjoint kernels of the backward pass of a cycle, from the versions whose adjoints are given at its start.
 * The plan does not depend on a memory layout.
 */
export function planReverse(cycle: Cycle, steps: readonly Step[], options: ReverseOptions): ReversePlan {
  const present = new Set<string>();
  const isPresent = (v: Version): boolean => present.has(versionKey(v)) || options.seeded(v);
  const { active } = options;
  const walk = (list: readonly Step[], loop: Loop | null, outer: StepPosition | null): ReverseItem[] => {
    const items: ReverseItem[] = [];
    for (const [position, step] of [...list.entries()].reverse()) {
      const known = items.length;
      const within: StepPosition = { steps: list, position, cycle, loop, outer };
      if (step.kind === 'pass') items.push(...reversePasses(step, within, options, isPresent));
      else if (step.kind === 'loop') {
        const carried = step.carried.filter(({ field }) => active.has(field.key));
        if (!carried.some(({ after }) => isPresent(after))) continue;
        for (const { exit } of carried) present.add(versionKey(exit));
        items.push({ kind: 'loop', step, carried, items: walk(step.body, step.loop, within) });
        for (const { versionBefore } of carried) if (versionBefore) present.add(versionKey(versionBefore));
      } else if (step.kind === 'block') {
        const item = reverseBlock(step, options, isPresent);
        if (item) items.push(item);
      }
      for (const item of items.slice(known))
        if (item.kind !== 'loop')
          for (const pass of item.kind === 'pass' ? [item] : item.passes.values())
            for (const [port, version] of pass.adjoint) if (port.access === 'add') present.add(versionKey(version));
    }
    return items;
  };
  return { cycle, items: walk(steps, null, null) };
}

function reversePasses(
  step: PassStep,
  within: StepPosition,
  options: ReverseOptions,
  isPresent: (v: Version) => boolean,
): ReversePass[] {
  const { active } = options;
  const key = keyOf(step.kernel.form, step.rename);
  const isActive = (version: Version | undefined): version is Version =>
    version !== undefined && active.has(version.field.key);
  const { ports } = step.kernel.form;
  const seeds = ports.filter((p) => {
    const version = p.access === 'read' ? undefined : step.writes.get(key(p));
    return isActive(version) && isPresent(version);
  });
  const wrt = ports.filter((p) => p.access === 'read' && p.scalar === 'f32' && isActive(step.reads.get(key(p))));
  if (seeds.length === 0 || wrt.length === 0) return [];
  const names = (list: readonly Port[]): Set<string> => new Set(list.map((p) => p.name));
  const forms = step.kernel.adjoint
    ? step.kernel.adjoint().map((k) => k.form)
    : [adjoint(step.kernel.form, { wrt: names(wrt), seeds: names(seeds) })];
  return forms.map((form) => resolvePorts(step, form, within, options, isPresent));
}

function resolvePorts(
  step: PassStep,
  whole: KernelForm,
  within: StepPosition,
  { fields, active, roles }: ReverseOptions,
  isPresent: (v: Version) => boolean,
): ReversePass {
  const key = keyOf(whole, step.rename);
  const kernel = `kernel ${step.kernel.name} (phase ${step.phase})`;
  const find = (at: string): Field => {
    const field = fields.find(at);
    if (!field)
      throw new GradsimError(
        'core/read-before-write',
        `the adjoint ${whole.name} of ${kernel} reads ${at}, which no plugin adds and no pass writes.`,
      );
    return field;
  };
  if (step.kernel.adjoint) checkWrittenAdjoint(kernel, whole, key, step, find);
  const read = (port: Port): Version | undefined => step.reads.get(key(port));
  // A hand-written adjoint may write adjoints that were not requested.
  const outputs = whole.outputs.filter((o) => active.has(read(o.port)?.field.key ?? ''));
  const form = outputs.length === whole.outputs.length ? whole : { ...whole, outputs };
  const primal = new Map<Port, Version>();
  const adjoints = new Map<Port, Version>();
  for (const port of portsRead(form)) {
    if (port.kind === 'primal') {
      // A hand-written adjoint may read fields that its kernel does not: values that earlier passes keep for it, say.
      const version = read(port) ?? step.writes.get(key(port)) ?? versionBefore(within, fields.field(key(port)));
      if (isUnwritten(version, roles)) {
        throw new GradsimError(
          'core/read-before-write',
          `the adjoint of kernel ${step.kernel.name} (phase ${step.phase}) reads ${key(port)}, which no pass before that kernel writes.`,
          { hint: 'Have an earlier pass write it.' },
        );
      }
      primal.set(port, version);
    } else {
      const version = step.writes.get(key(port));
      if (!version || !active.has(version.field.key) || !isPresent(version)) {
        throw new GradsimError(
          'core/no-adjoint',
          `the adjoint of kernel ${step.kernel.name} reads the adjoint of ${key(port)}, which has none here.`,
          { hint: 'Only fields that the kernel writes and that an output depends on have one.' },
        );
      }
      adjoints.set(port, version);
    }
  }
  for (const { port } of form.outputs) adjoints.set(port, read(port)!);
  return { kind: 'pass', step, form, rename: step.rename, primal, adjoint: adjoints };
}

function reverseBlock(
  step: BlockStep,
  { active }: ReverseOptions,
  isPresent: (v: Version) => boolean,
): ReverseBlock | null {
  const wanted = [...step.writes.values()].find((v) => active.has(v.field.key) && isPresent(v));
  if (!wanted) return null;
  if (step.vjp.length === 0)
    throw new GradsimError(
      'core/no-adjoint-rule',
      `${step.name} makes ${wanted.field.key}, through which a gradient is wanted, and has no derivative for the way back.`,
      { field: wanted.field.key, hint: 'Give it `vjp`.' },
    );
  const passes = new Map<Step, ReversePass>();
  for (const pass of step.vjp) {
    if (pass.kind !== 'pass' || !pass.derivatives || pass.derivatives.gives.size === 0) continue;
    const key = keyOf(pass.kernel.form, pass.rename);
    const { reads, gives } = pass.derivatives;
    const outputs = pass.kernel.form.outputs.filter(({ port }) => active.has(gives.get(key(port))?.field.key ?? ''));
    const form: KernelForm = { ...pass.kernel.form, outputs };
    const primal = new Map<Port, Version>();
    const adjoints = new Map<Port, Version>();
    for (const port of portsRead(form)) {
      if (port.kind === 'primal') primal.set(port, pass.reads.get(key(port))!);
      else adjoints.set(port, reads.get(key(port))!);
    }
    for (const { port } of outputs) adjoints.set(port, gives.get(key(port))!);
    passes.set(pass, { kind: 'pass', step: pass, form, rename: pass.rename, primal, adjoint: adjoints });
  }
  return { kind: 'block', step, passes };
}

/**
 * Returns the version of a field that a step reads: the last one written before it, or the one at the start of its
 * round or cycle.
 */
function versionBefore({ steps, position, cycle, loop, outer }: StepPosition, field: Field): Version {
  const made = steps
    .slice(0, position)
    .flatMap(madeBy)
    .filter((v) => v.field.key === field.key);
  if (made.length > 0) return made.reduce((last, v) => (v.number > last.number ? v : last));
  if (loop && outer && !loop.carried.has(field)) return versionBefore(outer, field);
  return { field, cycle, loop, number: 0 };
}

/** Tells which versions are still stored when the backward pass reaches a cycle. */
export interface StoredVersions {
  readonly roles: ReadonlyMap<string, Role>;
  readonly isLast: (v: Version) => boolean;
  /** Returns whether every frame of a field is kept. */
  readonly isRecorded: (field: Field) => boolean;
}

/** Returns whether a version is overwritten before the backward pass reaches it, and so has to be recomputed. */
function isLost(v: Version, { roles, isLast, isRecorded }: StoredVersions): boolean {
  if (v.loop) return endOfRound(v) === null;
  switch (roles.get(v.field.key)) {
    case 'scratch':
      return true;
    case 'state':
      return v.cycle === 'physics' && v.number > 0 && !isLast(v);
    case 'frame':
      return !(isRecorded(v.field) && isLast(v));
    default:
      return false;
  }
}

/** Returns whether the backward pass of a loop reads values that its rounds write, or the number of rounds. */
export function readsRounds({ step, items }: ReverseLoop): boolean {
  const isOpen = (one: ReverseItem): boolean =>
    one.kind === 'loop' && (one.step.loop.endedField !== undefined || one.items.some(isOpen));
  return (
    step.loop.endedField !== undefined ||
    items.some(isOpen) ||
    versionsRead(items).some(({ loop }) => loop !== null && loop.depth >= step.loop.depth)
  );
}

/**
 * Returns the versions that steps of a backward pass read, including those within loops, except versions that only the
 * derivative of a block writes.
 */
function versionsRead(items: readonly ReverseItem[]): Version[] {
  return items.flatMap((item) => {
    if (item.kind === 'loop') return versionsRead(item.items);
    if (item.kind === 'pass') return [...item.primal.values()];
    const own = new Set(item.step.vjp.flatMap(madeBy));
    return item.step.vjp.flatMap((s) => (s.kind === 'sum' ? [] : [...s.reads.values()])).filter((v) => !own.has(v));
  });
}

/**
 * Returns the versions of a cycle, or of the rounds of a loop, that the backward pass needs and that have to be
 * recomputed.
 */
export function lostVersions(
  cycle: Cycle,
  items: readonly ReverseItem[],
  loop: Loop | null,
  stored: StoredVersions,
): Version[] {
  if (cycle === 'setup' && !loop) return [];
  const lost = versionsRead(items).filter((v) => v.loop === loop && isLost(v, stored));
  return [...new Map(lost.map((v) => [versionKey(v), v])).values()];
}

/**
 * Returns the steps, in running order, that recompute the given versions, and those loops whose rounds the backward
 * pass reads.
 */
export function stepsToRerun(
  steps: readonly Step[],
  lost: readonly Version[],
  items: readonly ReverseItem[],
  stored: StoredVersions,
): Step[] {
  const needed = new Set(lost.map(versionKey));
  const rerun = new Set<Step>();
  const loops = new Set<Step>(items.flatMap((item) => (item.kind === 'loop' && readsRounds(item) ? [item.step] : [])));
  const summed = new Set<Step>();
  for (const step of [...steps].reverse()) {
    if (!summed.has(step) && !loops.has(step) && !madeBy(step).some((v) => needed.has(versionKey(v)))) continue;
    rerun.add(step);
    if (step.kind === 'sum') {
      for (const pass of step.from) summed.add(pass);
      continue;
    }
    for (const v of step.reads.values()) if (isLost(v, stored)) needed.add(versionKey(v));
  }
  return steps.filter((s) => rerun.has(s));
}
