import type { KernelForm } from '../form/kernel-form.ts';
import type { Port } from '../form/port.ts';
import { forRange } from '../language/control.ts';
import { min, select } from '../language/functions.ts';
import { kernel } from '../language/kernel.ts';
import { u32 } from '../language/scalar.ts';
import { on, u32 as u32Type } from '../language/types.ts';

// Sorting by merging, run after run: every place of the merged run finds its own source by bisection, so nothing is
// scattered and log2 N passes do it. Equal keys stay in order.

/** Passes that sort so many keys; one at least, which writes down the sources. */
export const sortLevels = (count: number): number => Math.max(1, Math.ceil(Math.log2(Math.max(1, count))));

/**
 * Merges neighbouring sorted runs of 2^level keys. `sources` says where each key stood at first; the first level is not
 * told. Source of the bisection: O. Green, S. Odeh, Y. Birk, Merge Path, 2014.
 */
export function mergeForm(name: string, count: number, level: number) {
  const length = 2 ** level;
  const { form } = kernel(
    name,
    {
      domain: 'places',
      reads: { keys: on('slots', u32Type), ...(level > 0 ? { sources: on('slots', u32Type) } : {}) },
      writes: { mergedKeys: u32Type, mergedSources: u32Type },
    },
    ({ keys, sources }, { element }) => {
      const base = element.shiftRight(level + 1).shiftLeft(level + 1);
      const second = min(base.add(length), u32(count));
      const end = min(base.add(2 * length), u32(count));
      const [sizeA, sizeB] = [second.sub(base), end.sub(second)];
      const place = element.sub(base);
      // How many of the first run go before this place: bisected between too few and enough.
      const start = { low: select(place.gt(sizeB), place.sub(sizeB), u32(0)), high: min(place, sizeA) };
      const { low } = forRange(0, level + 1, start, (_, { low, high }) => {
        const middle = low.add(high).shiftRight(1);
        const isOpen = low.lt(high);
        const a = keys.at(base.add(middle));
        const b = keys.at(second.add(select(isOpen, place.sub(middle).sub(1), u32(0))));
        const isBefore = isOpen.and(a.le(b));
        return {
          low: select(isBefore, middle.add(1), low),
          high: select(isOpen.and(isBefore.not()), middle, high),
        };
      });
      const [atA, atB] = [base.add(low), second.add(place.sub(low))];
      const isFirst = low
        .lt(sizeA)
        .and(atB.ge(end).or(keys.at(atA).le(keys.at(min(atB, u32(Math.max(0, count - 1)))))));
      const from = select(isFirst, atA, atB);
      return { mergedKeys: keys.at(from), mergedSources: sources ? sources.at(from) : from };
    },
  );
  return {
    form,
    keys: named(form, 'keys')!,
    sources: named(form, 'sources'),
    mergedKeys: named(form, 'mergedKeys')!,
    mergedSources: named(form, 'mergedSources')!,
  };
}

/** For every number, and one more than there are: the first place in the sorted keys that holds it or a larger one. */
export function startsForm(name: string, count: number) {
  const { form } = kernel(
    name,
    { domain: 'starts', reads: { keys: on('slots', u32Type) }, writes: { starts: u32Type } },
    ({ keys }, { element }) => {
      const rounds = Math.ceil(Math.log2(count + 1));
      const { low } = forRange(0, rounds, { low: u32(0), high: u32(count) }, (_, { low, high }) => {
        const middle = low.add(high).shiftRight(1);
        const isBefore = low.lt(high).and(keys.at(min(middle, u32(Math.max(0, count - 1)))).lt(element));
        return { low: select(isBefore, middle.add(1), low), high: select(isBefore, high, middle) };
      });
      return { starts: low };
    },
  );
  return { form, keys: named(form, 'keys')!, starts: named(form, 'starts')! };
}

const named = (form: KernelForm, name: string): Port | undefined => form.ports.find((p) => p.name === name);
