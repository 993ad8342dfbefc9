import type { FieldRef, IndexType, ValueType } from '../types.ts';

/**
 * Declares a field, for kernels and hosts to refer to. Kernels over its own domain see the element's value, others read
 * `at(i)` and add by index; a field of `world` is one value for all elements of a world.
 *
 * ```ts
 * const force = field('motes', 'force', vec3, { unit: 'N' });
 * const pull = kernel('pull', {
 *   domain: 'ropes',
 *   reads: { ends: index('motes', 2), tension: f32 },
 *   adds: { force },
 * }, ({ ends: [i], tension, force }) => force.add(i, vec3(0, 1, 0).mul(tension)));
 * ```
 * @param unit of its values, in SI units.
 */
export function field<T extends ValueType | IndexType, const D extends string, const N extends string>(
  domain: D,
  name: N,
  type: T,
  { unit }: { readonly unit?: string } = {},
): FieldRef<T, D, N> {
  return { kind: 'field', key: `${domain}.${name}`, domain, name, type, unit };
}
