import type { KernelForm, Output } from '../form/kernel-form.ts';
import type { Block, LoadNode, Node, RootBlock } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import { portLabel } from '../form/port.ts';
import type { Precision } from '../form/types.ts';
import { everyStatement } from '../form/walk.ts';
import { Builder } from '../language/builder.ts';
import type { NodeMap } from '../language/clone.ts';
import { cloneBlock, cloneNode, mapped } from '../language/clone.ts';
import { NO_ELEMENT } from '../language/no-element.ts';
import { removeUnused } from '../language/simplify.ts';
import { div } from '../primitives/arithmetic.ts';
import { and } from '../primitives/bits.ts';
import { detach } from '../primitives/choice.ts';
import { eq, ge } from '../primitives/comparison.ts';
import type { MayBeLost } from './accumulators.ts';
import { elementOfAccumulator, overPartition, recordLost } from './accumulators.ts';
import type { Guards } from './guards.ts';
import { guardedLoad, readsToCheck, recordReads } from './guards.ts';
import type { End } from './usage.ts';

/** Address of a value in words: `offset + register * registerStride + component, element and world times their strides`. */
export interface Binding {
  readonly buffer: 'f32' | 'u32';
  readonly offset: number;
  /** One of the registers that the kernel is bound with. */
  readonly register?: string;
  readonly registerStride?: number;
  readonly componentStride: number;
  readonly elementStride: number;
  readonly worldStride: number;
}

/** Words that a kernel reads or writes. Two reaches can meet where their regions are the same and their words overlap. */
export interface Reach {
  readonly region: string | symbol;
  readonly from: number;
  readonly to: number;
  /** Number of them that one dispatch reaches. */
  readonly words: number;
}

/** A reach, of which arena, and whether every invocation keeps to the words of its own element and world. */
export interface Access extends Reach {
  readonly arena: 'f32' | 'u32';
  readonly isOwn: boolean;
}

export interface Store {
  readonly buffer: 'f32' | 'u32';
  readonly label: string;
  readonly component: number;
  readonly offset: number;
  readonly address: Node;
  readonly value: Node;
  /** Block at whose end it is stored: the root, a side of a branch, or the body of a loop, in every round. */
  readonly block: Block;
  /** Whether it adds to a word, after the stores before it. No other invocation reads or writes there. */
  readonly adds: boolean;
  /** Whether it records that something went wrong: any invocation may do so, in words that only records have. */
  readonly isRecord?: boolean;
}

/** Nodes that stores use, with their blocks. */
export const endsOf = (stores: readonly Store[]): End[] =>
  stores.flatMap(({ address, value, block }) => [address, value].map((node) => ({ node, block })));

/** Reads and writes of a kernel, which decide what may run beside it. */
export interface Footprint {
  /** Kernels of one grouping have the same element and world at the same invocation. */
  readonly grouping: string;
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
}

/** A kernel with its place in memory: one function of the invocation number, ready for any device. */
export interface BoundKernel extends Footprint {
  readonly name: string;
  /** Number of invocations: elements times worlds. */
  readonly invocations: number;
  /** Names of the numbers that change from run to run, in the order of a row of them. */
  readonly registers: readonly string[];
  readonly root: RootBlock;
  readonly stores: readonly Store[];
  /** Whether threads may share its invocations out: none writes to words that another reads or writes. */
  readonly isPartable: boolean;
}

export interface BindOptions {
  readonly elements: number;
  /** Number of invocations of a world that elements are partitioned among; without it, each element has one. */
  readonly partitions?: number;
  readonly worlds: number;
  /** Whether neighbouring invocations are worlds of one element, or elements of one world. */
  readonly worldsInner: boolean;
  readonly dt: number;
  /** Precision of the device; f32 by default. */
  readonly precision?: Precision;
  /** Names of registers. Kernels that ask for `substep` or `frame` find them in those of that name. */
  readonly registers: readonly string[];
  /** The register that holds the number of the round, for a kernel in a loop of kernels. */
  readonly round?: string;
  readonly binding: (port: Port) => Binding;
  /** Whether an output adds to what is there (true) or replaces it. */
  readonly accumulates: (port: Port) => boolean;
  /**
   * What a port's words reach over: all of them or, where it is not null, so many for each of the own elements. Without
   * it, anything.
   */
  readonly reach?: (port: Port, ofOwn: number | null) => Reach;
  /** Bounds of loads at indices; without it, all are taken to be in range. */
  readonly guards?: Guards;
  /** Whether operations are written in others where a device may have no instruction for them. */
  readonly lowers?: boolean;
}

/** Number of invocations of a kernel. */
export const invocationsOf = ({
  elements,
  partitions,
  worlds,
}: Pick<BindOptions, 'elements' | 'partitions' | 'worlds'>): number => (partitions ?? elements) * worlds;

/** Turns loads and outputs into words at addresses. */
export function bindKernel(form: KernelForm, options: BindOptions): BoundKernel {
  const { elements, partitions, lowers, registers, precision = 'f32' } = options;
  const b = new Builder(form.name, { lowersFor: lowers ? precision : null });
  const invocation = invocationIn(b, options);
  const stores = new Map<Output, Store>();
  const lost: Store[] = [];
  const write = (element: Node): void => {
    const place = places(b, options, invocation, element);
    const rewrite = (_: Builder, node: Node, map: NodeMap): Node => rewriteNode(b, node, map, options, place);
    cloneBlock(b, form.root, new Map(), rewrite, (block, map) => {
      const here = form.outputs.filter((output) => output.block === block);
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
  const footprint = footprintOf(form, options);
  return {
    name: form.name,
    invocations: invocationsOf(options),
    registers,
    root: b.root,
    stores: ordered,
    ...footprint,
    // With one element, an invocation is a world, and no world writes to another.
    isPartable: elements === 1 || footprint.writes.every((access) => access.isOwn),
  };
}

/** The stores of records of what outputs at the end of a block lose. */
function lossesOf(b: Builder, outputs: readonly Output[], map: NodeMap, options: BindOptions, place: Places): Store[] {
  const stores: Store[] = [];
  const additions = outputs.flatMap(({ accumulator, index }): MayBeLost[] => {
    if (!accumulator?.lost) return [];
    const values = accumulator.values?.map((value) => mapped(map, value)) ?? null;
    return [{ lost: accumulator.lost, elements: accumulator.elements, index: mapped(map, index!), values }];
  });
  recordLost(
    b,
    additions,
    place.element,
    () => registerOf(b, options.registers, 'substep'),
    (port, component) => {
      const { address, offset } = place.address(port, component, null);
      return b.word(port, component, address, offset);
    },
    (port, component, value) => {
      const at = place.address(port, component, null);
      stores.push({ ...at, label: portLabel(port), component, value, block: b.current, adds: false });
    },
  );
  return stores;
}

/** The stores of the record of reads in a block that are out of range. */
function readsOf(b: Builder, block: Block, map: NodeMap, options: BindOptions, place: Places, guards: Guards): Store[] {
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
    (word) => {
      const { address, offset } = addressOf(word);
      return b.word(port, word, address, offset);
    },
    (word, value) => {
      const at = { ...addressOf(word), label: portLabel(port), component: word, value };
      stores.push({ ...at, block: b.current, adds: false, isRecord: true });
    },
  );
  return stores;
}

function storeOf(b: Builder, output: Output, map: NodeMap, options: BindOptions, place: Places): Store {
  const { port, component, index, round, value, fallback, accumulator } = output;
  const of = (node: Node): Node => mapped(map, node);
  const at =
    index && (accumulator ? elementOfAccumulator(b, accumulator.elements, of(index), place.number) : of(index));
  const { address, offset, buffer } = place.address(port, component, at, round && of(round));
  let word = of(value);
  if (fallback) {
    const isNothing = fallback.values.map((v) => b.pure(eq, of(v), b.const(0)));
    const isNowhere = b.pure(ge, word, b.const(fallback.elements, 'u32'));
    const isVain = isNothing.reduce((all, is) => b.pure(and, all, is), isNowhere);
    word = b.select(isVain, b.const(NO_ELEMENT, 'u32'), word);
  }
  if (options.accumulates(port)) word = b.add(b.word(port, component, address, offset), word);
  return {
    buffer,
    label: portLabel(port),
    component,
    offset,
    address,
    value: word,
    block: b.current,
    adds: accumulator !== undefined,
  };
}

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
  for (const node of everyStatement(form.root)) if (node.op === 'load') reads.add(access(node.port, node.index));
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

/** Number of an invocation within its world, and the world. */
interface Invocation {
  readonly number: Node;
  readonly world: Node;
}

function invocationIn(b: Builder, { elements, partitions, worlds, worldsInner }: BindOptions): Invocation {
  const constant = (value: number): Node => b.const(value, 'u32');
  const count = partitions ?? elements;
  const invocation = b.builtin('invocation');
  const inner = worldsInner ? worlds : count;
  const outerIndex = inner === 1 ? invocation : b.pure(div, invocation, constant(inner));
  const innerIndex = inner === 1 ? constant(0) : b.sub(invocation, b.mul(outerIndex, constant(inner)));
  const number = count === 1 ? constant(0) : worldsInner ? outerIndex : worlds === 1 ? invocation : innerIndex;
  const world = worlds === 1 ? constant(0) : worldsInner ? (count === 1 ? invocation : innerIndex) : outerIndex;
  return { number, world };
}

function places(
  b: Builder,
  { elements, partitions, worlds, worldsInner, registers, binding }: BindOptions,
  { number, world }: Invocation,
  element: Node,
) {
  const constant = (value: number): Node => b.const(value, 'u32');
  const ownStride = worldsInner && partitions === undefined ? { element: worlds, world: 1 } : null;
  return {
    number,
    element,
    world,
    address(
      port: Port,
      component: number,
      index: Node | null,
      round: Node | null = null,
    ): { address: Node; offset: number; buffer: 'f32' | 'u32' } {
      const at = binding(port);
      const isOwn = index === null && ownStride !== null;
      let address =
        isOwn && at.elementStride === ownStride.element && (at.worldStride === 1 || worlds === 1)
          ? b.builtin('invocation')
          : b.add(
              b.mul(index ?? (port.isAccumulator ? number : element), constant(at.elementStride)),
              b.mul(world, constant(at.worldStride)),
            );
      if (round) address = b.add(address, b.mul(round, constant(elements * at.elementStride)));
      if (at.register) {
        const register = registerOf(b, registers, at.register);
        address = b.add(address, b.mul(register, constant(at.registerStride ?? 0)));
      }
      return { address, offset: at.offset + component * at.componentStride, buffer: at.buffer };
    },
  };
}

function registerOf(b: Builder, registers: readonly string[], name: string): Node {
  if (registers.includes(name)) return b.register(name);
  throw new Error(
    `kernel ${b.kernelName} needs the register "${name}"; it is bound with ${registers.join(', ') || 'none'}.`,
  );
}

type Places = ReturnType<typeof places>;

function rewriteNode(b: Builder, node: Node, map: NodeMap, options: BindOptions, place: Places): Node {
  if (node.op === 'load') {
    const { port, component, index } = node;
    const load = (at: Node | null): Node => {
      const { address, offset } = place.address(port, component, at);
      return b.word(port, component, address, offset);
    };
    return index === null ? load(null) : guardedLoad(b, node, options.guards?.of.get(node), mapped(map, index), load);
  }
  if (node.op === 'builtin') {
    switch (node.builtin) {
      case 'element':
      case 'world':
        return place[node.builtin];
      case 'dt':
        return b.const(options.dt);
      case 'epsilon':
        return b.const(options.precision === 'f64' ? 2 ** -52 : 2 ** -23);
      case 'substep':
      case 'frame':
        return registerOf(b, options.registers, node.builtin);
      case 'round':
        // Where there are no rounds, it is the first.
        return options.round ? registerOf(b, options.registers, options.round) : b.const(0, 'u32');
      case 'invocation':
        return b.builtin('invocation');
    }
  }
  if (node.op === 'pure' && node.primitive === detach) return mapped(map, node.args[0]);
  return cloneNode(b, node, map);
}
