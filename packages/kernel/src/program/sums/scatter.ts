import type { Node } from '../../form/nodes.ts';
import { portOf } from '../../form/port.ts';
import { Builder } from '../../language/builder.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import { min } from '../../primitives/arithmetic.ts';
import { and, not } from '../../primitives/bits.ts';
import { eq, lt, ne } from '../../primitives/comparison.ts';
import { formOf } from './forms.ts';

// Sums of slots that carry their own target. The first target out of range, other than `NO_ELEMENT`, is recorded.

/** Port of the record of an addition out of range: substep + 1, slot, target. */
const LOST_PORT = portOf('lost', 'write', '', { scalar: 'u32', components: 3 });
const LOST_PORT_BEFORE = portOf('lost', 'read', '', { scalar: 'u32', components: 3 });

/** Form of a kernel with one invocation per world, which adds slots to their targets, one slot after another. */
export function addInOrderForm(name: string, components: number, count: number, elements: number) {
  const b = new Builder(name);
  const u32 = (value: number): Node => b.const(value, 'u32');
  const targets = portOf('targets', 'read', 'other', { scalar: 'u32' });
  const slots = portOf('slots', 'read', 'other', { components });
  const target = portOf('target', 'write', 'targets', { components });
  const block = b.openRange();
  const slot = block.counter;
  const lost = b.param(block, 'u32');
  const to = b.load(targets, 0, slot);
  const isThere = b.pure(lt, to, u32(elements));
  // Otherwise adds 0 to the first element: a branch would take longer.
  const at = b.select(isThere, to, u32(0));
  for (let component = 0; component < (elements > 0 ? components : 0); component++) {
    const value = b.select(isThere, b.load(slots, component, slot), b.const(0));
    b.outputHere({ port: target, component, index: at, value, round: null, rounds: 1 });
  }
  const isLost = b.pure(and, b.pure(not, isThere), b.pure(ne, to, u32(NO_ELEMENT)));
  block.results = [b.select(b.pure(and, isLost, b.pure(eq, lost, u32(NO_ELEMENT))), slot, lost)];
  b.closeBlock(block);
  const [first] = b.results(b.range(u32(0), u32(count), [u32(NO_ELEMENT)], block));
  const last = u32(Math.max(0, count - 1));
  report(b, b.pure(ne, first, u32(NO_ELEMENT)), first, b.load(targets, 0, b.pure(min, first, last)));
  return {
    form: formOf(b, 'slots', [targets, slots, target, LOST_PORT_BEFORE, LOST_PORT]),
    targets,
    slots,
    target,
    lost: LOST_PORT,
    lostBefore: LOST_PORT_BEFORE,
  };
}

/**
 * Form of a kernel that records the first addition out of range among slots sorted by target. Slots with the target
 * `NO_ELEMENT` are not out of range, but may lie between those that are.
 */
export function reportLostForm(name: string, count: number, elements: number) {
  const b = new Builder(name);
  const u32 = (value: number): Node => b.const(value, 'u32');
  const starts = portOf('starts', 'read', 'other', { scalar: 'u32' });
  const keys = portOf('keys', 'read', 'other', { scalar: 'u32' });
  const sources = portOf('sources', 'read', 'other', { scalar: 'u32' });
  const end = b.load(starts, 0, u32(elements));
  const last = u32(Math.max(0, count - 1));
  const first = b.pure(min, end, last);
  const isNone = b.pure(eq, b.load(keys, 0, first), u32(NO_ELEMENT));
  const at = b.select(isNone, last, first);
  const key = b.load(keys, 0, at);
  const isLost = b.pure(and, b.pure(lt, end, u32(count)), b.pure(ne, key, u32(NO_ELEMENT)));
  report(b, isLost, b.load(sources, 0, at), key);
  return {
    form: formOf(b, 'slots', [starts, keys, sources, LOST_PORT_BEFORE, LOST_PORT]),
    starts,
    keys,
    sources,
    lost: LOST_PORT,
    lostBefore: LOST_PORT_BEFORE,
  };
}

/** Writes the record of an addition out of range where `isLost`, unless one is recorded already. */
function report(b: Builder, isLost: Node, slot: Node, target: Node): void {
  const isFirst = b.pure(and, isLost, b.pure(eq, b.load(LOST_PORT_BEFORE, 0, null), b.const(0, 'u32')));
  const words = [b.add(b.builtin('substep'), b.const(1, 'u32')), slot, target];
  words.forEach((word, c) => b.output(LOST_PORT, c, null, b.select(isFirst, word, b.load(LOST_PORT_BEFORE, c, null))));
}

/** Form of a kernel that sets the targets of all slots to `NO_ELEMENT`, before another kernel sets some. */
export function emptyForm(name: string) {
  const b = new Builder(name);
  const targets = portOf('targets', 'write', '', { scalar: 'u32' });
  b.output(targets, 0, null, b.const(NO_ELEMENT, 'u32'));
  return { form: formOf(b, 'slots', [targets]), targets };
}
