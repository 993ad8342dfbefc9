import type { KernelForm, Port } from '@gradsim/kernel/internal';
import { fieldKey } from '@gradsim/kernel/internal';
import type { KernelPass, Names, Pass } from './pass.ts';

/** Returns the key of the field that a port of a kernel stands for. */
export const keyOf = (form: KernelForm, names: Names) => (port: Port) => fieldKey(port, form.domain, names);

/**
 * Keys of the fields that a pass reads, writes and adds to. A field that the pass itself writes before it reads it is
 * not among `reads`.
 */
export interface Uses {
  readonly reads: ReadonlySet<string>;
  readonly writes: ReadonlySet<string>;
  readonly adds: ReadonlySet<string>;
}

const usesCache = new WeakMap<Pass, Uses>();
export const usesOfPass = (pass: Pass): Uses => {
  const uses = usesCache.get(pass) ?? usesOf([pass]);
  usesCache.set(pass, uses);
  return uses;
};

/** Returns the keys of the fields that passes in sequence read, write and add to. */
export function usesOf(passes: readonly Pass[]): Uses {
  const [reads, writes, adds] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const read = (key: string): void => {
    if (!writes.has(key) && !adds.has(key)) reads.add(key);
  };
  const kernel = ({ kernel: { form }, names }: KernelPass): void => {
    const key = keyOf(form, names);
    for (const port of form.ports) if (port.access === 'read' && port.kind === 'primal') read(key(port));
    for (const port of form.ports) {
      if (port.kind !== 'primal') continue;
      if (port.access === 'write') writes.add(key(port));
      if (port.access === 'add') adds.add(key(port));
    }
  };
  for (const pass of passes) {
    if (pass.kind === 'kernel') kernel(pass);
    else if (pass.kind === 'product')
      continue; // Written out before.
    else {
      const inner = usesOf(pass.passes);
      inner.reads.forEach(read);
      if (pass.kind === 'block') {
        pass.reads.forEach(read);
        for (const key of usesOf([...pass.vjp, ...pass.jvp]).reads)
          if (!inner.writes.has(key) && !inner.adds.has(key)) read(key);
      }
      inner.writes.forEach((key) => void writes.add(key));
      inner.adds.forEach((key) => void adds.add(key));
    }
  }
  return { reads, writes, adds };
}
