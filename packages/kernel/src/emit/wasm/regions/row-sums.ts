import type { RangeRegion, Statement, WordNode } from '../../../form/nodes.ts';
import { operandsOf } from '../../../form/walk.ts';
import { add } from '../../../primitives/arithmetic.ts';
import { argumentsOf } from '../../../primitives/primitive.ts';
import { SCALAR_OPCODES } from '../format/opcodes.ts';
import { extractWhole } from '../lane-code.ts';
import type { RegionWriter } from './writer.ts';

/** Maximum number of words in a row. */
const MAX_ROW_WORDS = 4;

/** A loop that sums rows of contiguous words: a sum over the slots of an element. */
interface RowSum {
  readonly loop: RangeRegion;
  /** Words of the row, in the order of their addresses. */
  readonly wordNodes: readonly WordNode[];
}

/**
 * Recognises a loop as a sum of rows: every carried value starts from 0 and adds a word, the words are contiguous, and
 * their address depends only on the counter and on values that are the same in all lanes.
 */
export function rowSumOf(w: RegionWriter, loop: RangeRegion): RowSum | null {
  const { counter, params: sums, results, nodes } = loop.body;
  if (w.mask !== null || sums.length < 2 || sums.length > MAX_ROW_WORDS) return null;
  if (nodes.some(({ op }) => op !== 'const' && op !== 'word' && op !== 'pure')) return null;
  if (w.stores(loop.body)) return null;
  if (loop.initial.some((start) => start.op !== 'const' || start.value !== 0)) return null;
  const words = results.flatMap((next, c): WordNode[] => {
    const [sum, word] = argumentsOf(next, add) ?? [];
    return sum === sums[c] && word?.op === 'word' && word.type === 'f32' ? [word] : [];
  });
  const [first] = words;
  const isRow =
    words.length === sums.length &&
    words.every(
      ({ address, base, offset }, c) => address === first.address && base === first.base && offset === first.offset + c,
    );
  if (!isRow) return null;
  const inside = new Set<Statement>([...nodes, counter, ...sums]);
  const isPlain = nodes.every((node) =>
    operandsOf(node).every((operand) => inside.has(operand) || !w.differs(operand)),
  );
  return isPlain ? { loop, wordNodes: words } : null;
}

/** Shuffles that pair words of two lanes' sums, in vectors of four: the first two words of both, or the last two. */
const PAIR_SHUFFLES = [
  [0, 4, 1, 5],
  [2, 6, 3, 7],
];

/**
 * Writes a row sum: lane after lane adds its rows, each one or two vectors; then the lanes' sums are transposed to one
 * vector per word. Additions are those of the original loop, in its order.
 */
export function writeRowSum(w: RegionWriter, rows: RowSum): void {
  const { code, lanes } = w;
  const results = w.resultsOf(rows.loop).map((result) => ({ result, local: w.local('v128') }));
  const shuffled = (x: number, y: number, words: readonly number[], local = w.local('v128')): number => {
    code.get(x);
    code.get(y);
    code.shuffle(words);
    code.set(local);
    return local;
  };
  w.inScope(() => {
    const bounds = [rows.loop.start, rows.loop.end].map((bound) => {
      w.vector(bound);
      const local = w.local('v128');
      code.set(local);
      return local;
    });
    const sums = Array.from({ length: lanes.count }, (_, lane) => sumOfLane(w, rows, bounds, lane));
    // For each two words, two vectors: the first word's lanes in their lower halves and the second's in the upper.
    const halves = PAIR_SHUFFLES.map((words, part) =>
      lanes.count === 2
        ? sums.map((parts) => parts[part])
        : [0, 2].map((lane) => shuffled(sums[lane][0], sums[lane + 1][0], words)),
    );
    for (const { result, local } of results) {
      const [x, y] = halves[result.position >> 1];
      const half = result.position % 2;
      shuffled(x, y, [half, 2 + half], local);
    }
  });
  for (const { result, local } of results) w.keepIn(result, local);
}

/**
 * Sums one lane's rows into as many locals as a row has vectors; `bounds` are locals with all lanes' first counter and
 * end.
 */
function sumOfLane(
  w: RegionWriter,
  { loop: { body }, wordNodes: words }: RowSum,
  bounds: number[],
  lane: number,
): number[] {
  const { code, lanes } = w;
  const sums = Array.from({ length: Math.ceil(words.length / lanes.count) }, () => {
    const sum = w.local('v128');
    w.constant(0);
    code.set(sum);
    return sum;
  });
  const [at, end] = bounds.map((bound) => {
    code.get(bound);
    extractWhole(code, lanes, lane);
    const local = w.local('i32');
    code.set(local);
    return local;
  });
  w.keepIn(body.counter, at);
  code.block();
  code.loop();
  code.get(at);
  code.get(end);
  code.byte(SCALAR_OPCODES.i32GeU);
  code.branchIf(1);
  w.oneLane(() => {
    w.block(body);
    sums.forEach((sum, part) => {
      code.get(sum);
      w.row(words[0], part);
      code.simd(lanes.floats.add[1]);
      code.set(sum);
    });
  });
  code.get(at);
  code.i32(1);
  code.byte(SCALAR_OPCODES.i32Add);
  code.set(at);
  code.branch(0);
  code.end();
  code.end();
  return sums;
}
