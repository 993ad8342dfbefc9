import type { Finding } from '../problem/finding.ts';
import { listed } from '../problem/finding.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Makes the finding that a profile of the loss came upon a point that fits clearly better than the estimate. */
export function betterPoint(
  unknowns: Unknowns,
  { values, unknown }: { readonly values: Float64Array; readonly unknown: number },
): Finding {
  const all = unknowns.parameters(values);
  const at = Object.keys(all).map((name) => `${name} ${all[name].toPrecision(4)}`);
  const along = unknowns.names[unknown];
  return {
    kind: 'other minimum',
    isCritical: true,
    unknowns: [along],
    note: `A point on the profile of ${along} fits better than the estimate: ${listed(at)}. Start there.`,
  };
}
