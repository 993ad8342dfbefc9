import type { Model } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { radianceHarmonics } from '../light.ts';

/**
 * Adds the coefficients of spherical harmonics to the model: nine rows of red, green, blue.
 *
 * @throws for a number of rows other than nine, or rows that are not three numbers.
 */
export function addHarmonics(model: Model, rows: readonly (readonly number[])[]): void {
  if (rows.length !== 9 || rows.some((row) => row.length !== 3))
    throw new GradsimError(
      'render/wrong-size',
      `harmonics are nine rows of red, green and blue, not ${rows.length} rows of ${[...new Set(rows.map((row) => row.length))].join(', ')} numbers.`,
    );
  model.addDomain('harmonics', 9);
  model.addField(radianceHarmonics, { values: rows.flat() });
}
