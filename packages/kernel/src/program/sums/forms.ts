import type { KernelForm } from '../../form/kernel-form.ts';
import type { Node } from '../../form/nodes.ts';
import type { Port } from '../../form/port.ts';
import { portOf } from '../../form/port.ts';
import type { ScalarType } from '../../form/types.ts';
import { Builder } from '../../language/builder.ts';
import { abs, max, min } from '../../primitives/arithmetic.ts';

/** Returns the form of everything that a builder has written. `domain` is a name for readers only. */
export const formOf = (b: Builder, domain: string, ports: readonly Port[]): KernelForm => ({
  name: b.kernelName,
  domain,
  ports,
  root: b.root,
  outputs: b.outputs,
});

/** Form of a kernel over targets: target = sum of its slots, in the order of the incidence list. */
export function gatherForm(name: string, components: number) {
  const b = new Builder(name);
  const starts = portOf('starts', 'read', 'other', { scalar: 'u32', shared: true });
  const entries = portOf('entries', 'read', 'other', { scalar: 'u32', shared: true });
  const slots = portOf('slots', 'read', 'other', { components });
  const target = portOf('target', 'write', '', { components });
  const element = b.builtin('element');
  const first = b.load(starts, 0, element);
  const end = b.load(starts, 0, b.add(element, b.const(1, 'u32')));
  const sums = sumLoop(b, first, end, components, (k) => b.load(entries, 0, k), slots);
  sums.forEach((sum, c) => b.output(target, c, null, sum));
  const form = formOf(b, 'targets', [starts, entries, slots, target]);
  return { form, starts, entries, slots, target };
}

/**
 * Form of a kernel over targets with `count` slots each: target = sum of its slots. Component k of `entries` is the
 * number of the target's slot k.
 */
export function gatherEvenForm(name: string, components: number, count: number) {
  const b = new Builder(name);
  const entries = portOf('entries', 'read', '', { scalar: 'u32', components: count, shared: true });
  const slots = portOf('slots', 'read', 'other', { components });
  const target = portOf('target', 'write', '', { components });
  const own = Array.from({ length: count }, (_, k) => b.load(entries, k, null));
  for (let c = 0; c < components; c++) {
    const sum = own.reduce((before: Node, slot) => b.add(before, b.load(slots, c, slot)), b.const(0));
    b.output(target, c, null, sum);
  }
  const form = formOf(b, 'targets', [entries, slots, target]);
  return { form, entries, slots, target };
}

/** Form of a kernel over parts: part = sum of `width` neighbouring slots; one level of a reduction tree. */
export function reduceForm(name: string, components: number, count: number, width: number) {
  const b = new Builder(name);
  const slots = portOf('slots', 'read', 'other', { components });
  const target = portOf('target', 'write', '', { components });
  const first = b.mul(b.builtin('element'), b.const(width, 'u32'));
  const end = b.pure(min, b.add(first, b.const(width, 'u32')), b.const(count, 'u32'));
  sumLoop(b, first, end, components, (k) => k, slots).forEach((sum, c) => b.output(target, c, null, sum));
  const form = formOf(b, 'parts', [slots, target]);
  return { form, slots, target };
}

/**
 * Form of a kernel over parts. `own`: largest absolute value of the slots k = element, element + `parts`, ... below
 * `count`, over all components. `most`: the larger of `own` and `before`.
 */
export function largestForm(name: string, components: number, count: number, parts: number) {
  const b = new Builder(name);
  const slots = portOf('slots', 'read', 'other', { components });
  const before = portOf('before', 'read', '');
  const own = portOf('own', 'write', '');
  const most = portOf('most', 'write', '');
  const block = b.openRange();
  const largest = b.param(block, 'f32');
  const next = b.add(b.mul(block.counter, b.const(parts, 'u32')), b.builtin('element'));
  // Beyond the end, the last slot is read again.
  const slot = b.pure(min, next, b.const(count - 1, 'u32'));
  const sizes = Array.from({ length: components }, (_, c) => b.pure(abs, b.load(slots, c, slot)));
  block.results = [sizes.reduce((a, one) => b.pure(max, a, one), largest)];
  b.closeBlock(block);
  const rounds = b.const(Math.ceil(count / parts), 'u32');
  const [found] = b.results(b.range(b.const(0, 'u32'), rounds, [b.const(0)], block));
  b.output(own, 0, null, found);
  b.output(most, 0, null, b.pure(max, b.load(before, 0, null), found));
  const form = formOf(b, 'parts', [slots, before, own, most]);
  return { form, slots, before, own, most };
}

/**
 * Form of a kernel over targets: target = sum of element `element` of all accumulators, in their order. Accumulators
 * have `size` elements each and follow one another.
 */
export function sumAccumulatorsForm(name: string, components: number, size: number, accumulators: number) {
  const b = new Builder(name);
  const from = portOf('accumulators', 'read', 'other', { components });
  const target = portOf('target', 'write', '', { components });
  const [first, end, element] = [b.const(0, 'u32'), b.const(accumulators, 'u32'), b.builtin('element')];
  const slotOf = (accumulator: Node): Node => b.add(b.mul(accumulator, b.const(size, 'u32')), element);
  sumLoop(b, first, end, components, slotOf, from).forEach((sum, c) => b.output(target, c, null, sum));
  const form = formOf(b, 'targets', [from, target]);
  return { form, accumulators: from, target };
}

function sumLoop(
  b: Builder,
  first: Node,
  end: Node,
  components: number,
  slotOf: (k: Node) => Node,
  slots: Port,
): Node[] {
  const zeros = Array.from({ length: components }, () => b.const(0));
  const block = b.openRange();
  const sums = zeros.map(() => b.param(block, 'f32'));
  const slot = slotOf(block.counter);
  block.results = sums.map((sum, c) => b.add(sum, b.load(slots, c, slot)));
  b.closeBlock(block);
  return b.results(b.range(first, end, zeros, block));
}

/** Form of a kernel that sets a field to zero. */
export function zeroForm(name: string, components: number) {
  const b = new Builder(name);
  const target = portOf('target', 'write', '', { components });
  for (let c = 0; c < components; c++) b.output(target, c, null, b.const(0));
  const form = formOf(b, 'targets', [target]);
  return { form, target };
}

/** Form of a kernel that copies a field. */
export function copyForm(name: string, components: number, scalar: ScalarType = 'f32') {
  const b = new Builder(name);
  const source = portOf('source', 'read', '', { scalar, components });
  const target = portOf('target', 'write', '', { scalar, components });
  for (let c = 0; c < components; c++) b.output(target, c, null, b.load(source, c, null));
  const form = formOf(b, 'targets', [source, target]);
  return { form, source, target };
}
