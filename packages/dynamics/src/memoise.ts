const NO_OBJECT = {};

/**
 * Makes a kernel on first use and caches it: most scenes do not need most kernels, and making them takes time at every
 * start. Kernels over fields that come with an offer are made once for each, and for each variant where they have some.
 *
 * ```ts
 * const lift = memoise((points: PointsThatTouch) =>
 *   kernel('lift', { domain: points.component, adds: { force: points.force } }, ({ force }) => force.add(vec3(0, 1, 0))),
 * );
 * ```
 */
export function memoise<Of extends [of?: object, variant?: string], K>(create: (...of: Of) => K): (...of: Of) => K {
  const made = new WeakMap<object, Map<string, { readonly it: K }>>();
  return (...of) => {
    const [key = NO_OBJECT, variant = ''] = of;
    const variants = made.get(key) ?? new Map<string, { readonly it: K }>();
    made.set(key, variants);
    const known = variants.get(variant) ?? { it: create(...of) };
    variants.set(variant, known);
    return known.it;
  };
}
