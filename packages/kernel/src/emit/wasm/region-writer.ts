import type { Block, Node, Region, ResultNode, WordNode } from '../../form/nodes.ts';
import type { ArrayOperands, Arrays } from './arrays.ts';
import type { WasmType } from './encoder.ts';

/** Part of a function writer that branches and loops use. */
export interface RegionWriter extends ArrayOperands {
  /** A local with ones for the lanes that take part; null where all do. */
  mask: number | null;
  readonly arrays: Arrays;
  typeOf(node: Node): WasmType;
  /** A local of the current scope. */
  local(type: WasmType): number;
  /** Takes a node's value from the stack into a local of the current scope. */
  name(node: Node): number;
  /** Says that a node's value is in a local. */
  keepIn(node: Node, local: number): void;
  /** Results of a region that are used. */
  resultsOf(region: Region): readonly ResultNode[];
  /** Locals made in `write` end with it. */
  inScope(write: () => void): void;
  block(of: Block): void;
  /** Whether something is stored at the end of a block. */
  stores(block: Block): boolean;
  /** Within `write` all values are those of one lane, kept as scalars. */
  oneLane(write: () => void): void;
  /** Puts vector number `part` of the words from this one on on the stack, for the lane at hand. */
  row(word: WordNode, part: number): void;
  /** Puts a whole number, or a mask, on the stack, the same in all lanes. */
  constant(value: number): void;
}
