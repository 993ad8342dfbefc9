import { MeshError } from './mesh.ts';

/**
 * Refuses options that a function does not have: a misspelt one would be passed over, and its default used.
 *
 * @param given all of them, or what is left when the known ones have been taken out.
 * @param known the names that there are, for the message.
 */
export function refuseUnknownOptions(who: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const there = known.length > 0 ? `its options are ${known.join(', ')}` : 'it has none';
  throw new MeshError(`${who} has no option ${unknown}; ${there}.`);
}
