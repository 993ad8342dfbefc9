import type { Measure, Quantity, Value } from './measure.ts';

interface Usual {
  readonly unit: string;
  /** Usual range of values in films, in `unit`. */
  readonly least: number;
  readonly most: number;
  /** Other units that people use, with the factor that converts a value to `unit`. */
  readonly others: Readonly<Record<string, number>>;
}

const USUAL: Readonly<Record<Quantity, Usual>> = {
  length: { unit: 'm', least: 1e-3, most: 3, others: { cm: 0.01, mm: 0.001 } },
  angle: { unit: 'degrees', least: 2, most: 150, others: { rad: 180 / Math.PI } },
  acceleration: { unit: 'm/s^2', least: 0.1, most: 50, others: { 'cm/s^2': 0.01 } },
  density: { unit: 'kg/m^3', least: 5, most: 25_000, others: { 'g/cm^3': 1000 } },
  mass: { unit: 'kg', least: 1e-3, most: 20, others: { g: 0.001 } },
  part: { unit: 'as a part', least: 0, most: 0.3, others: { '%': 0.01 } },
};

/** Question whether another unit was meant, for a measured value outside the usual range; undefined inside it. */
export function askAboutUnit(name: string, { quantity }: Measure, value: Value): string | undefined {
  if (quantity === undefined || value === null || typeof value === 'string') return undefined;
  const numbers = typeof value === 'number' ? [value] : value;
  if (numbers.every((v) => v === 0)) return undefined;
  const { unit, least, most, others } = USUAL[quantity];
  const isUsual = (of: readonly number[]): boolean => of.every((v) => v >= least && v <= most);
  if (isUsual(numbers)) return undefined;
  const given = numbers.join(',');
  const meant = Object.entries(others)
    .map(([other, factor]) => [other, numbers.map((v) => Number((v * factor).toPrecision(4)))] as const)
    .filter(([, converted]) => isUsual(converted));
  const is = `${name} is given as ${given}, which is in ${unit}`;
  if (meant.length === 0) return `${is}: is that right?`;
  const units = meant.map(([other]) => `${given} ${other}`).join(' or ');
  const sets = meant.map(([, converted]) => `--set ${name}=${converted.join(',')}`).join(' or ');
  return `${is}: were ${units} meant? Then give ${sets}.`;
}
