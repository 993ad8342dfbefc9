import type { KernelSpec, KernelUse, PassTree, PortSpec, ProductSpec, Program } from './program.ts';
import { keyOf } from './program.ts';

/** Returns the lists of passes that a group contains, including those of a block's derivatives. */
export const listsOf = (tree: PassTree): readonly (readonly PassTree[])[] => {
  if (tree.kind === 'block') return [tree.passes, tree.vjp, tree.jvp];
  return tree.kind === 'repeat' || tree.kind === 'iterate' ? [tree.passes] : [];
};

/** Returns a pass and all passes nested in it. */
export const allIn = (tree: PassTree): PassTree[] => [tree, ...listsOf(tree).flat().flatMap(allIn)];
/** Returns all passes of a program, including nested ones. */
export const allTrees = (program: Program): PassTree[] => program.passes.flatMap(({ pass }) => allIn(pass));

const isUse = (tree: PassTree): tree is KernelUse => tree.kind === 'kernel';
export const usesIn = (tree: PassTree): KernelUse[] => allIn(tree).filter(isUse);
export const allUses = (program: Program): KernelUse[] => allTrees(program).filter(isUse);
export const allProducts = (program: Program): ProductSpec[] =>
  allTrees(program).filter((tree): tree is ProductSpec => tree.kind === 'product');

/** Returns the pass with each use of a kernel in it replaced by `turn` of it. */
export function mapUses(tree: PassTree, turn: (use: KernelUse) => KernelUse): PassTree {
  const all = (list: readonly PassTree[]): PassTree[] => list.map((one) => mapUses(one, turn));
  switch (tree.kind) {
    case 'kernel':
      return turn(tree);
    case 'product':
      return tree;
    case 'block':
      return { ...tree, passes: all(tree.passes), vjp: all(tree.vjp), jvp: all(tree.jvp) };
    default:
      return { ...tree, passes: all(tree.passes) };
  }
}

/** Returns the key of the field that a port of a kernel is bound to. */
export function portKey(
  kernel: KernelSpec,
  { domain, kind, name }: PortSpec,
  rename: Readonly<Record<string, string>>,
): string {
  const over = domain ?? (kind === 'perWorld' ? 'world' : kernel.domain);
  return keyOf({ domain: over, name: rename[name] ?? name });
}
