import { defect } from '@gradsim/base';
import type { Block, IfRegion, Loop, Node, Region, RootBlock, SetNode, SideBlock } from '../form/nodes.ts';
import type { ArrayType } from '../form/types.ts';
import { isArray } from '../form/types.ts';
import { carryingBlocks, everyStatement, isRegion, isWithinBlock, operandsOf } from '../form/walk.ts';

/** Memory of a local array, private to one invocation. */
export interface ArrayPlace {
  readonly position: number;
  readonly type: ArrayType;
}

/** A copy of all entries of an array. */
export interface Move {
  readonly from: ArrayPlace;
  readonly to: ArrayPlace;
}

/** Memory assigned to the arrays of a kernel. A `set` whose result has the place of its input changes it in place. */
export interface PlacedArrays {
  readonly places: readonly ArrayPlace[];
  placeOf(array: Node): ArrayPlace;
  /** Returns the copies due before an entry is set, before a loop, or at the end of a branch side or an iteration. */
  moves(at: SetNode | Loop | Block): readonly Move[];
}

/**
 * Use of an array as an operand: the block, and the time as the position in the order in which statements are written.
 */
interface Use {
  readonly array: Node;
  readonly time: number;
  readonly block: Block;
}

const NO_ARRAYS: PlacedArrays = {
  places: [],
  placeOf: ({ id }) => {
    throw defect(`#${id} stands for an array in a kernel that makes none`);
  },
  moves: () => [],
};

/**
 * Assigns memory to arrays. They are values, so each could have a place of its own; an array after its last use passes
 * its place on to its successor: by `set`, by entering a loop, by leaving a branch or an iteration. So copies are made
 * only where the old array is still needed.
 */
export function placeArrays(root: RootBlock): PlacedArrays {
  if (!everyStatement(root).some(({ op }) => op === 'fill')) return NO_ARRAYS;
  const uses = new Map<Node, Use[]>();
  const opposite = new Map<SideBlock, SideBlock>();
  const placed = new Map<Node, ArrayPlace>();
  const moved = new Map<SetNode | Loop | Block, Move[]>();
  const places: ArrayPlace[] = [];
  const free: ArrayPlace[] = [];
  /** For each open block, the places that are released at its end; innermost block last. */
  const open: ArrayPlace[][] = [[]];
  /** Decisions deferred until all uses are known. */
  const decisions: (() => void)[] = [];

  const use = (array: Node, block: Block): Use => {
    const found = { array, time: ++clock, block };
    if (isArray(array.type)) uses.set(array, [...(uses.get(array) ?? []), found]);
    return found;
  };
  let clock = 0;

  /** Returns whether a use is the last of its array on every control path. */
  const isLast = ({ array, time, block }: Use): boolean => {
    // The body of the loop sees the same array as the test.
    if (array.block.kind === 'test' && array.op === 'param') return false;
    for (let b = block; b !== array.block; b = b.parent!) if (b.kind !== 'side') return false;
    return uses.get(array)!.every((other) => other.time <= time || isElsewhere(other.block, block));
  };
  /** Returns whether the two blocks are mutually exclusive: different sides of one branch. */
  const isElsewhere = (one: Block, other: Block): boolean => {
    for (let b: Block | null = other; b !== null; b = b.parent) {
      const side = b.kind === 'side' ? opposite.get(b) : undefined;
      if (side && isWithinBlock(one, side)) return true;
    }
    return false;
  };

  const make = (type: ArrayType): ArrayPlace => {
    const known = free.findIndex((place) => place.type === type);
    const place = known < 0 ? { position: places.length, type } : free.splice(known, 1)[0];
    if (known < 0) places.push(place);
    open.at(-1)!.push(place);
    return place;
  };
  /** Returns the place of one of the operands, if this is its last use, or a new one. */
  const take = (type: ArrayType, from: readonly Use[], taken: ReadonlySet<ArrayPlace>): ArrayPlace => {
    const last = from.find((each) => isLast(each) && !taken.has(placed.get(each.array)!));
    return last ? placed.get(last.array)! : make(type);
  };
  /** Records copies that happen in parallel: sources that are also targets are first copied to a place of their own. */
  const move = (at: SetNode | Loop | Block, wanted: readonly Move[]): void => {
    const needed = wanted.filter(({ from, to }) => from !== to);
    const isHeld = ({ from }: Move): boolean => needed.some(({ to }) => to === from);
    const held = needed.filter(isHeld).map(({ from, to }) => ({ from, to, aside: make(from.type) }));
    moved.set(at, [
      ...held.map(({ from, aside }) => ({ from, to: aside })),
      ...needed.filter((each) => !isHeld(each)),
      ...held.map(({ to, aside }) => ({ from: aside, to })),
    ]);
  };
  const arraysOf = (values: readonly Node[]): number[] => [...values.keys()].filter((k) => isArray(values[k].type));
  const name = (region: Region, position: number, place: ArrayPlace): void => {
    for (const node of region.block.nodes)
      if (node.op === 'result' && node.region === region && node.position === position) placed.set(node, place);
  };
  const opening = (): void => {
    decisions.push(() => void open.push([]));
  };

  const branch = (region: IfRegion): void => {
    const sides = [region.then, region.otherwise];
    opposite.set(region.then, region.otherwise).set(region.otherwise, region.then);
    const ends = sides.map((side) => {
      opening();
      walk(side);
      return side.results.map((result) => use(result, side));
    });
    decisions.push(() => {
      const inside = open.splice(-sides.length).flat();
      const taken = new Set<ArrayPlace>();
      const positions = arraysOf(region.then.results);
      const targets = positions.map((k) => {
        const place = take(
          region.then.results[k].type as ArrayType,
          ends.map((end) => end[k]),
          taken,
        );
        taken.add(place);
        name(region, k, place);
        return place;
      });
      for (const side of sides)
        move(
          side,
          positions.map((k, n) => ({ from: placed.get(side.results[k])!, to: targets[n] })),
        );
      for (const place of inside) (taken.has(place) ? open.at(-1)! : free).push(place);
    });
  };

  const loop = (of: Loop): void => {
    const starts = of.initial.map((initial) => use(initial, of.block));
    const positions = arraysOf(of.initial);
    const targets: ArrayPlace[] = [];
    decisions.push(() => {
      const taken = new Set<ArrayPlace>();
      for (const k of positions) {
        const place = take(of.initial[k].type as ArrayType, [starts[k]], taken);
        taken.add(place);
        targets.push(place);
        for (const block of carryingBlocks(of)) placed.set(block.params[k], place);
        name(of, k, place);
      }
      move(
        of,
        positions.map((k, n) => ({ from: placed.get(of.initial[k])!, to: targets[n] })),
      );
      open.push([]);
    });
    for (const block of carryingBlocks(of)) walk(block);
    for (const result of of.body.results) use(result, of.body);
    decisions.push(() => {
      move(
        of.body,
        positions.map((k, n) => ({ from: placed.get(of.body.results[k])!, to: targets[n] })),
      );
      free.push(...open.pop()!);
    });
  };

  const walk = (block: Block): void => {
    for (const of of block.nodes) {
      if (isRegion(of)) {
        if (of.op === 'if') branch(of);
        else loop(of);
        continue;
      }
      const [first] = operandsOf(of).map((operand) => use(operand, block));
      if (of.op === 'fill') decisions.push(() => void placed.set(of, make(of.type)));
      else if (of.op === 'set')
        decisions.push(() => {
          const place = take(of.type, [first], new Set());
          placed.set(of, place);
          move(of, [{ from: placed.get(of.array)!, to: place }]);
        });
    }
  };

  walk(root);
  for (const decide of decisions) decide();
  return {
    places,
    placeOf: (array) => placed.get(array)!,
    moves: (at) => moved.get(at) ?? [],
  };
}
