import { GradsimError } from '@gradsim/base';
import type { F32, FieldRef, Kernel, ValueType, Vec } from '@gradsim/kernel';
import { f32, field, kernel, Scalar, select } from '@gradsim/kernel';
import { withPorts } from '@gradsim/kernel/internal';
import { madeIn, nameIn, overFields } from '../model/derived-passes.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { FieldPairs, KernelPass, Pass } from '../model/pass.ts';
import { bind, nameOf } from '../model/pass.ts';
import type { Phase, PhasePass } from '../model/phases.ts';
import { keyOfField } from '../model/references.ts';
import { keyOf, usesOfPass } from '../model/uses.ts';

/** Result of {@link evaluateAt}: passes that evaluate a field at another state. */
export interface EvaluationAt<T extends ValueType = ValueType> {
  /** Passes that lead to the field, in running order. */
  readonly passes: readonly KernelPass[];
  /** Field that holds the result at the other state. */
  readonly result: FieldRef<T>;
  /**
   * Passes to run after `passes`, which detect whether an alarm would be raised at that state; and the field of their
   * result, a number per world, 0 for no alarm.
   */
  readonly alarms: readonly Pass[];
  readonly alarmNumber: FieldRef<ValueType<F32>, 'world'>;
  /** Keys of the alarm fields that are watched. */
  readonly alarmKeys: readonly string[];
}

export interface EvaluateAtOptions<T extends ValueType> {
  readonly phase: Phase;
  /** Field to evaluate. */
  readonly field: FieldRef<T>;
  /** For each state field that the passes read, by key, the field over the same domain that is read instead. */
  readonly replacedFields: FieldPairs;
  /** Prefix of the names of all fields that the copied passes write. */
  readonly name: string;
}

/**
 * Copies the passes of a phase that lead to a field, and those that raise alarms, so that they read and write other
 * fields: a solver can thus evaluate forces of unknown plugins at trial states. Call it in `finish`, when all plugins
 * have added their passes.
 *
 * ```ts
 * const there = evaluateAt(model, {
 *   phase: 'force', of: Mote.force, at: { [Mote.position.key]: trial }, name: 'trial',
 * });
 * model.addPass('control', iterate([advance, ...there.passes, balance], { until, maxRounds: 20 }));
 * ```
 * @throws when one of the passes is a group of passes, or overwrites a field that it reads.
 */
export function evaluateAt<T extends ValueType>(model: Model, options: EvaluateAtOptions<T>): EvaluationAt<T> {
  const { phase, replacedFields, name } = options;
  const of = options.field.key;
  const all = model.passes.filter((p) => p.phase === phase);
  const named = (key: string): string => `${name} ${nameIn(key)}`;
  const isAlarm = (key: string): boolean => model.fields.get(key)?.alarm !== undefined;
  const upstream = leadingPasses(all, new Set([of]));
  const leading = inOrder(upstream.map((one) => kernelOf(one, of)));
  for (const pass of leading) {
    const { reads, writes } = usesOfPass(pass);
    const changed = [...writes].find((key) => reads.has(key) && !isAlarm(key));
    if (changed !== undefined)
      throw new GradsimError(
        'core/not-elsewhere',
        `${name}: kernel ${pass.kernel.name} of phase ${phase} leads to ${of}, and changes ${changed} in place, so it cannot be looked at elsewhere.`,
        { hint: 'Let it make another field, and a pass of phase integrate put that in place.' },
      );
  }
  const raising = alarmsAmong(model, all, new Set(Object.keys(replacedFields)));
  const before = raising.flatMap(({ pass }) => leadingPasses(all, usesOfPass(pass).reads));
  const only = [...new Set([...before, ...raising])].filter((one) => !upstream.includes(one));
  const passes = leading.map((pass) => withOutputs(pass, (key) => !isAlarm(key)));
  const watching = [
    ...inOrder(only.map((one) => kernelOf(one, of))),
    ...leading.filter((pass) => [...usesOfPass(pass).writes].some(isAlarm)).map((pass) => withOutputs(pass, isAlarm)),
  ];
  const made = madeIn([...passes, ...watching]);
  const there = (pass: KernelPass): KernelPass =>
    overFields(pass, (key) => {
      if (made.has(key)) return named(key);
      return key in replacedFields ? nameIn(keyOfField(replacedFields[key])) : undefined;
    });
  const kept = [...made].filter((key) =>
    watching.some((pass) => usesOfPass(pass).reads.has(key) && usesOfPass(pass).writes.has(key)),
  );
  const alarmKeys = [...made].filter(isAlarm);
  const alarmNumber = field('world', `${name}Raised`, f32);
  return {
    passes: passes.map(there),
    result: field(options.field.domain, named(of), options.field.type),
    alarms: [
      ...kept.map((key) => begin(model.field(key), named(key))),
      ...watching.map(there),
      ...raises(
        alarmKeys.map((key) => model.field(key)),
        named,
        alarmNumber,
      ),
    ],
    alarmNumber,
    alarmKeys,
  };
}

/** Returns a kernel restricted to some of its outputs. */
function withOutputs({ kernel, names }: KernelPass, isGiven: (key: string) => boolean): KernelPass {
  const key = keyOf(kernel.form, names);
  if (kernel.form.ports.every((port) => port.access === 'read' || isGiven(key(port)))) return bind(kernel, names);
  const form = withPorts(kernel.form, (port) => (port.access === 'read' || isGiven(key(port)) ? port : null));
  const { name, adjoint } = kernel;
  const used = new Set([form, ...(adjoint?.().map((k) => k.form) ?? [])].flatMap((f) => f.ports.map((p) => p.name)));
  return bind({ name, form, adjoint }, Object.fromEntries(Object.entries(names).filter(([from]) => used.has(from))));
}

/** Returns the passes that write some fields, and those that write the fields which these read, and so on. */
function leadingPasses(all: readonly PhasePass[], keys: ReadonlySet<string>): PhasePass[] {
  const wanted = new Set(keys);
  const found = new Set<PhasePass>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const one of all) {
      const { reads, writes, adds } = usesOfPass(one.pass);
      if (![...writes, ...adds].some((key) => wanted.has(key))) continue;
      found.add(one);
      for (const key of reads) wanted.add(key);
    }
  }
  return all.filter((one) => found.has(one));
}

/** Returns the kernels that raise alarms depending on some fields. */
function alarmsAmong({ fields }: Model, all: readonly PhasePass[], keys: ReadonlySet<string>): PhasePass[] {
  const moving = new Set(keys);
  for (let size = -1; size < moving.size; ) {
    size = moving.size;
    for (const { pass } of all) {
      const { reads, writes, adds } = usesOfPass(pass);
      if ([...reads].some((key) => moving.has(key))) for (const key of [...writes, ...adds]) moving.add(key);
    }
  }
  return all.filter(
    ({ pass }) =>
      pass.kind === 'kernel' &&
      [...usesOfPass(pass).reads].some((key) => moving.has(key)) &&
      [...usesOfPass(pass).writes].some((key) => fields.get(key)?.alarm),
  );
}

function kernelOf({ pass, phase }: PhasePass, of: string): KernelPass {
  if (pass.kind === 'kernel') return pass;
  throw new GradsimError(
    'core/not-elsewhere',
    `${nameOf(pass)} (phase ${phase}) leads to ${of}, and is a group of passes (${pass.kind}).`,
    { hint: 'Only kernels can be looked at elsewhere.' },
  );
}

/** Sorts passes so that each runs after those that write the fields it reads. */
function inOrder(passes: readonly KernelPass[]): KernelPass[] {
  const left = [...passes];
  const ordered: KernelPass[] = [];
  const waits = (pass: KernelPass): boolean =>
    left.some((other) => {
      if (other === pass) return false;
      const { writes, adds } = usesOfPass(other);
      return [...writes, ...adds].some((key) => usesOfPass(pass).reads.has(key));
    });
  while (left.length > 0) {
    // A circle means that the model itself has no valid order, and it reports that.
    const k = Math.max(
      0,
      left.findIndex((pass) => !waits(pass)),
    );
    ordered.push(...left.splice(k, 1));
  }
  return ordered;
}

/** Initialises the copy of a field that is changed in place with the field's value, and the copy of an alarm with 0. */
function begin({ ref, key, alarm }: Field, name: string): Pass {
  const { domain, type } = ref as FieldRef<ValueType<F32> | ValueType<Vec>>;
  const to = field(domain, name, type);
  const from = alarm ? ref! : field(domain, nameIn(key), type);
  const zero = (value: F32 | Vec): F32 | Vec => (value instanceof Scalar ? f32(0) : value.mul(0));
  return bind(
    kernel(
      `begin_${nameIn(key).replace(/\W/g, '_')}`,
      { domain, reads: { from: from as FieldRef<ValueType<F32> | ValueType<Vec>> }, writes: { to } },
      (s) => ({ to: alarm ? zero(s.from) : s.from }),
    ),
  );
}

/** Kernel that counts the alarms that are raised. */
function raises(
  alarms: readonly Field[],
  named: (key: string) => string,
  raised: FieldRef<ValueType<F32>, 'world'>,
): Pass[] {
  if (alarms.length === 0)
    return [bind(kernel('raiseNone', { domain: 'world', writes: { raised } }, () => ({ raised: f32(0) })))];
  return alarms.map(({ ref, domain, key }): Pass => {
    const { type } = ref as FieldRef<ValueType<F32> | ValueType<Vec>>;
    const count: Kernel = kernel(
      `raise_${nameIn(key).replace(/\W/g, '_')}`,
      { domain, reads: { alarm: field(domain, named(key), type) }, adds: { raised } },
      (s) => s.raised.add(select((s.alarm instanceof Scalar ? s.alarm : s.alarm.x).gt(0), f32(1), 0)),
    );
    return bind(count);
  });
}
