import type { KernelForm, Port } from '@gradsim/kernel/internal';
import { withPorts } from '@gradsim/kernel/internal';
import { adjoint, tangent } from '@gradsim/kernel/internal/derivatives';
import type { KernelPass, Names } from './pass.ts';
import { bind } from './pass.ts';
import { keyOf, usesOfPass } from './uses.ts';

/** Kernels in running order: later ones may read what earlier ones write. */
export type Chain = readonly KernelPass[];

/**
 * Returns the field that holds the derivative of a field which a chain reads: another field by key, or `OWN_DERIVATIVE`; null if
 * it has no derivative.
 */
export type DerivativeOf = (key: string) => string | typeof OWN_DERIVATIVE | null;
/** Stands for the run's own adjoint or tangent of a field, in derivatives of blocks. */
export const OWN_DERIVATIVE = Symbol('own');

/** Returns a field's name within its domain, from its key. */
export const nameIn = (key: string): string => key.slice(key.indexOf('.') + 1);
/** Returns the key of another field over the same domain. */
const besideOf = (key: string, name: string): string => `${key.slice(0, key.indexOf('.'))}.${name}`;

/** Returns the keys of the fields that a chain writes or adds to. */
export function madeIn(chain: Chain): Set<string> {
  return new Set(chain.flatMap((pass) => [...usesOfPass(pass).writes, ...usesOfPass(pass).adds]));
}

/** Returns the keys of the fields that a chain reads and does not write. */
export function foundBy(chain: Chain): Set<string> {
  const made = madeIn(chain);
  return new Set(chain.flatMap((pass) => [...usesOfPass(pass).reads]).filter((key) => !made.has(key)));
}

/** Returns the keys of the fields that a field depends on within a chain, including itself. */
export function leadingTo(chain: Chain, key: string): Set<string> {
  const keys = new Set([key]);
  for (const pass of [...chain].reverse()) {
    const { reads, writes, adds } = usesOfPass(pass);
    if ([...writes, ...adds].some((key) => keys.has(key))) for (const key of reads) keys.add(key);
  }
  return keys;
}

/**
 * Returns the same kernel over other fields of the same domains.
 * @param newKeyOf returns the new name of a field, or undefined to keep it.
 */
export function overFields({ kernel, names }: KernelPass, newKeyOf: (key: string) => string | undefined): KernelPass {
  const forms = [kernel.form, ...(kernel.adjoint?.().map((k) => k.form) ?? [])];
  const renamed: Record<string, string> = { ...names };
  for (const form of forms)
    for (const port of form.ports) {
      const name = newKeyOf(keyOf(form, names)(port));
      if (name !== undefined) renamed[port.name] = name;
    }
  return { ...bind(kernel, renamed), isDerived: true };
}

/** Returns a chain whose results are written to renamed fields. */
export const withResultsIn = (chain: Chain, nameOf: (key: string) => string): KernelPass[] => {
  const made = madeIn(chain);
  return chain.map((pass) => overFields(pass, (key) => (made.has(key) ? nameOf(key) : undefined)));
};

const primal = (port: Port, name: string): Port => ({ ...port, kind: 'primal', name });

/** Returns a pass of a form whose ports have been replaced; no pass if no output is left. */
function bound(form: KernelForm, name: string, names: Names): KernelPass[] {
  if (form.outputs.length === 0) return [];
  const used = new Set(form.ports.map((p) => p.name));
  const given = Object.entries(names).filter(([from]) => used.has(from));
  return [{ ...bind({ name, form: { ...form, name } }, Object.fromEntries(given)), isDerived: true }];
}

/**
 * Returns the tangents of a chain: they add to `into` the tangent of everything that the chain adds to `of`, when the
 * inputs change along their directions. Names of intermediate fields begin with `name`, unique to this product.
 */
export function tangentPasses(
  chain: Chain,
  { of, along, into, name }: { of: string; along: DerivativeOf; into: string; name: string },
): KernelPass[] {
  const needed = leadingTo(chain, of);
  const between = new Map<string, string>();
  return chain.flatMap(({ kernel, names }) => {
    const key = keyOf(kernel.form, names);
    const dotOf = (port: Port): string | typeof OWN_DERIVATIVE | null => between.get(key(port)) ?? along(key(port));
    const moving = kernel.form.ports.filter((p) => p.access === 'read' && p.scalar === 'f32' && dotOf(p) !== null);
    if (moving.length === 0) return [];
    const whole = tangent(kernel.form, { wrt: new Set(moving.map((p) => p.name)) });
    const renamed: Record<string, string> = { ...names };
    const form = withPorts(whole, (port) => {
      if (port.kind !== 'tangent') return port.access === 'read' ? port : null;
      if (port.access === 'read') {
        const from = dotOf(port)!;
        if (from === OWN_DERIVATIVE) return port;
        renamed[`along ${port.name}`] = nameIn(from);
        return primal(port, `along ${port.name}`);
      }
      const to = key(port);
      if (!needed.has(to)) return null;
      const dot = to === of ? into : besideOf(to, `${name} of ${nameIn(to)}`);
      if (to !== of) between.set(to, dot);
      renamed[`product ${port.name}`] = nameIn(dot);
      return primal(port, `product ${port.name}`);
    });
    return bound(form, `${kernel.name}_along`, renamed);
  });
}

/**
 * Returns the adjoints of a chain, from its last kernel to its first: with `weights` as the adjoint of what the chain
 * adds to `of`, they add the contributions to the fields that `into` names. Names of intermediate fields begin with
 * `name`.
 */
export function adjointPasses(
  chain: Chain,
  { of, weights, into, name }: { of: string; weights: string; into: DerivativeOf; name: string },
): KernelPass[] {
  // What a kernel reads is what earlier kernels made of a field, not what it or later ones write there.
  const madeBefore = chain.map((_, k) => madeIn(chain.slice(0, k)));
  const moving = new Set<string>();
  const movingBefore = chain.map((pass, k) => {
    const before = new Set(moving);
    const { reads, writes, adds } = usesOfPass(pass);
    if ([...reads].some((key) => moving.has(key) || (!madeBefore[k].has(key) && into(key) !== null)))
      for (const key of [...writes, ...adds]) moving.add(key);
    return before;
  });
  const bars = new Map([[of, weights]]);
  return [...chain.entries()].reverse().flatMap(([position, pass]) => {
    const { kernel, names } = pass;
    const key = keyOf(kernel.form, names);
    const made = madeBefore[position];
    const barOf = (at: string): string | typeof OWN_DERIVATIVE | null => {
      if (!made.has(at) || !movingBefore[position].has(at)) return into(at);
      const rewritten = chain.slice(position).filter((later) => usesOfPass(later).writes.has(at)).length;
      return besideOf(at, `${name} on ${nameIn(at)}${rewritten > 0 ? ` before ${rewritten}` : ''}`);
    };
    const seeds = kernel.form.ports.filter((p) => p.access !== 'read' && bars.has(key(p)));
    const wrt = kernel.form.ports.filter((p) => p.access === 'read' && p.scalar === 'f32' && barOf(key(p)) !== null);
    const overwritten = usesOfPass(pass).writes;
    if (seeds.length === 0 || wrt.length === 0) {
      for (const at of overwritten) bars.delete(at);
      return [];
    }
    const named = (ports: readonly Port[]): Set<string> => new Set(ports.map((p) => p.name));
    const isWhole = kernel.form.ports.every((p) => p.access === 'read' || bars.has(key(p)));
    // A hand-written adjoint needs the adjoints of all outputs of its kernel.
    const forms =
      kernel.adjoint && isWhole
        ? kernel.adjoint().map((k) => k.form)
        : [adjoint(kernel.form, { wrt: named(wrt), seeds: named(seeds) })];
    const given = new Map<string, string>();
    // A kernel writes either adjoints of a run or fields: whoever runs it handles the former.
    const part = (whole: KernelForm, isOwn: boolean): KernelPass[] => {
      const here = keyOf(whole, names);
      const renamed: Record<string, string> = { ...names };
      const form = withPorts(whole, (port) => {
        if (port.kind !== 'adjoint') return port;
        const at = here(port);
        if (port.access === 'read') {
          renamed[`weights of ${port.name}`] = nameIn(bars.get(at)!);
          return primal(port, `weights of ${port.name}`);
        }
        const bar = barOf(at);
        if (bar === null || (bar === OWN_DERIVATIVE) !== isOwn) return null;
        if (bar === OWN_DERIVATIVE) return port;
        given.set(at, bar);
        renamed[`product ${port.name}`] = nameIn(bar);
        return primal(port, `product ${port.name}`);
      });
      return bound(form, `${whole.name}_${isOwn ? 'own' : 'product'}`, renamed);
    };
    const passes = forms.flatMap((whole) => [...part(whole, false), ...part(whole, true)]);
    for (const at of overwritten) bars.delete(at);
    for (const [at, bar] of given) if (made.has(at)) bars.set(at, bar);
    return passes;
  });
}
