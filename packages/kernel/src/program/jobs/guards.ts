import type { Guard, Guards } from '../../emit/bind/guards.ts';
import { RECORD_WORDS } from '../../emit/bind/guards.ts';
import type { KernelForm } from '../../form/kernel-form.ts';
import { loadsOf } from '../../form/loads.ts';
import type { LoadNode } from '../../form/nodes.ts';
import type { Port } from '../../form/port.ts';
import { portOf } from '../../form/port.ts';
import { readRecord } from '../indices/access-records.ts';
import { isIndexOf, rangesOf } from '../indices/ranges.ts';
import type { MemoryPlace } from '../memory/places.ts';
import type { SumSurroundings } from './surroundings.ts';

// Bounds checks of loads at an index. The contents of index fields are checked on the host, and interval arithmetic
// shows that most other indices are in range: both cost nothing at run time. The rest are clamped, and the first one
// out of range is recorded, for an error when a result is read. Derived adjoints read where their kernels did, so they
// are not checked again.

/** Guards of a kernel's loads, with the place of the record of the first one out of range. */
export interface PlacedGuards extends Guards {
  readonly place: MemoryPlace | null;
}

/**
 * Returns the guards that a kernel needs in its run; null if all its indices are sure to be in range.
 * @param label name of the kernel in messages.
 */
export function guardsOf(
  around: SumSurroundings,
  label: string,
  form: KernelForm,
  places: ReadonlyMap<Port, MemoryPlace>,
  elements: number,
): PlacedGuards | null {
  const loads = loadsOf(form.root).filter(({ index }) => index !== null);
  if (loads.length === 0) return null;
  const rangeOf = rangesOf(form.root, {
    elements,
    sizeOfTarget: ({ port: { target } }) => (target === undefined ? null : around.sizeOf(target)),
    mayBeNone: ({ port }) => around.holdsNone(places.get(port)!.field),
  });
  const byLoad = new Map<LoadNode, Guard>();
  const sites = new Map<string, { readonly site: number; readonly field: string; readonly size: number }>();
  for (const load of loads) {
    const { field, shape } = places.get(load.port)!;
    const index = load.index!;
    const range = rangeOf(index);
    const size = shape.elements;
    if (isIndexOf(range, size)) continue;
    const key = `${index.id} ${size}`;
    if (range.high >= size && !form.isDerived && !sites.has(key)) sites.set(key, { site: sites.size, field, size });
    byLoad.set(load, { elements: size, mayBeNone: range.mayBeNone, site: sites.get(key)?.site ?? null });
  }
  if (byLoad.size === 0) return null;
  if (sites.size === 0) return { byLoad, record: null, place: null };
  const shape = { elements: 1, components: RECORD_WORDS, worlds: 1, worldsInner: true };
  const isBack = form.ports.some(({ kind }) => kind === 'adjoint');
  const place = around.arena.record(label, shape, isBack);
  const read = [...sites.values()];
  around.addAccessRecord(
    readRecord(place, { isBack, kernel: label, domain: form.domain, worlds: around.worlds, read }),
  );
  return { byLoad, record: portOf('outOfRange', 'write', '', { scalar: 'u32', components: RECORD_WORDS }), place };
}

/** Returns guards that record nothing, for further parts of a kernel: the first part records the reads of all. */
export const withoutRecord = (guards: PlacedGuards | null): { guards?: PlacedGuards } =>
  guards ? { guards: { ...guards, record: null, place: null } } : {};
