import { Builder } from '../language/builder.ts';
import type { NodeMap } from '../language/clone.ts';
import { cloneBlock, cloneNode, mapped } from '../language/clone.ts';
import type { KernelForm, Node, Port, Register, RootBlock } from '../language/form.ts';
import { everyStatement, portLabel } from '../language/form.ts';
import { removeUnused } from '../language/simplify.ts';
import { div } from '../primitives/arithmetic.ts';
import { detach } from '../primitives/choice.ts';

/** Where a field lies, in words: `offset + register * registerStride + component, element and world times their strides`. */
export interface Binding {
  readonly buffer: 'f32' | 'u32';
  readonly offset: number;
  readonly register?: Register;
  readonly registerStride?: number;
  readonly componentStride: number;
  readonly elementStride: number;
  readonly worldStride: number;
}

/** Words that a kernel reads or writes. Two reaches can meet where their regions are the same and their words overlap. */
export interface Reach {
  readonly region: string;
  readonly from: number;
  readonly to: number;
  /** How many of them one dispatch reaches. */
  readonly words: number;
}

/** A reach, and whether every invocation keeps to the words of its own element and world. */
export interface Access extends Reach {
  readonly isOwn: boolean;
}

export interface Store {
  readonly buffer: 'f32' | 'u32';
  readonly label: string;
  readonly component: number;
  readonly offset: number;
  readonly address: Node;
  readonly value: Node;
}

/** What stores use. */
export const endsOf = (stores: readonly Store[]): Node[] => stores.flatMap((s) => [s.address, s.value]);

/** A kernel with its place in memory: one function of the invocation number, ready for any device. */
export interface BoundKernel {
  readonly name: string;
  /** How many invocations: elements times worlds. */
  readonly invocations: number;
  readonly root: RootBlock;
  readonly stores: readonly Store[];
  /** Kernels of one grouping have the same element and world at the same invocation. */
  readonly grouping: string;
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
}

export interface BindOptions {
  readonly elements: number;
  readonly worlds: number;
  /** Whether neighbouring invocations are worlds of one element, or elements of one world. */
  readonly worldsInner: boolean;
  readonly dt: number;
  readonly binding: (port: Port) => Binding;
  /** Whether an output adds to what is there (true) or replaces it. */
  readonly accumulates: (port: Port) => boolean;
  /** What a port's words reach over, all of them or those of own elements. Without it, anything. */
  readonly reach?: (port: Port, isOwn: boolean) => Reach;
  /** Whether operations are written in others where a device may have no instruction for them. */
  readonly lowers?: boolean;
}

/** Turns loads and outputs into words at addresses. */
export function bindKernel(form: KernelForm, options: BindOptions): BoundKernel {
  const b = new Builder(form.name, { lowers: options.lowers });
  const place = places(b, options);
  const map: NodeMap = new Map();
  cloneBlock(b, form.root, map, (_, node, inner) => rewriteNode(b, node, inner, options, place));
  const stores = form.outputs.map(({ port, component, index, value }): Store => {
    const { address, offset, buffer } = place.address(port, component, index && mapped(map, index));
    let word = mapped(map, value);
    if (options.accumulates(port)) {
      word = b.add(b.word(port, component, address, offset), word);
    }
    return { buffer, label: portLabel(port), component, offset, address, value: word };
  });
  removeUnused(b.root, endsOf(stores));
  const { elements, worlds, worldsInner } = options;
  return {
    name: form.name,
    invocations: elements * worlds,
    root: b.root,
    stores,
    grouping: `${elements} ${worlds} ${worldsInner}`,
    ...accesses(form, options),
  };
}

function accesses(
  form: KernelForm,
  { reach, accumulates }: BindOptions,
): Pick<BoundKernel, 'reads' | 'writes'> {
  const access = (port: Port, isOwn: boolean): Access => ({
    ...(reach?.(port, isOwn) ?? EVERYWHERE),
    isOwn: isOwn && reach !== undefined,
  });
  const reads: Access[] = [];
  for (const node of everyStatement(form.root))
    if (node.op === 'load') reads.push(access(node.port, node.index === null));
  const writes = form.outputs.map(({ port, index }) => access(port, index === null));
  form.outputs.forEach(({ port }, k) => {
    if (accumulates(port)) reads.push(writes[k]);
  });
  return { reads, writes };
}

const EVERYWHERE: Reach = { region: '', from: 0, to: Number.POSITIVE_INFINITY, words: 0 };

function places(b: Builder, { elements, worlds, worldsInner, binding }: BindOptions) {
  const constant = (value: number): Node => b.const(value, 'u32');
  const invocation = b.builtin('invocation');
  const inner = worldsInner ? worlds : elements;
  const outerIndex = inner === 1 ? invocation : b.pure(div, invocation, constant(inner));
  const innerIndex = inner === 1 ? constant(0) : b.sub(invocation, b.mul(outerIndex, constant(inner)));
  const element =
    elements === 1 ? constant(0) : worldsInner ? outerIndex : worlds === 1 ? invocation : innerIndex;
  const world =
    worlds === 1 ? constant(0) : worldsInner ? (elements === 1 ? invocation : innerIndex) : outerIndex;
  const ownStride = worldsInner ? { element: worlds, world: 1 } : null;
  return {
    element,
    world,
    address(
      port: Port,
      component: number,
      index: Node | null,
    ): { address: Node; offset: number; buffer: 'f32' | 'u32' } {
      const at = binding(port);
      const isOwn = index === null && ownStride !== null;
      let address =
        isOwn && at.elementStride === ownStride.element && (at.worldStride === 1 || worlds === 1)
          ? invocation
          : b.add(
              b.mul(index ?? element, constant(at.elementStride)),
              b.mul(world, constant(at.worldStride)),
            );
      if (at.register) {
        address = b.add(address, b.mul(b.register(at.register), constant(at.registerStride ?? 0)));
      }
      return { address, offset: at.offset + component * at.componentStride, buffer: at.buffer };
    },
  };
}

type Places = ReturnType<typeof places>;

function rewriteNode(b: Builder, node: Node, map: NodeMap, options: BindOptions, place: Places): Node {
  if (node.op === 'load') {
    const { port, component, index } = node;
    const { address, offset } = place.address(port, component, index && mapped(map, index));
    return b.word(port, component, address, offset);
  }
  if (node.op === 'builtin') {
    switch (node.builtin) {
      case 'element':
      case 'world':
        return place[node.builtin];
      case 'dt':
        return b.const(options.dt);
      case 'substep':
      case 'frame':
        return b.register(node.builtin);
      case 'invocation':
        return b.builtin('invocation');
    }
  }
  if (node.op === 'pure' && node.primitive === detach) return mapped(map, node.args[0]);
  return cloneNode(b, node, map);
}
