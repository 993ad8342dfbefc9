import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import { kernel } from '../../language/kernel.ts';
import { lowerBound, mergedSource } from '../../language/sorting.ts';
import { fieldOn, u32 as u32Type } from '../../language/types.ts';

// Merge sort in log2 N passes.

/** Returns the number of merge passes that sort `count` keys; at least one, since the first pass writes the sources. */
export const sortLevels = (count: number): number => Math.max(1, Math.ceil(Math.log2(Math.max(1, count))));

/**
 * Form of a kernel that merges neighbouring sorted runs of 2^level keys. `sources` holds the original position of each
 * key; level 0 does not read it.
 */
export function mergeForm(name: string, count: number, level: number) {
  const { form } = kernel(
    name,
    {
      domain: 'places',
      reads: { keys: fieldOn('slots', u32Type), ...(level > 0 ? { sources: fieldOn('slots', u32Type) } : {}) },
      writes: { mergedKeys: u32Type, mergedSources: u32Type },
    },
    ({ keys, sources }, { element }) => {
      const from = mergedSource(keys, element, level, count);
      return { mergedKeys: keys.at(from), mergedSources: sources ? sources.at(from) : from };
    },
  );
  return {
    form,
    keys: portNamed(form, 'keys')!,
    sources: portNamed(form, 'sources'),
    mergedKeys: portNamed(form, 'mergedKeys')!,
    mergedSources: portNamed(form, 'mergedSources')!,
  };
}

/**
 * Form of a kernel whose element k, from 0 to the number of targets, is the first position among `count` sorted keys of
 * a key not below k.
 */
export function startsForm(name: string, count: number) {
  const { form } = kernel(
    name,
    { domain: 'starts', reads: { keys: fieldOn('slots', u32Type) }, writes: { starts: u32Type } },
    ({ keys }, { element }) => ({ starts: lowerBound(keys, element, count) }),
  );
  return { form, keys: portNamed(form, 'keys')!, starts: portNamed(form, 'starts')! };
}

const portNamed = (form: KernelForm, name: string): Port | undefined => form.ports.find((p) => p.name === name);
