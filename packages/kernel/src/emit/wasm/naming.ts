import type { Node, Region, ResultNode, WordNode } from '../../form/nodes.ts';
import { everyStatement, isRegion, operandsOf } from '../../form/walk.ts';
import type { BoundKernel } from '../bound-kernel.ts';
import { endsOf } from '../bound-kernel.ts';
import type { NodeMarks } from '../usage.ts';
import { inlinedNodes } from '../usage.ts';
import type { Shapes } from './shape.ts';

/**
 * Maximum nesting depth of an inlined expression; a value nested deeper gets a local, so that emitting the expression
 * recursively does not overflow the stack.
 */
const MAX_NESTING = 200;

/**
 * The nodes of a kernel that get a local, and those that are inlined; the same for one invocation and for all lanes.
 */
export interface Naming {
  /** Flags of values that are inlined at their only use. */
  readonly isInline: Readonly<NodeMarks>;
  /** Values computed once, before the loop over invocations, in order of computation. */
  readonly hoisted: readonly Node[];
  readonly isHoisted: Readonly<NodeMarks>;
  /** Flags of values kept as scalars that vector values are computed from. */
  readonly isSpread: Readonly<NodeMarks>;
  /** For each region, those of its results that are used. */
  readonly results: ReadonlyMap<Region, readonly ResultNode[]>;
  readonly words: readonly WordNode[];
}

export function namingOf({ root, stores }: BoundKernel, shapes: Shapes): Naming {
  const hoisted = root.nodes.filter(
    (node): node is Node => !isRegion(node) && node.op !== 'const' && shapes.get(node)!.invariant,
  );
  const isHoisted: NodeMarks = [];
  for (const { id } of hoisted) isHoisted[id] = true;
  const isInline = inlinedNodes(root, endsOf(stores));
  const isSpread: NodeMarks = [];
  const results = new Map<Region, ResultNode[]>();
  const words: WordNode[] = [];
  for (const of of everyStatement(root)) {
    const operands = operandsOf(of);
    const isWithin = isRegion(of) || !isHoisted[of.id];
    const differs = isRegion(of) || shapes.get(of)!.stride === null;
    for (let k = 0; k < operands.length; k++) {
      const { id } = operands[k];
      // Values used within the loop over invocations are named, even if used once.
      if (isWithin && isHoisted[id]) isInline[id] = false;
      if (differs) isSpread[id] = true;
    }
    if (of.op === 'word') words.push(of);
    if (of.op !== 'result') continue;
    const known = results.get(of.region);
    if (known) known.push(of);
    else results.set(of.region, [of]);
  }
  for (const { address, value } of stores)
    for (const { id } of [address, value]) if (isHoisted[id]) isInline[id] = false;
  if (shapes.nodes.length > MAX_NESTING) nameDeep(isInline, shapes);
  return { isInline, hoisted, isHoisted, isSpread, results, words };
}

/** Gives locals to values within expressions that would be nested too deeply. */
function nameDeep(isInline: NodeMarks, shapes: Shapes): void {
  const depths: number[] = [];
  for (const node of shapes.nodes) {
    if (!isInline[node.id]) continue;
    const operands = operandsOf(node);
    let depth = 1;
    for (let k = 0; k < operands.length; k++) depth = Math.max(depth, 1 + (depths[operands[k].id] ?? 0));
    if (depth > MAX_NESTING) isInline[node.id] = false;
    else depths[node.id] = depth;
  }
}
