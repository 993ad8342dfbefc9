import type { KernelForm } from '../form/kernel-form.ts';
import { firstLoadsOf } from '../form/loads.ts';
import type { Node } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import type { BindOptions } from './bind-options.ts';
import type { Access, Footprint, Reach } from './bound-kernel.ts';

/** Words that a kernel reads and writes, without binding it. */
export function footprintOf(
  form: KernelForm,
  {
    elements,
    partitions,
    worlds,
    worldsInner,
    reach,
    accumulates,
    guards,
  }: Pick<BindOptions, 'elements' | 'partitions' | 'worlds' | 'worldsInner' | 'reach' | 'accumulates' | 'guards'>,
): Footprint {
  // One for all components. By how many words of its own an element has; 0 where it reaches for others'.
  const known = new Map<Port, Map<number, Access>>();
  const access = (port: Port, index: Node | null, rounds: number | null = 1): Access => {
    const ofOwn = (index === null && rounds) || 0;
    const ofPort = known.get(port) ?? new Map<number, Access>();
    let one = ofPort.get(ofOwn);
    if (!one) {
      const whole = reach?.(port, ofOwn || null) ?? EVERYWHERE;
      const arena = port.scalar === 'f32' ? 'f32' : 'u32';
      one = { ...whole, arena, isOwn: (index === null || port.isAccumulator === true) && reach !== undefined };
      known.set(port, ofPort.set(ofOwn, one));
    }
    return one;
  };
  const reads = new Set<Access>();
  for (const { port, index } of firstLoadsOf(form.root)) reads.add(access(port, index));
  const writes = new Set<Access>();
  for (const { port, index, rounds, accumulator } of form.outputs) {
    const write = access(port, index, rounds);
    writes.add(write);
    if (accumulates(port) || accumulator) reads.add(write);
    if (!accumulator?.lost) continue;
    const record = access(accumulator.lost, null);
    writes.add(record);
    reads.add(record);
  }
  if (guards?.record) {
    // All invocations may write there, and nothing that a kernel makes depends on it.
    const record = { ...access(guards.record, null), isOwn: true, words: 0 };
    writes.add(record);
    reads.add(record);
  }
  return {
    grouping: `${elements} ${partitions ?? ''} ${worlds} ${worldsInner}`,
    reads: [...reads],
    writes: [...writes],
  };
}

const EVERYWHERE: Reach = { region: '', from: 0, to: Number.POSITIVE_INFINITY, words: 0 };
