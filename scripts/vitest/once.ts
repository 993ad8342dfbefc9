/**
 * Returns a function that makes something when it is first called, and then returns that. What a test file makes for several
 * tests is made so: a file of which no test is taken would end with it under way.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly it: T } | undefined;
  return () => {
    made ??= { it: make() };
    return made.it;
  };
}
