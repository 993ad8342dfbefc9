/** Kernels are made when a scene has what they are for: most have not, and making them takes time at every start. */
export function once<K>(make: () => K): () => K {
  let made: K | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
