import type { Block, Builtin, ConstNode, Loop, LoopBlock, Node, RangeRegion, Region, Statement } from './nodes.ts';

export const isRegion = (statement: Statement): statement is Region =>
  statement.op === 'if' || statement.op === 'range' || statement.op === 'while';

/** Returns the display name of a node. */
export const nodeName = (node: Node): string => (node.op === 'pure' ? node.primitive.name : node.op);

export function blocksOf(region: Region): readonly Block[] {
  switch (region.op) {
    case 'if':
      return [region.then, region.otherwise];
    case 'range':
      return [region.body];
    case 'while':
      return [region.test, region.body];
  }
}

/** Returns the region that a block belongs to; null for the root. */
export function regionOf(block: Block): Region | null {
  if (block.kind === 'root') return null;
  return block.kind === 'side' ? block.branch : block.loop;
}

/** Returns whether a loop has the same iterations for every element. */
export const isConstantRange = (region: Region): region is ConstantRange =>
  region.op === 'range' && region.start.op === 'const' && region.end.op === 'const';
export type ConstantRange = RangeRegion & { readonly start: ConstNode; readonly end: ConstNode };
export const roundsOf = ({ start, end }: ConstantRange): number => Math.max(0, end.value - start.value);

/** Returns all statements of a block, including those in the blocks of its regions. */
export function everyStatement(block: Block): readonly Statement[] {
  const all: Statement[] = [];
  const visit = (statement: Statement): void => {
    all.push(statement);
    if (isRegion(statement)) for (const inner of blocksOf(statement)) inner.nodes.forEach(visit);
  };
  block.nodes.forEach(visit);
  return all;
}

/** Returns the builtins that a block uses. */
export const builtinsOf = (block: Block): ReadonlySet<Builtin> =>
  new Set(everyStatement(block).flatMap((node) => (node.op === 'builtin' ? [node.builtin] : [])));

/** Returns the blocks of a loop, each of which receives the carried values. */
export const carryingBlocks = (loop: Loop): readonly LoopBlock[] =>
  loop.op === 'range' ? [loop.body] : [loop.test, loop.body];

/**
 * Returns the results of a branch's `then` side, or of a loop's body: as many as the region has, of the same types and
 * in the same order.
 */
export const givenBy = (region: Region): readonly Node[] =>
  region.op === 'if' ? region.then.results : region.body.results;

const NO_OPERANDS: readonly Node[] = [];

/** Returns the operands of a statement: arguments of a node; condition, bounds and initial values of a region. */
export function operandsOf(statement: Statement): readonly Node[] {
  switch (statement.op) {
    // Tested first: nearly all nodes are pure.
    case 'pure':
      return statement.args;
    case 'const':
    case 'builtin':
    case 'register':
    case 'counter':
    case 'param':
    case 'result':
      return NO_OPERANDS;
    case 'load':
      return statement.index ? [statement.index] : NO_OPERANDS;
    case 'word':
      return [statement.address];
    case 'fill':
      return statement.value ? [statement.value] : NO_OPERANDS;
    case 'get':
      return [statement.array, statement.index];
    case 'set':
      return [statement.array, statement.index, statement.value];
    case 'if':
      return [statement.condition];
    case 'range':
      return [statement.start, statement.end, ...statement.initial];
    case 'while':
      return statement.initial;
  }
}

/** Returns the first created of all nodes with the same value as this one, in whatever branch. */
export const firstOf = (node: Node): Node => node.first ?? node;

/** Returns whether `inner` is `outer` or lies within it. */
export function isWithinBlock(inner: Block, outer: Block): boolean {
  let block: Block | null = inner;
  while (block !== null && block.depth > outer.depth) block = block.parent;
  return block === outer;
}
