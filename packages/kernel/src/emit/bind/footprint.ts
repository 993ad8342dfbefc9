import type { KernelForm } from '../../form/kernel-form.ts';
import { firstLoadsOf } from '../../form/loads.ts';
import type { Node } from '../../form/nodes.ts';
import type { Port } from '../../form/port.ts';
import type { Access, AccessRange, Footprint } from '../bound-kernel.ts';
import type { BindOptions } from './options.ts';

/** Access pattern of a kernel to a port: only at its own element (`isOwn`), or at other elements, too. */
interface AccessPattern {
  readonly port: Port;
  /**
   * Words of each own element that are accessed per component; 0 if the kernel accesses other elements or their number
   * is not known.
   */
  readonly ofOwn: number;
  readonly isOwn: boolean;
}

/** Access patterns of a form, each once. `adds` is the part of `writes` that reads a word before adding to it. */
interface AccessPatterns {
  readonly reads: ReadonlySet<AccessPattern>;
  readonly writes: ReadonlySet<AccessPattern>;
  readonly adds: ReadonlySet<AccessPattern>;
}

// Cache: many passes run one kernel.
const patternCache = new WeakMap<KernelForm, AccessPatterns>();

function patternsOf(form: KernelForm): AccessPatterns {
  const found = patternCache.get(form) ?? findPatterns(form);
  patternCache.set(form, found);
  return found;
}

function findPatterns(form: KernelForm): AccessPatterns {
  // One entry for all components.
  const ways = new Map<Port, Map<number, AccessPattern>>();
  const way = (port: Port, index: Node | null, rounds: number | null = 1): AccessPattern => {
    const ofOwn = (index === null && rounds) || 0;
    const ofPort = ways.get(port) ?? new Map<number, AccessPattern>();
    ways.set(port, ofPort);
    const one = ofPort.get(ofOwn) ?? { port, ofOwn, isOwn: index === null || port.isAccumulator === true };
    ofPort.set(ofOwn, one);
    return one;
  };
  const reads = new Set(firstLoadsOf(form.root).map(({ port, index }) => way(port, index)));
  const [writes, adds] = [new Set<AccessPattern>(), new Set<AccessPattern>()];
  for (const { port, index, rounds, accumulator } of form.outputs) {
    const write = way(port, index, rounds);
    writes.add(write);
    if (accumulator) adds.add(write);
    if (!accumulator?.lost) continue;
    const record = way(accumulator.lost, null);
    writes.add(record);
    adds.add(record);
  }
  return { reads, writes, adds };
}

/** Returns whether every element writes only to its own words. */
export const writesOnlyOwn = (form: KernelForm): boolean => {
  for (const { isOwn } of patternsOf(form).writes) if (!isOwn) return false;
  return true;
};

/** Returns the words that a kernel reads and writes, without binding it. */
export function footprintOf(
  form: KernelForm,
  {
    elements,
    partitions,
    worlds,
    worldsInner,
    accessedRange,
    accumulates,
    guards,
  }: Pick<
    BindOptions,
    'elements' | 'partitions' | 'worlds' | 'worldsInner' | 'accessedRange' | 'accumulates' | 'guards'
  >,
): Footprint {
  const ways = patternsOf(form);
  const accesses = new Map<AccessPattern, Access>();
  const access = (way: AccessPattern): Access => {
    let one = accesses.get(way);
    if (!one) {
      const { port, ofOwn, isOwn } = way;
      const { region, from, to, words } = accessedRange?.(port, ofOwn || null) ?? WHOLE_ARENA;
      const arena = port.scalar === 'f32' ? 'f32' : 'u32';
      one = { region, from, to, words, arena, isOwn: isOwn && accessedRange !== undefined };
      accesses.set(way, one);
    }
    return one;
  };
  const [reads, writes]: Access[][] = [[], []];
  for (const way of ways.reads) reads.push(access(way));
  for (const way of ways.writes) {
    writes.push(access(way));
    if (!ways.reads.has(way) && (ways.adds.has(way) || accumulates(way.port))) reads.push(access(way));
  }
  if (guards?.record) {
    // Any invocation may write there, but no result of a kernel depends on it.
    const record = { ...access({ port: guards.record, ofOwn: 1, isOwn: true }), isOwn: true, words: 0 };
    writes.push(record);
    reads.push(record);
  }
  return { grouping: `${elements} ${partitions ?? ''} ${worlds} ${worldsInner}`, reads, writes };
}

const WHOLE_ARENA: AccessRange = { region: '', from: 0, to: Number.POSITIVE_INFINITY, words: 0 };
