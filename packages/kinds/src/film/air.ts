import type { FieldKey } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';

/** Density of air, kg/m^3; drag coefficient of a sphere; standard deviation of the logarithm of their product. */
const [AIR, SPHERE, OFF] = [1.2, 0.47, 0.3];
/** Densities of balls, kg/m^3, from foam or an inflated ball to steel: two standard deviations to either side. */
const DENSITIES = [20, 8000] as const;

/**
 * Unknown `drag`: deceleration of a ball by the air divided by the square of its speed, rho C_d A / (2 m), 1/m. What is known
 * before is the order of magnitude: by the ball's mass, kg, or, without, by the densities that balls have.
 *
 * @param start drag that its track shows, 1/m; 0 for none.
 */
export function dragUnknown(field: FieldKey, radius: number, mass: number | null, start: number): ParameterSpec {
  const [light, heavy] = DENSITIES;
  const usual = mass ?? (4 / 3) * Math.PI * radius ** 3 * Math.sqrt(light * heavy);
  const mean = (AIR * SPHERE * Math.PI * radius ** 2) / (2 * usual);
  const standardDeviation = mass === null ? Math.log(heavy / light) / 4 : OFF;
  const prior = { mean, standardDeviation, isLogNormal: true };
  return { name: 'drag', field, transform: 'log', initial: start || mean, unit: '1/m', prior };
}
