import { GradsimError, suggestion } from '@gradsim/base';
import type { KernelForm } from '../form/kernel-form.ts';
import type { Port } from '../form/port.ts';
import type { ScalarType } from '../form/types.ts';
import type { Kernel } from '../language/kernel.ts';
import type { KernelStep, KernelSum, Step } from './jobs/kernel-steps.ts';
import { fieldKey } from './jobs/kernel-steps.ts';
import type { SumTarget } from './jobs/surroundings.ts';
import { checkSeveral } from './port-checks.ts';

export interface ProgramField extends SumTarget {
  readonly scalar: ScalarType;
  /** Domain that an index field points into. */
  readonly target?: string;
  /** Name of the first kernel that used the field, for messages. */
  readonly namedBy: string;
}

/** Value of a field between two writes; number 0 is its input value. Every version has a place of its own. */
export interface Version {
  readonly field: ProgramField;
  readonly number: number;
}

/** A kernel of a chain, with the versions of the fields that it reads and writes. */
export interface ChainStep extends KernelStep<Version> {
  readonly readVersions: ReadonlyMap<string, Version>;
}

/** Kernels that run one after another, with the fields that they read and write. */
export interface Chain {
  readonly sizes: ReadonlyMap<string, number>;
  readonly fields: ReadonlyMap<string, ProgramField>;
  readonly steps: readonly Step<Version>[];
  /** Fields that the caller must provide: read before any kernel writes them. */
  readonly inputs: ReadonlyMap<string, Version>;
  /** Fields that no kernel of the chain reads or writes, but hand-written adjoints read. */
  readonly adjointInputs: ReadonlyMap<string, Version>;
  /** Last version of every field that a kernel writes or adds to. */
  readonly outputs: ReadonlyMap<string, Version>;
  readonly indices: ReadonlyMap<string, Version>;
}

/**
 * Returns the steps of kernels that run one after another: the kernels, and the sums of their additions. Additions to a
 * field start from zero, and are summed before the first kernel that reads them.
 */
export function chainOf(kernels: readonly Kernel[], sizes: Readonly<Record<string, number>>): Chain {
  const fields = new Map<string, ProgramField>();
  const current = new Map<string, Version>();
  const sums = new Map<string, { version: Version; from: ChainStep[] }>();
  const steps: Step<Version>[] = [];
  const starts = new Map<string, Version>();
  const find = (field: ProgramField): Version => {
    const sum = sums.get(field.key);
    if (sum) {
      sums.delete(field.key);
      steps.push({ kind: 'sum', ...sum } satisfies KernelSum<Version>);
    }
    const known = current.get(field.key);
    if (known) return known;
    const start: Version = { field, number: 0 };
    starts.set(field.key, start);
    current.set(field.key, start);
    return start;
  };
  const next = (field: ProgramField): Version => {
    const version = { field, number: (current.get(field.key)?.number ?? 0) + 1 };
    current.set(field.key, version);
    return version;
  };
  for (const kernel of kernels) {
    const { form } = kernel;
    if (form.ports.some((p) => p.kind !== 'primal'))
      throw new GradsimError(
        'kernel/adjoint-alone',
        `kernel ${kernel.name} is an adjoint written by hand; it runs on the way back of the kernel that it belongs to.`,
        { kernel: kernel.name },
      );
    const of = (port: Port): ProgramField => fieldOf(fields, form, port);
    const reads = new Map<string, Version>();
    const writes = new Map<string, Version>();
    for (const port of form.ports.filter((p) => p.access === 'read')) reads.set(of(port).key, find(of(port)));
    const readVersions = new Map(current);
    const step: ChainStep = { kind: 'pass', kernel, rename: {}, reads, writes, readVersions };
    steps.push(step);
    for (const port of form.ports.filter((p) => p.access === 'write')) {
      const field = of(port);
      // Earlier additions are a version of their own.
      if (sums.has(field.key)) find(field);
      writes.set(field.key, next(field));
    }
    for (const port of form.ports.filter((p) => p.access === 'add')) {
      const field = of(port);
      if (form.ports.some((p) => p.access === 'write' && of(p).key === field.key))
        throw new GradsimError(
          'kernel/written-and-added',
          `kernel ${kernel.name} writes ${field.key} and adds to it; one would be lost.`,
          { kernel: kernel.name, field: field.key },
        );
      const sum = sums.get(field.key) ?? { version: next(field), from: [] };
      sums.set(field.key, sum);
      if (!sum.from.includes(step)) sum.from.push(step);
      writes.set(field.key, sum.version);
    }
  }
  for (const { version } of [...sums.values()]) find(version.field);
  const adjointInputs = new Map<string, Version>();
  for (const kernel of kernels) keep(kernel, fields, current, adjointInputs);
  const chain = {
    sizes: sizesOf(kernels, sizes),
    fields,
    steps,
    inputs: new Map([...starts].filter(([, { field }]) => field.target === undefined)),
    indices: new Map([...starts].filter(([, { field }]) => field.target !== undefined)),
    adjointInputs,
    outputs: new Map([...current].filter(([, version]) => version.number > 0)),
  };
  refuseUnused(chain);
  for (const { name, form } of kernels)
    for (const port of form.ports.filter((p) => p.isSeveral))
      checkSeveral(name, form.domain, port, `${port.domain}.${port.name}`, (domain) => chain.sizes.get(domain)!);
  return chain;
}

const isPass = (step: Step<Version>): step is ChainStep => step.kind === 'pass';
/** Returns the kernels of a chain, in order. */
export const passesOf = ({ steps }: Pick<Chain, 'steps'>): ChainStep[] => steps.filter(isPass);

/** Returns the field of a port. Kernels that share a field must agree on its type. */
function fieldOf(fields: Map<string, ProgramField>, form: KernelForm, port: Port): ProgramField {
  const key = fieldKey(port, form.domain, {});
  const components = port.isSeveral ? 1 : port.components;
  const known = fields.get(key);
  if (!known) {
    const { scalar, target, name } = port;
    const domain = port.domain || form.domain;
    const field = { key, domain, name, scalar, components, target, namedBy: form.name };
    fields.set(key, field);
    return field;
  }
  if (known.components !== components || known.scalar !== port.scalar)
    throw new GradsimError(
      'base/wrong-type',
      `kernel ${form.name} takes ${key} as ${components} x ${port.scalar}, but kernel ${known.namedBy} takes it as ${known.components} x ${known.scalar}.`,
      { kernel: form.name, field: key },
    );
  if (known.target !== port.target)
    throw new GradsimError(
      'base/wrong-type',
      `kernel ${form.name} takes ${key} as ${describeTarget(port.target)}, but kernel ${known.namedBy} takes it as ${describeTarget(known.target)}.`,
      { kernel: form.name, field: key },
    );
  return known;
}

const describeTarget = (target?: string): string => (target === undefined ? 'numbers' : `indices of ${target}`);

/** Adds to `adjointInputs` the fields that only hand-written adjoints of a kernel read. */
function keep(
  kernel: Kernel,
  fields: Map<string, ProgramField>,
  current: ReadonlyMap<string, Version>,
  kept: Map<string, Version>,
): void {
  for (const { form } of kernel.adjoint?.() ?? []) {
    for (const port of form.ports) {
      if (port.kind !== 'primal' || port.access !== 'read') continue;
      const field = fieldOf(fields, form, port);
      if (!current.has(field.key) && !kept.has(field.key)) kept.set(field.key, { field, number: 0 });
    }
  }
}

/** Returns the domains used by kernels and their hand-written adjoints, each with the name of the first such kernel. */
export function domainsOf(kernels: readonly Kernel[]): Map<string, string> {
  const forms = kernels.flatMap((k) => [k.form, ...(k.adjoint?.() ?? []).map((a) => a.form)]);
  const users = new Map<string, string>();
  for (const { name, domain, ports } of forms)
    for (const used of [domain, ...ports.flatMap((p) => [p.domain || domain, p.target ?? domain])])
      if (!users.has(used)) users.set(used, name);
  return users;
}

function sizesOf(kernels: readonly Kernel[], sizes: Readonly<Record<string, number>>): ReadonlyMap<string, number> {
  const users = domainsOf(kernels);
  const known = new Map([['world', 1]]);
  for (const [domain, size] of Object.entries(sizes)) {
    if (!users.has(domain))
      throw new GradsimError(
        'kernel/unknown-domain',
        `No kernel has a domain "${domain}". ${suggestion(domain, users.keys())}`,
      );
    if (domain === 'world')
      throw new GradsimError('kernel/idle-size', 'The domain "world" has one element.', {
        hint: 'Leave it out of `sizes`.',
      });
    if (!Number.isInteger(size) || size < 0)
      throw new GradsimError(
        'kernel/wrong-size',
        `The domain "${domain}" needs a whole number of elements, got ${size}.`,
      );
    known.set(domain, size);
  }
  for (const [domain, name] of users)
    if (!known.has(domain))
      throw new GradsimError(
        'kernel/size-missing',
        `kernel ${name} has the domain "${domain}", of no known size: \`sizes: { ${domain}: ... }\`.`,
        { kernel: name },
      );
  return known;
}

/** Refuses kernels without effect: all their outputs are overwritten before anything reads them. */
function refuseUnused(chain: Chain): void {
  const passes = passesOf(chain);
  const used = new Set([...chain.outputs.values(), ...passes.flatMap((step) => [...step.reads.values()])]);
  for (const step of passes) {
    const made = [...step.writes.values()];
    if (made.some((version) => used.has(version))) continue;
    const { field, number } = made[0];
    const later = passes.find((s) => s.writes.get(field.key)?.number === number + 1)!;
    throw new GradsimError(
      'kernel/written-twice',
      `${field.key} is written by kernel ${step.kernel.name} and again by kernel ${later.kernel.name}, with no kernel between them that reads it; the first would be lost.`,
      { field: field.key },
    );
  }
}
