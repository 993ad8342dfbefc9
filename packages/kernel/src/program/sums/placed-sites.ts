import { GradsimError } from '@gradsim/base';
import type { Node } from '../../form/nodes.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import { signed } from '../indices/access-records.ts';
import type { IndexReader } from '../indices/incidence.ts';
import { evaluateIndex } from '../indices/incidence.ts';
import type { SumSurroundings, SumTarget } from '../jobs/surroundings.ts';
import { accumulatorsFor } from './accumulator-count.ts';
import type { Site, SlottedSite } from './sites.ts';
import { allowsOutOfRange, constantLoopsOf, isSlotted } from './sites.ts';

/** A kernel in the run in which its sites are placed. */
export interface KernelRun {
  readonly name: string;
  /** Domain that it runs over. */
  readonly domain: string;
  readonly indices: IndexReader;
}

/** A site, together with the kernel that it is part of. */
export interface SiteOf<S extends Site = Site> {
  readonly site: S;
  readonly run: KernelRun;
  /** Number of elements of the field that is added to. */
  readonly elements: number;
  /**
   * Target of each slot, or `NO_ELEMENT`: the slots of all elements in the first iteration, then in the second, and so
   * on. Null if targets are known only at run time.
   */
  readonly targets: Uint32Array | null;
  /** Number of private accumulators that the site adds to; null for a site with slots. */
  readonly accumulators: number | null;
}
export const hasSlots = (site: SiteOf): site is SiteOf<SlottedSite> =>
  isSlotted(site.site) && site.accumulators === null;

/** A site, the kernel that it is part of, and the field that it adds to. */
export interface FoundSite {
  readonly field: SumTarget;
  readonly site: Site;
  readonly run: KernelRun;
}

/**
 * Additions per element, at indices known only at run time, from which they go to private accumulators on a device that
 * would add the slots one after another: a slot is written, and read again by one thread, where an accumulator is added to
 * in place. With the 27 nodes around a point in three dimensions a substep takes half the time; 8 are the fewest there.
 */
const MANY_ADDITIONS = 8;

/**
 * Creates sites with the targets of their slots, as far as the host can know them.
 * @throws for an index out of range.
 */
export function sitesWithTargets(around: SumSurroundings, foundSites: readonly FoundSite[]): SiteOf[] {
  const known = foundSites.map((of) => (isSlotted(of.site) ? targetsOf(around, of.field, of.site, of.run) : null));
  return foundSites.map(({ field, site, run }, k) => {
    const targets = known[k];
    const elements = around.sizeOf(field.domain);
    const size = around.sizeOf(run.domain);
    const shape = { elements, components: field.components, worlds: around.worlds };
    const accumulators = targets ? null : accumulatorsFor(size, shape, around.accumulatorWords);
    // All sites of a kernel at a field share its accumulators.
    const additions = foundSites.reduce(
      (sum, other, j) => sum + (other.run === run && other.field === field && !known[j] ? (other.site.rounds ?? 0) : 0),
      0,
    );
    const isWorth = additions >= MANY_ADDITIONS && additions * size >= accumulators! * elements;
    const needsSlots = isSlotted(site) && !(isWorth && around.scatters !== 'sorted');
    return { site, run, elements, targets, accumulators: needsSlots ? null : accumulators };
  });
}

function targetsOf(around: SumSurroundings, field: SumTarget, site: SlottedSite, run: KernelRun): Uint32Array | null {
  const loops = constantLoopsOf(site);
  if (loops === null) return null;
  const elements = around.sizeOf(field.domain);
  const size = around.sizeOf(run.domain);
  const targets = new Uint32Array(size * site.rounds);
  // With one element, all slots are summed.
  const mayBeNone = elements !== 1;
  for (let round = 0; round < site.rounds; round++) {
    const counters = countersIn(loops, round);
    const memo = new Map<Node, number>();
    for (let e = 0; e < size; e++) {
      memo.clear();
      counters.forEach((value, counter) => memo.set(counter, value));
      const at = site.index ? evaluateIndex(site.index, e, run.indices, memo) : e;
      if (at === null) return null;
      if (at < elements || (at === NO_ELEMENT && mayBeNone)) targets[round * size + e] = at;
      else if (at === NO_ELEMENT || allowsOutOfRange(site.outputs)) return null;
      else {
        const element = around.describe(run.domain, e);
        throw new GradsimError(
          'kernel/index-out-of-range',
          `kernel ${run.name}: index ${signed(at)} of ${element} is out of range, ${field.domain} has ${elements} element${elements === 1 ? '' : 's'}.`,
          { kernel: run.name, field: field.key, element },
        );
      }
    }
  }
  return targets;
}

/** Returns the values of nested loops' counters in combined iteration `round`; the innermost counter varies fastest. */
function countersIn(loops: ReturnType<typeof constantLoopsOf> & {}, round: number): Map<Node, number> {
  const counters = new Map<Node, number>();
  let rest = round;
  for (const { counter, start, rounds } of [...loops].reverse()) {
    counters.set(counter, start + (rest % rounds));
    rest = Math.floor(rest / rounds);
  }
  return counters;
}
