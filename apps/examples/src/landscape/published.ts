import { readFileSync } from 'node:fs';
import type { LossCurve } from './landscapes.ts';

/**
 * Reads the paper's loss landscapes from a JSON file with `mass_loss_landscape` (`masses` and lists of losses by name)
 * and `beam_loss_landscape` (`kmu_val`, `kmu_loss`, `klambda_val`, `klambda_loss`).
 *
 * @throws if the file cannot be read or has no such curves.
 */
export function publishedCurves(file: string): { mass: LossCurve[]; beam: LossCurve[] } {
  const data = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, number[]>>;
  const { mass_loss_landscape: mass, beam_loss_landscape: beam } = data;
  if (!mass?.masses || !beam?.kmu_val || !beam.klambda_val)
    throw new Error(`${file} holds no mass_loss_landscape with masses and beam_loss_landscape with kmu_val.`);
  return {
    mass: Object.keys(mass)
      .filter((name) => name !== 'masses')
      .map((name) => ({ name, values: mass.masses, losses: mass[name] })),
    beam: ['kmu', 'klambda'].map((name) => ({
      name,
      values: beam[`${name}_val`],
      losses: beam[`${name}_loss`],
    })),
  };
}
