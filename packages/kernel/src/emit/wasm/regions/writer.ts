import type { Block, Node, Region, ResultNode, WordNode } from '../../../form/nodes.ts';
import type { ArrayOperands, Arrays } from '../arrays.ts';
import type { WasmType } from '../format/encoder.ts';

/** Part of a function writer that branches and loops use. */
export interface RegionWriter extends ArrayOperands {
  /** Local with the mask of active lanes; null if all are active. */
  mask: number | null;
  readonly arrays: Arrays;
  typeOf(node: Node): WasmType;
  /** Allocates a local of the current scope. */
  local(type: WasmType): number;
  /** Pops a node's value into a local of the current scope. */
  name(node: Node): number;
  /** Registers a local as the holder of a node's value. */
  keepIn(node: Node, local: number): void;
  /** Returns the used results of a region. */
  resultsOf(region: Region): readonly ResultNode[];
  /** Calls `write`, then releases the locals allocated in it. */
  inScope(write: () => void): void;
  block(of: Block): void;
  /** Returns whether anything is stored at the end of a block. */
  stores(block: Block): boolean;
  /** Calls `write` with every value kept as the scalar of one lane. */
  oneLane(write: () => void): void;
  /** Pushes one vector of contiguous words for the current lane: number `part` (from 0) of those from `word` on. */
  row(word: WordNode, part: number): void;
  /** Pushes an integer or mask as a vector with the same value in all lanes. */
  constant(value: number): void;
}
