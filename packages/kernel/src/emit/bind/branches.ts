import type { Node } from '../../form/nodes.ts';
import type { Builder } from '../../language/builder.ts';
import { or } from '../../primitives/bits.ts';

export const anyOf = (b: Builder, conditions: readonly Node[]): Node =>
  conditions.reduce((some, is) => b.pure(or, some, is));

/** Emits a branch: `write` emits the code that runs if the condition holds. */
export function emitIf(b: Builder, condition: Node, write: () => void): void {
  const side = (inside: () => void): ReturnType<Builder['openSide']> => {
    const block = b.openSide();
    inside();
    b.closeBlock(block);
    return block;
  };
  b.if(
    condition,
    side(write),
    side(() => {}),
  );
}
