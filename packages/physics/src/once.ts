const ALWAYS = {};

/**
 * Makes a kernel on first use and caches it: most scenes do not need most kernels, and making them takes time at every
 * start. Kernels over fields that come with an offer are made once for each.
 *
 * ```ts
 * const lift = once((points: PointsThatTouch) =>
 *   kernel('lift', { domain: points.component, adds: { force: points.force } }, ({ force }) => force.add(vec3(0, 1, 0))),
 * );
 * ```
 */
export function once<Of extends [] | [object], K>(make: (...of: Of) => K): (...of: Of) => K {
  const made = new WeakMap<object, { readonly it: K }>();
  return (...of) => {
    const [key = ALWAYS] = of;
    const known = made.get(key) ?? { it: make(...of) };
    made.set(key, known);
    return known.it;
  };
}
