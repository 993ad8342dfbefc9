import type { KernelForm, KernelOutput } from '../../form/kernel-form.ts';
import type { Block, LoadNode, Node } from '../../form/nodes.ts';
import { portLabel } from '../../form/port.ts';
import { Builder } from '../../language/builder.ts';
import type { ClonedNodes } from '../../language/clone.ts';
import { cloneBlock, cloneNode, mapped } from '../../language/clone.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import { removeUnused } from '../../language/simplify.ts';
import { and } from '../../primitives/bits.ts';
import { detach } from '../../primitives/choice.ts';
import { eq, ge } from '../../primitives/comparison.ts';
import type { BoundKernel, CodeSource, Footprint, KernelCode, Store } from '../bound-kernel.ts';
import { byBlock, endsOf } from '../bound-kernel.ts';
import type { UncheckedAddition } from './accumulators.ts';
import { elementOfAccumulator, overPartition, recordLost } from './accumulators.ts';
import type { Places } from './addresses.ts';
import { invocationIn, places, registerOf } from './addresses.ts';
import { footprintOf, writesOnlyOwn } from './footprint.ts';
import type { Guards } from './guards.ts';
import { guardedLoad, readsToCheck, recordReads } from './guards.ts';
import type { BindOptions } from './options.ts';
import { invocationsOf } from './options.ts';
import { substepOfFrame, timeOf } from './step-times.ts';

/**
 * Binds a kernel to memory: loads become reads of words at addresses, outputs become stores.
 * @param placing see `CodeSource`.
 */
export function bindKernel(form: KernelForm, options: BindOptions, placing?: string): BoundKernel {
  let code: KernelCode | null = null;
  return rebound({ form, placing, code: () => (code ??= codeOf(form, options)) }, options);
}

function codeOf(form: KernelForm, options: BindOptions): KernelCode {
  const { elements, partitions, lowers, precision = 'f32' } = options;
  const b = new Builder(form.name, { lowersFor: lowers ? precision : null });
  const invocation = invocationIn(b, options);
  const stores = new Map<KernelOutput, Store>();
  const lost: Store[] = [];
  const outputs = byBlock(form.outputs);
  const write = (element: Node): void => {
    const place = places(b, options, invocation, element);
    const rewrite = (_: Builder, node: Node, map: ClonedNodes): Node => rewriteNode(b, node, map, options, place);
    cloneBlock(b, form.root, new Map(), rewrite, (block, map) => {
      const here = outputs.get(block) ?? [];
      for (const output of here) stores.set(output, storeOf(b, output, map, options, place));
      lost.push(...lossesOf(b, here, map, options, place));
      if (options.guards?.record) lost.push(...readsOf(b, block, map, options, place, options.guards));
    });
  };
  if (partitions === undefined) write(invocation.number);
  else overPartition(b, invocation.number, partitions, elements, write);
  const ordered = [...form.outputs.map((output) => stores.get(output)!), ...lost];
  const ends = endsOf(ordered);
  removeUnused(
    b.root,
    ends.map(({ node }) => node),
    ends.map(({ block }) => block),
  );
  return { root: b.root, stores: ordered };
}

/** Options that determine which words a kernel accesses, and how often it runs. */
type PlaceOptions = Pick<BindOptions, 'bases' | 'registers'> & Parameters<typeof footprintOf>[1];

/** Binds code to memory with the layout that it was written for, which starts at `options.bases`. */
export function rebound(source: CodeSource, options: PlaceOptions): BoundKernel {
  const { form, code } = source;
  const { elements, registers, accessedRange, bases = [0] } = options;
  let footprint: Footprint | undefined;
  // Lazy: not all devices need it.
  const found = (): Footprint => (footprint ??= footprintOf(form, options));
  return {
    name: form.name,
    invocations: invocationsOf(options),
    registers,
    source,
    get root() {
      return code().root;
    },
    get stores() {
      return code().stores;
    },
    bases,
    // With one element, an invocation is a world, and no world writes to another.
    isPartitionable: elements === 1 || (accessedRange !== undefined && writesOnlyOwn(form)),
    get grouping() {
      return found().grouping;
    },
    get reads() {
      return found().reads;
    },
    get writes() {
      return found().writes;
    },
  };
}

/** Builds the stores at the end of a block that record additions out of range. */
function lossesOf(
  b: Builder,
  outputs: readonly KernelOutput[],
  map: ClonedNodes,
  options: BindOptions,
  place: Places,
): Store[] {
  const stores: Store[] = [];
  const additions = outputs.flatMap(({ accumulator, index }): UncheckedAddition[] => {
    if (!accumulator?.lost) return [];
    const values = accumulator.values?.map((value) => mapped(map, value)) ?? null;
    return [{ recordPort: accumulator.lost, elements: accumulator.elements, index: mapped(map, index!), values }];
  });
  recordLost(
    b,
    additions,
    place.element,
    () => registerOf(b, options.registers, 'substep'),
    (port, component) => b.word(port, component, place.address(port, component, null)),
    (port, component, value) => {
      const at = place.address(port, component, null);
      stores.push({ ...at, label: portLabel(port), component, value, block: b.current, adds: false });
    },
  );
  return stores;
}

/** Builds the stores that record out-of-range reads in a block. */
function readsOf(
  b: Builder,
  block: Block,
  map: ClonedNodes,
  options: BindOptions,
  place: Places,
  guards: Guards,
): Store[] {
  const loads = block.nodes.filter((node) => node.op === 'load' && node.index !== null) as LoadNode[];
  const reads = readsToCheck(b, guards, loads, ({ index }) => mapped(map, index!));
  const stores: Store[] = [];
  const { element, world } = place;
  const port = guards.record!;
  const addressOf = (word: number) => place.address(port, word, b.const(0, 'u32'));
  recordReads(
    b,
    reads,
    {
      substep: () => registerOf(b, options.registers, 'substep'),
      invocation: b.builtin('invocation'),
      element,
      world,
    },
    (word) => b.word(port, word, addressOf(word)),
    (word, value) => {
      const at = { ...addressOf(word), label: portLabel(port), component: word, value };
      stores.push({ ...at, block: b.current, adds: false, isRecord: true });
    },
  );
  return stores;
}

function storeOf(b: Builder, output: KernelOutput, map: ClonedNodes, options: BindOptions, place: Places): Store {
  const { port, component, index, round, value, fallback, accumulator } = output;
  const of = (node: Node): Node => mapped(map, node);
  const at = index && (accumulator ? elementOfAccumulator(b, accumulator, of(index), place.number) : of(index));
  const to = place.address(port, component, at, round && of(round));
  let word = of(value);
  if (fallback) {
    const isNothing = fallback.values.map((v) => b.pure(eq, of(v), b.const(0)));
    const isNowhere = b.pure(ge, word, b.const(fallback.elements, 'u32'));
    const isVain = isNothing.reduce((all, is) => b.pure(and, all, is), isNowhere);
    word = b.select(isVain, b.const(NO_ELEMENT, 'u32'), word);
  }
  if (options.accumulates(port)) word = b.add(b.word(port, component, to), word);
  return {
    ...to,
    label: portLabel(port),
    component,
    value: word,
    block: b.current,
    adds: accumulator !== undefined,
  };
}

function rewriteNode(b: Builder, node: Node, map: ClonedNodes, options: BindOptions, place: Places): Node {
  if (node.op === 'load') {
    const { port, component, index } = node;
    const { indices } = options.binding(port);
    if (indices === 'first') return b.const(0, 'u32');
    if (indices === 'own' && index === null) return place.element;
    const load = (at: Node | null): Node => b.word(port, component, place.address(port, component, at));
    return index === null
      ? load(null)
      : guardedLoad(b, node, options.guards?.byLoad.get(node), mapped(map, index), load);
  }
  if (node.op === 'builtin') {
    switch (node.builtin) {
      case 'element':
      case 'world':
        return place[node.builtin];
      case 'dt':
      case 'previousDt':
      case 'longestDt':
      case 'time':
      case 'nextTime':
        return timeOf(b, node.builtin, options);
      case 'epsilon':
        return b.const(options.precision === 'f64' ? 2 ** -52 : 2 ** -23);
      case 'substepOfFrame':
        return substepOfFrame(b, options);
      case 'substep':
      case 'frame':
        return registerOf(b, options.registers, node.builtin);
      case 'round':
        // Outside of a loop the iteration number is 0.
        return options.round ? registerOf(b, options.registers, options.round) : b.const(0, 'u32');
      case 'invocation':
        return b.builtin('invocation');
    }
  }
  if (node.op === 'pure' && node.primitive === detach) return mapped(map, node.args[0]);
  return cloneNode(b, node, map);
}
