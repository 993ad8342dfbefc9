import { readFileSync } from 'node:fs';
import type { Weights } from './pendulum.ts';

/**
 * Names of the controllers whose trained weights are stored in the folder `policies`; `npm run -s bench -- policies
 * --train yes` trains them again.
 */
export type StoredPolicy = 'swing-up-angles' | 'swing-up-pixels' | 'reach-any';

export const policyFile = (name: StoredPolicy): URL => new URL(`../../../policies/${name}.json`, import.meta.url);

/** Reads stored weights, by field key, from base64 of little-endian single-precision numbers. */
export function storedWeights(name: StoredPolicy): Weights {
  const kept = JSON.parse(readFileSync(policyFile(name), 'utf8')) as Readonly<Record<string, string>>;
  return Object.fromEntries(
    Object.entries(kept).map(([key, text]) => {
      const bytes = Buffer.from(text, 'base64');
      return [key, Float64Array.from({ length: bytes.length / 4 }, (_, k) => bytes.readFloatLE(4 * k))];
    }),
  );
}

/** Encodes weights as the content of a file that {@link storedWeights} reads. */
export function packWeights(weights: Weights): string {
  const packed = Object.entries(weights).map(([key, values]) => {
    const bytes = Buffer.alloc(4 * values.length);
    Array.from(values).forEach((value, k) => {
      bytes.writeFloatLE(value, 4 * k);
    });
    return [key, bytes.toString('base64')];
  });
  return `${JSON.stringify(Object.fromEntries(packed), null, 2)}\n`;
}
