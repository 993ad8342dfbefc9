/** What a column measures. */
export type Quantity =
  | 'time'
  | 'length'
  | 'angle'
  | 'rate'
  | 'speed'
  | 'acceleration'
  | 'torque'
  | 'force'
  | 'current'
  | 'pixels'
  | 'none';

/** A unit: its usual name, what it measures, and the factor to the unit used here (s, m, rad, rad/s, m/s, m/s^2, N m, N, A). */
export interface Unit {
  readonly name: string;
  readonly quantity: Quantity;
  readonly factor: number;
}

const DEGREE = Math.PI / 180;
const NAMES: Readonly<Record<Quantity, Readonly<Record<string, number>>>> = {
  time: {
    ...{ s: 1, sec: 1, secs: 1, second: 1, seconds: 1 },
    ...{ ms: 1e-3, msec: 1e-3, milliseconds: 1e-3 },
    ...{ us: 1e-6, usec: 1e-6, microseconds: 1e-6 },
    ...{ ns: 1e-9, nsec: 1e-9, nsecs: 1e-9, nanosec: 1e-9, nanoseconds: 1e-9 },
    ...{ min: 60, minutes: 60 },
  },
  length: {
    ...{ m: 1, meter: 1, meters: 1, metre: 1, metres: 1 },
    ...{ cm: 1e-2, centimeters: 1e-2, centimetres: 1e-2 },
    ...{
      mm: 1e-3,
      millimeters: 1e-3,
      millimetres: 1e-3,
      um: 1e-6,
      in: 0.0254,
      inch: 0.0254,
      inches: 0.0254,
      ft: 0.3048,
    },
  },
  angle: { rad: 1, radian: 1, radians: 1, deg: DEGREE, degree: DEGREE, degrees: DEGREE, '°': DEGREE, mrad: 1e-3 },
  rate: { 'rad/s': 1, 'deg/s': DEGREE, '°/s': DEGREE, rpm: (2 * Math.PI) / 60 },
  speed: { 'm/s': 1, 'cm/s': 1e-2, 'mm/s': 1e-3 },
  acceleration: { 'm/s^2': 1, 'm/s²': 1, 'm/s2': 1, g: 9.80665 },
  torque: { nm: 1, mnm: 1e-3, ncm: 1e-2, nmm: 1e-3, knm: 1e3 },
  force: { n: 1, mn: 1e-3, kn: 1e3 },
  current: { a: 1, ma: 1e-3 },
  pixels: { px: 1, pixel: 1, pixels: 1, pix: 1 },
  none: { '': 1, '-': 1, '1': 1 },
};

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (Object.entries(NAMES) as [Quantity, Record<string, number>][]).flatMap(([quantity, names]) =>
    Object.entries(names).map(([name, factor]): [string, Unit] => {
      const [usual] = Object.entries(names).find(([, own]) => own === factor)!;
      return [name, { name: usual, quantity, factor }];
    }),
  ),
);

/** Unit of a text such as `mm`, `N·m` or `µs`; undefined for one that is not known. */
export const unitOf = (text: string): Unit | undefined =>
  UNITS.get(
    text
      .toLowerCase()
      .replace(/[µμ]/g, 'u')
      .replace(/[\s·*⋅]/g, ''),
  );

/** Names of the units of some quantities, for messages. */
export const unitNames = (...quantities: readonly Quantity[]): string[] =>
  quantities.flatMap((quantity) => Object.keys(NAMES[quantity]));
