import type { Block, Node, Region, ResultNode, WordNode } from '../../form/nodes.ts';
import type { ArrayOperands, Arrays } from './arrays.ts';
import type { WasmType } from './encoder.ts';

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
  /** Releases locals made in `write` when it ends. */
  inScope(write: () => void): void;
  block(of: Block): void;
  /** Returns whether anything is stored at the end of a block. */
  stores(block: Block): boolean;
  /** Runs `write` with all values kept as scalars, those of one lane. */
  oneLane(write: () => void): void;
  /** Pushes vector number `part` of the words from this one on, for the current lane. */
  row(word: WordNode, part: number): void;
  /** Pushes an integer or mask, the same in all lanes. */
  constant(value: number): void;
}
