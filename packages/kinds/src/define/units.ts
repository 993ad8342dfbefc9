import type { Measure, Measures, Quantity, Value } from './measure.ts';

interface UsualRange {
  readonly unit: string;
  /** Usual range of values in films, in `unit`. */
  readonly least: number;
  readonly most: number;
  /** Other units that people use, with the factor that converts a value to `unit`. */
  readonly otherUnits: Readonly<Record<string, number>>;
}

const USUAL: Readonly<Partial<Record<Quantity, UsualRange>>> = {
  length: { unit: 'm', least: 1e-3, most: 3, otherUnits: { cm: 0.01, mm: 0.001 } },
  angle: { unit: 'degrees', least: 2, most: 150, otherUnits: { rad: 180 / Math.PI } },
  acceleration: { unit: 'm/s^2', least: 0.1, most: 50, otherUnits: { 'cm/s^2': 0.01 } },
  density: { unit: 'kg/m^3', least: 5, most: 25_000, otherUnits: { 'g/cm^3': 1000 } },
  mass: { unit: 'kg', least: 1e-3, most: 20, otherUnits: { g: 0.001 } },
  part: { unit: 'as a part', least: 0, most: 0.3, otherUnits: { '%': 0.01 } },
};

const LENGTHS = { m: 1, cm: 0.01, mm: 0.001, km: 1000, in: 0.0254, ft: 0.3048 };
const ANGLES = { deg: 1, '°': 1, degree: 1, degrees: 1, rad: 180 / Math.PI };
/** Units that are read behind a number, with the factor that converts it to m, degrees, m/s^2, kg/m^3, kg, and parts. */
const READ: Readonly<Record<Quantity, Readonly<Record<string, number>>>> = {
  length: LENGTHS,
  place: LENGTHS,
  angle: ANGLES,
  turn: ANGLES,
  acceleration: { 'm/s^2': 1, 'm/s2': 1, 'm/s²': 1, 'cm/s^2': 0.01, 'cm/s2': 0.01, 'cm/s²': 0.01 },
  density: { 'kg/m^3': 1, 'kg/m3': 1, 'kg/m³': 1, 'g/cm^3': 1000, 'g/cm3': 1000, 'g/cm³': 1000 },
  mass: { kg: 1, g: 0.001, mg: 1e-6 },
  part: { '%': 0.01 },
};

/** A number with a decimal point or comma, and a unit behind it. */
const WRITTEN = /^([+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:e[+-]?\d+)?)\s*((?:[^\d\s.,].*)?)$/i;

/**
 * Number of a text such as `0.098`, `0,098`, `9.8 cm` or `12 deg`, in the unit in which the quantity is measured. NaN for
 * other texts, and for a unit that is none of the quantity.
 */
export function numberIn(text: string, quantity: Quantity | undefined): number {
  const [, number, unit] = WRITTEN.exec(text.trim().replace('\u2212', '-')) ?? [];
  if (number === undefined) return Number.NaN;
  const value = Number(number.replace(',', '.'));
  if (unit === '') return value;
  const factor = quantity === undefined ? undefined : READ[quantity][unit.trim()];
  // Of the digits that were written, so that 98 mm are 0.098 m.
  return factor === undefined ? Number.NaN : Number((value * factor).toPrecision(15));
}

/** Names of the units that {@link numberIn} reads for a quantity. */
export const unitsRead = (quantity: Quantity): readonly string[] => Object.keys(READ[quantity]);

/**
 * Numbers of a text such as `7, 4, 5 cm`, `0.07,0.04,0.05` or `0,07; 0,04; 0,05`: a unit behind the last one is that of all
 * that have none.
 */
export function numbersIn(text: string, quantity: Quantity | undefined): number[] {
  const parts = text.split(text.includes(';') ? ';' : ',').map((part) => part.trim());
  const [, , unit = ''] = WRITTEN.exec(parts.at(-1)!) ?? [];
  return parts.map((part) => numberIn(WRITTEN.exec(part)?.[2] === '' ? part + unit : part, quantity));
}

/** Question whether another unit was meant, for a measured value outside the usual range; undefined inside it. */
export function askAboutUnit(name: string, { quantity }: Measure, value: Value): string | undefined {
  if (quantity === undefined || value === null || typeof value === 'string') return undefined;
  const numbers = typeof value === 'number' ? [value] : value;
  if (numbers.every((v) => v === 0)) return undefined;
  const usual = USUAL[quantity];
  if (!usual) return undefined;
  const { unit, least, most, otherUnits } = usual;
  const isUsual = (of: readonly number[]): boolean => of.every((v) => v >= least && v <= most);
  if (isUsual(numbers)) return undefined;
  const given = numbers.join(',');
  const meant = Object.entries(otherUnits)
    .map(([other, factor]) => [other, numbers.map((v) => Number((v * factor).toPrecision(4)))] as const)
    .filter(([, converted]) => isUsual(converted));
  const is = `${name} is given as ${given}, which is in ${unit}`;
  if (meant.length === 0) return `${is}: is that right?`;
  const units = meant.map(([other]) => `${given} ${other}`).join(' or ');
  const values = meant.map(([, converted]) => converted.join(',')).join(' or ');
  return `${is}: were ${units} meant? Then give ${values}.`;
}

/** Questions of {@link askAboutUnit} about all measured values. */
export const unitQuestions = (measures: Measures, measured: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(measures).flatMap(([name, measure]) => askAboutUnit(name, measure, measured[name] as Value) ?? []);
