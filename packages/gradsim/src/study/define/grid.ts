/**
 * All combinations of the values listed for each setting; the setting named last varies fastest.
 *
 * ```ts
 * [...grid({ drag: [0.1, 0.2], seed: [1, 2, 3] })]; // six settings, from { drag: 0.1, seed: 1 }
 * ```
 */
export function* grid<S extends object>(values: { readonly [K in keyof S]: Iterable<S[K]> }): Generator<S> {
  const names = Object.keys(values) as (keyof S)[];
  yield* combinations(
    names,
    names.map((name) => [...values[name]]),
  );
}

function* combinations<S extends object>(
  names: readonly (keyof S)[],
  values: readonly (readonly S[keyof S][])[],
  chosen: Partial<S> = {},
): Generator<S> {
  const k = Object.keys(chosen).length;
  if (k === names.length) yield chosen as S;
  else for (const value of values[k]) yield* combinations(names, values, { ...chosen, [names[k]]: value });
}

/** Returns `count` consecutive seeds, from `first` on. */
export const seeds = (count: number, first = 1): number[] => Array.from({ length: count }, (_, k) => first + k);
