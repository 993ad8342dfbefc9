import { Builder } from '../language/builder.ts';
import type { NodeMap } from '../language/clone.ts';
import { cloneBlock, cloneNode, mapped } from '../language/clone.ts';
import type { Block, KernelForm, Node, Port } from '../language/form.ts';
import { NOWHERE } from '../language/leaving.ts';
import { simplify } from '../language/simplify.ts';
import { min } from '../primitives/arithmetic.ts';
import { and, or } from '../primitives/bits.ts';
import { eq, ge, lt, ne } from '../primitives/comparison.ts';
import { portOf } from './jobs.ts';
import type { Shape } from './places.ts';
import type { Site } from './sites.ts';

// Additions in loops of which nobody knows how many rounds they make: there is no slot for each. So that they add where
// they happen, in an order that does not depend on threads, a kernel's elements are dealt out to so many invocations, each
// of which goes through its own and adds to a copy of the target that is its alone; then the copies are summed.

/** The most invocations that elements are dealt out to. */
const MOST_COPIES = 64;
/** Invocations that run side by side in the lanes of a vector. */
const LEAST_COPIES = 4;
/** The words that all copies may have, unless the fewest have more. */
const MOST_WORDS = 2 ** 24;
/** For how many targets, at most, a copy has to be cleared and summed for each element that adds to it. */
const TARGETS_PER_ELEMENT = 4;

/** How many copies of a target there are to be, a power of two. */
export function copiesFor(elements: number, { elements: targets, components, worlds }: Shape): number {
  const least = worlds >= LEAST_COPIES ? 1 : LEAST_COPIES;
  const ofWork = (TARGETS_PER_ELEMENT * elements) / Math.max(1, targets);
  const ofMemory = MOST_WORDS / Math.max(1, targets * components * worlds);
  const most = Math.min(MOST_COPIES, ofWork, ofMemory);
  return Math.max(least, 2 ** Math.floor(Math.log2(Math.max(1, most))));
}

/** The ports of a site whose additions go to copies. */
export interface CopiesPorts {
  /** The copies, one after another, each with a spare element for what goes nowhere. */
  readonly copies: Port;
  /** The record of a loss, one an invocation: the substep + 1, the element and the index. */
  readonly lost: Port;
  readonly lostBefore: Port;
}

/** Elements of a copy. */
export const sizeOfCopy = (targets: number): number => targets + 1;

export interface CopiedSite {
  readonly site: Site;
  /** How many elements there are to add to. */
  readonly targets: number;
}

/** The kernel that goes through `elements` in so many invocations, and does nothing but these additions. */
export function copiesForm(
  form: KernelForm,
  sites: readonly CopiedSite[],
  elements: number,
  copies: number,
): { readonly form: KernelForm; readonly ports: readonly CopiesPorts[] } {
  const b = new Builder(`${form.name}_to_copies`, { sourceName: form.name });
  const u32 = (value: number): Node => b.const(value, 'u32');
  const ports = sites.map(({ site }, k) => portsOf(site.port, k));
  const sunk = sites.map(({ site }) => sink(site));
  const copy = b.builtin('element');
  const share = Math.floor(elements / copies);
  const rest = elements % copies;
  const end = rest === 0 ? u32(share) : b.select(b.pure(lt, copy, u32(rest)), u32(share + 1), u32(share));
  const body = b.openRange();
  // Neighbours go side by side: they read what lies side by side.
  const element = b.add(b.mul(body.counter, u32(copies)), copy);
  const write = (_: Builder, node: Node, map: NodeMap): Node => {
    if (node.op === 'builtin' && node.builtin === 'element') return element;
    if (node.op === 'load' && node.index === null) return b.load(node.port, node.component, element);
    return cloneNode(b, node, map);
  };
  cloneBlock(b, form.root, new Map(), write, (block, map) => {
    const here = sunk.flatMap(({ block: at, index, values }, k): Added[] => {
      const of = (node: Node): Node => mapped(map, node);
      return at === block ? [{ ...sites[k], ports: ports[k], index: of(index), values: values.map(of) }] : [];
    });
    if (here.length > 0) addTo(b, here, copy, element);
  });
  b.closeBlock(body);
  b.range(u32(0), end, [], body);
  const all = [...form.ports.filter(({ access }) => access === 'read'), ...ports.flatMap(Object.values)];
  const added: KernelForm = {
    name: b.kernelName,
    domain: 'copies',
    ports: all,
    root: b.root,
    outputs: b.outputs,
  };
  return { form: simplify(added), ports };
}

function portsOf({ name, components, scalar }: Port, k: number): CopiesPorts {
  return {
    copies: { ...portOf(`${name}_${k}`, 'write', scalar, components, 'copies'), isTally: true },
    lost: portOf(`lost_${k}`, 'write', 'u32', 3, ''),
    lostBefore: portOf(`lost_${k}`, 'read', 'u32', 3, ''),
  };
}

interface Sunk {
  readonly block: Block;
  readonly index: Node;
  readonly values: readonly Node[];
}

/** An addition that came out of branches, brought back to the side that gives it: the other has nothing to add. */
function sink({ index, outputs }: Site): Sunk {
  let at: Sunk = { block: outputs[0].block, index: index!, values: outputs.map(({ value }) => value) };
  for (let inner = sideOf(at); inner; inner = sideOf(at)) at = inner;
  return at;
}

function sideOf({ block, index, values }: Sunk): Sunk | null {
  if (index.op !== 'result' || index.region.op !== 'if' || index.region.block !== block) return null;
  const { region, position } = index;
  const isNowhere = (node: Node): boolean => node.op === 'const' && node.value === NOWHERE;
  const [side, other] = isNowhere(region.otherwise.results[position])
    ? [region.then, region.otherwise]
    : [region.otherwise, region.then];
  if (!isNowhere(other.results[position])) return null;
  const inside = values.map((value) =>
    value.op === 'result' && value.region === region ? side.results[value.position] : null,
  );
  if (!inside.every((value) => value !== null)) return null;
  return { block: side, index: side.results[position], values: inside };
}

/** An addition where it happens. */
interface Added extends CopiedSite {
  readonly ports: CopiesPorts;
  readonly index: Node;
  readonly values: readonly Node[];
}

/** Adds to the copies of an invocation; records the additions that go to no element. */
function addTo(b: Builder, additions: readonly Added[], copy: Node, element: Node): void {
  const u32 = (value: number): Node => b.const(value, 'u32');
  const isLost = additions.map(({ site, targets, ports, index, values }) => {
    const at = b.add(b.mul(copy, u32(sizeOfCopy(targets))), b.pure(min, index, u32(targets)));
    site.outputs.forEach(({ component }, k) => {
      const value = values[k];
      b.outputHere({ port: ports.copies, component, index: at, value, round: null, rounds: 1 });
    });
    return b.pure(and, b.pure(ge, index, u32(targets)), b.pure(ne, index, u32(NOWHERE)));
  });
  // Of what is never lost, no more is looked at.
  when(
    b,
    isLost.reduce((some, is) => b.pure(or, some, is)),
    () => {
      additions.forEach(({ ports, index, values }, k) => {
        const isSomething = values
          .map((value) => b.pure(ne, value, b.const(0)))
          .reduce((some, is) => b.pure(or, some, is));
        when(b, b.pure(and, isLost[k], isSomething), () => record(b, ports, element, index));
      });
    },
  );
}

/** Records a loss, unless there is one already. */
function record(b: Builder, { lost, lostBefore }: CopiesPorts, element: Node, index: Node): void {
  const isFirst = b.pure(eq, b.load(lostBefore, 0, null), b.const(0, 'u32'));
  const words = [b.add(b.builtin('substep'), b.const(1, 'u32')), element, index];
  words.forEach((word, component) => {
    const value = b.select(isFirst, word, b.load(lostBefore, component, null));
    b.outputHere({ port: lost, component, index: null, value, round: null, rounds: 1 });
  });
}

function when(b: Builder, condition: Node, write: () => void): void {
  const then = b.openSide();
  write();
  b.closeBlock(then);
  const otherwise = b.openSide();
  b.closeBlock(otherwise);
  b.if(condition, then, otherwise);
}
