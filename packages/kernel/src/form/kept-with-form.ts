import type { KernelForm } from './kernel-form.ts';

/** Returns a function that returns what is made of a form for a key: made once, and kept as long as the form is. */
export function keptWithForm<T>(): (form: KernelForm, key: string, make: () => T) => T {
  const kept = new WeakMap<KernelForm, Map<string, T>>();
  return (form, key, make) => {
    const ofForm = kept.get(form) ?? new Map<string, T>();
    kept.set(form, ofForm);
    const found = ofForm.get(key) ?? make();
    ofForm.set(key, found);
    return found;
  };
}
