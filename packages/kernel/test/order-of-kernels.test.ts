import type { Access, Footprint } from '@gradsim/kernel/device';
import { barriersOf, dispatchesOf } from '@gradsim/kernel/device';
import { describe, expect, it } from 'vitest';
import { seeded } from './support/random.ts';

// Reference implementation, pair by pair: the results found from ranges of words must be the same.

const overlap = (x: Access, y: Access): boolean => x.region === y.region && x.from < y.to && y.from < x.to;

function clash(a: Footprint, b: Footprint, isTogether: boolean): boolean {
  const some = (xs: readonly Access[], ys: readonly Access[]): boolean =>
    xs.some((x) => ys.some((y) => overlap(x, y) && !(isTogether && x.isOwn && y.isOwn)));
  return some(a.writes, b.reads) || some(a.writes, b.writes) || some(a.reads, b.writes);
}
const collide = (a: Footprint, b: Footprint): boolean => clash(a, b, a.grouping === b.grouping);

function barriersByPairs(kernels: readonly Footprint[], meetsBetween: boolean): boolean[] {
  const barriers = kernels.map(() => false);
  let since: Footprint[] = [];
  for (let round = 0; round < (meetsBetween ? 1 : 2); round++) {
    kernels.forEach((kernel, k) => {
      if (barriers[k] || since.some((before) => collide(before, kernel))) {
        barriers[k] = true;
        since = [];
      }
      since.push(kernel);
    });
  }
  return barriers;
}

function dispatchesByPairs(kernels: readonly Footprint[]): Footprint[][][] {
  const dispatches: Footprint[][][] = [];
  for (const kernel of kernels) {
    let at = 0;
    let strand: Footprint[] | undefined;
    dispatches.forEach((strands, d) => {
      const before = strands.filter((s) => s.some((other) => clash(other, kernel, false)));
      if (before.length === 0) return;
      const canFollow =
        before.length === 1 &&
        before[0][0].grouping === kernel.grouping &&
        !before[0].some((other) => collide(other, kernel));
      at = canFollow ? d : d + 1;
      strand = canFollow ? before[0] : undefined;
    });
    if (strand) strand.push(kernel);
    else if (at === dispatches.length) dispatches.push([[kernel]]);
    else dispatches[at].push([kernel]);
  }
  return dispatches;
}

describe('the schedule of kernels', () => {
  it('equals that of a brute-force comparison of all pairs of memory ranges, of any length', () => {
    const random = seeded('order of kernels');
    const pick = (count: number): number => Math.floor(random() * count);
    const regions = ['f32', 'u32', Symbol('block')];
    const access = (span: number): Access => {
      const from = pick(span);
      const length = [0, 1, 3, 4, 16, 100, Number.POSITIVE_INFINITY][pick(7)];
      return {
        region: regions[pick(3)],
        arena: 'f32',
        isOwn: random() < 0.7,
        words: 1,
        ...(length === Number.POSITIVE_INFINITY && random() < 0.8
          ? { from, to: from + 5 }
          : { from, to: from + length }),
      };
    };
    for (let trial = 0; trial < 200; trial++) {
      const span = [20, 200, 5000][pick(3)];
      const kernels = Array.from(
        { length: 2 + pick(40) },
        (): Footprint => ({
          grouping: `g${pick(2)}`,
          reads: Array.from({ length: pick(3) }, () => access(span)),
          writes: Array.from({ length: 1 + pick(2) }, () => access(span)),
        }),
      );
      for (const meetsBetween of [true, false])
        expect(barriersOf(kernels, meetsBetween)).toEqual(barriersByPairs(kernels, meetsBetween));
      const numbered = (dispatches: readonly (readonly (readonly Footprint[])[])[]): number[][][] =>
        dispatches.map((strands) => strands.map((strand) => strand.map((one) => kernels.indexOf(one))));
      expect(numbered(dispatchesOf(kernels))).toEqual(numbered(dispatchesByPairs(kernels)));
    }
  });

  it('looks up ranges in proportion to the number of kernels, in a chain where each has memory of its own', () => {
    // Each kernel reads the output of the one before it, and a table that all read. Counts range look-ups.
    const looks = (count: number): number => {
      let looked = 0;
      const access = (from: number, to: number, isOwn: boolean): Access => ({
        region: 'f32',
        arena: 'f32',
        words: to - from,
        to,
        isOwn,
        get from() {
          looked++;
          return from;
        },
      });
      const kernels = Array.from(
        { length: count },
        (_, k): Footprint => ({
          grouping: 'g',
          reads: [access(0, 4, false), access(4 * (k + 1), 4 * (k + 2), true)],
          writes: [access(4 * (k + 2), 4 * (k + 3), true)],
        }),
      );
      barriersOf(kernels);
      barriersOf(kernels, true);
      dispatchesOf(kernels);
      return looked;
    };
    // All pairs would be four times as many in twice the chain.
    expect(looks(2000) / looks(1000)).toBeLessThan(2.2);
  });
});
