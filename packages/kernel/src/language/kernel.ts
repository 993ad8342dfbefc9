import { describeValue, GradsimError, isGradsimError, refuseUnknownOptions, suggestion } from '@gradsim/base';
import type { KernelForm } from '../form/kernel-form.ts';
import type { Port } from '../form/port.ts';
import { Builder } from './builder.ts';
import type { KernelResult } from './fields/ports.ts';
import { adding, Ports, reading, write } from './fields/ports.ts';
import type { KernelFields, Writing } from './fields/seen.ts';
import type { AddSpec, ReadSpec, WriteSpec } from './fields/specs.ts';
import { refuseUnusedComparisons, trace } from './scalar.ts';
import { simplify } from './simplify.ts';
import type { Surroundings } from './surroundings.ts';
import { surroundings } from './surroundings.ts';
import type { DomainOf } from './types.ts';
import { nameOfDomain } from './types.ts';

export interface KernelSpec<R, A, W, D extends string = string> {
  /** Domain that the kernel runs over, one call per element (and world). */
  readonly domain: DomainOf<D>;
  readonly reads?: R;
  /** Fields that the kernel adds to. All additions of a phase start from zero and are summed in a fixed order. */
  readonly adds?: A;
  /** Fields of the own element (or lists, see {@link several}) that the kernel function returns. */
  readonly writes?: W;
  /** Hand-written kernels that propagate adjoints backwards through this one, in place of the derived adjoint. */
  readonly adjoint?: () => readonly Kernel[];
}

const OPTIONS = { domain: true, reads: true, adds: true, writes: true, adjoint: true };

/** Types of the fields of a kernel, by name. */
export interface KernelTypes {
  readonly domain: string;
  readonly reads: Readonly<Record<string, ReadSpec>>;
  readonly adds: Readonly<Record<string, AddSpec>>;
  readonly writes: Readonly<Record<string, WriteSpec>>;
}

/** A traced kernel. */
export interface Kernel<T extends KernelTypes = KernelTypes> {
  /** Types of the fields, for TypeScript only: undefined at run time. */
  readonly types?: T;
  readonly name: string;
  readonly form: KernelForm;
  readonly adjoint?: () => readonly Kernel[];
}

/**
 * A function over a domain, written once: from it come the code of every device and both derivatives.
 *
 * `body` is called once, here, with traced values. It returns the fields of `writes`.
 *
 * ```ts
 * const decay = kernel('decay', {
 *   domain: 'particles',
 *   reads: { velocity: vec3, rate: f32 },
 *   writes: { velocity: vec3 },
 * }, ({ velocity, rate }, { dt }) => ({ velocity: velocity.mul(exp(rate.mul(dt).neg())) }));
 * ```
 * @throws when a traced value is used as a JavaScript number or condition, or the returned values do not fit `writes`.
 */
export function kernel<
  const R extends Record<string, ReadSpec> = Record<never, ReadSpec>,
  const A extends Record<string, AddSpec> = Record<never, AddSpec>,
  const W extends Record<string, WriteSpec> = Record<never, WriteSpec>,
  const D extends string = string,
>(
  name: string,
  spec: KernelSpec<R, A, W, D>,
  body: (
    fields: KernelFields<R, A, D>,
    surroundings: Surroundings,
  ) => keyof W extends never ? void : { [K in keyof W]: Writing<W[K]> },
): Kernel<{ domain: NoInfer<D>; reads: NoInfer<R>; adds: NoInfer<A>; writes: NoInfer<W> }> {
  if (/[\r\n]/.test(name))
    throw new GradsimError('kernel/wrong-name', `A kernel's name is one line, not ${describeValue(name)}.`);
  refuseUnknownOptions<KernelSpec<R, A, W, D>>(`kernel ${name}`, spec, OPTIONS);
  for (const [key, type] of Object.entries({ ...spec.reads, ...spec.adds, ...spec.writes }))
    if (!type)
      throw new GradsimError('base/wrong-type', `"${key}" is ${type}, where a type or a field is meant.`, {
        kernel: name,
        field: key,
        hint: 'Write vec3, fieldOn(...), or correct the name of the field.',
      });
  for (const [key, write] of Object.entries(spec.writes ?? {})) {
    if ((write as { kind?: string }).kind === 'adjoint')
      throw new GradsimError(
        'kernel/adjoint-written',
        `the adjoint "${key}" stands in writes; adjoints are added to, in adds.`,
        { kernel: name, field: key },
      );
  }
  const builder = new Builder(name);
  const ports = new Ports(name, nameOfDomain(spec.domain));
  const form = trace(builder, (): KernelForm => {
    const fields: Record<string, unknown> = {};
    for (const [key, read] of Object.entries(spec.reads ?? {})) fields[key] = reading(key, read, ports);
    for (const [key, add] of Object.entries(spec.adds ?? {})) {
      if (key in fields)
        throw new GradsimError('kernel/read-and-added', `"${key}" cannot be both read and added to.`, {
          kernel: name,
          field: key,
        });
      fields[key] = adding(key, add, ports);
    }
    withKnownNames(name, fields, (known) => {
      const given: unknown = body(known as Parameters<typeof body>[0], surroundings(builder));
      if (given instanceof Promise)
        throw new GradsimError('kernel/asynchronous', 'its function is asynchronous, and must end at once.', {
          kernel: name,
        });
      write(builder, spec.writes ?? {}, (given ?? {}) as Record<string, KernelResult>, ports);
    });
    return { name, domain: ports.own, ports: ports.list, root: builder.root, outputs: builder.outputs };
  });
  const added = Object.keys(spec.adds ?? {});
  if (added.length > 0 && form.outputs.length === 0)
    throw new GradsimError('kernel/nothing-added', `adds to none of ${added}.`, { kernel: name });
  refuseTwoOfOneName(form);
  refuseUnusedComparisons(builder);
  return { name, form: simplify(form), adjoint: spec.adjoint };
}

/**
 * Calls a function with a kernel's fields. A name that is none of them is undefined, since a field may be read under a
 * condition; where the function then fails, the error says so.
 */
function withKnownNames(kernel: string, fields: Record<string, unknown>, body: (fields: object) => void): void {
  const absent = new Set<string>();
  const known = new Proxy(fields, {
    get(all, key) {
      if (typeof key === 'string' && !(key in all)) absent.add(key);
      return Reflect.get(all, key);
    },
  });
  try {
    body(known);
  } catch (error) {
    const [key] = absent;
    if (key === undefined || (isGradsimError(error) && !error.message.includes('undefined'))) throw error;
    throw new GradsimError(
      'kernel/unknown-field',
      `"${key}" is none of the fields that its reads and adds name. ${suggestion(key, Object.keys(fields))}`,
      { kernel, field: key, cause: error },
    );
  }
}

/**
 * Checks that a name means one field: derivatives assume that reads and writes under one name are of the same field.
 * @throws when a kernel reads one field and writes another under one name.
 */
function refuseTwoOfOneName({ name, domain: own, ports }: KernelForm): void {
  const fieldOf = ({ field, domain, name: key }: Port): string => field?.key ?? `${domain || own}.${key}`;
  for (const written of ports) {
    if (written.access !== 'write' || written.kind !== 'primal') continue;
    const read = ports.find((port) => port.access === 'read' && port.kind === 'primal' && port.name === written.name);
    if (read && fieldOf(read) !== fieldOf(written))
      throw new GradsimError(
        'kernel/two-names',
        `"${written.name}" is ${fieldOf(read)} where it is read, and ${fieldOf(written)} where it is written.`,
        { kernel: name, hint: 'Give one of them another name.' },
      );
  }
}
