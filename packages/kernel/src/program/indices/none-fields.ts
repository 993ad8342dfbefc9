import type { KernelForm } from '../../form/kernel-form.ts';
import type { Port } from '../../form/port.ts';
import { rangesOf } from './ranges.ts';

/** A kernel, with a function that returns the key of the field that a port stands for. */
export interface KeyedForm {
  readonly form: KernelForm;
  readonly keyOf: (port: Port) => string;
}

/**
 * Returns the keys of integer fields that may hold `NO_ELEMENT`: fields whose given values include it, and fields to
 * which a kernel writes it as a constant or as read from such a field.
 */
export function fieldsWithNone(kernels: readonly KeyedForm[], mayBeGivenNone: (key: string) => boolean): Set<string> {
  const found = new Set<string>();
  const writers = kernels.filter(({ form }) => form.outputs.some(isWhole));
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { form, keyOf } of writers) {
      const rangeOf = rangesOf(form.root, {
        elements: Number.POSITIVE_INFINITY,
        sizeOfTarget: () => null,
        mayBeNone: ({ port }) => found.has(keyOf(port)) || mayBeGivenNone(keyOf(port)),
      });
      for (const { port, value } of form.outputs.filter(isWhole)) {
        const key = keyOf(port);
        if (found.has(key) || !rangeOf(value).mayBeNone) continue;
        found.add(key);
        isChanged = true;
      }
    }
  }
  for (const { form, keyOf } of kernels)
    for (const port of form.ports) if (port.scalar === 'u32' && mayBeGivenNone(keyOf(port))) found.add(keyOf(port));
  return found;
}

const isWhole = ({ port }: { readonly port: Port }): boolean => port.scalar === 'u32' && port.access === 'write';
