import { MASSLESS, type Masses } from '../../masses.ts';

/** Mass properties of a link from its ten parameters; of a link without mass, none. */
export function bodyOf([mass, hx, hy, hz, xx, yy, zz, xy, xz, yz]: readonly number[]): Masses {
  if (mass === 0) return MASSLESS;
  const [x, y, z] = [hx / mass, hy / mass, hz / mass];
  const [a, b, c] = [xy + mass * x * y, xz + mass * x * z, yz + mass * y * z];
  const inertia = [
    [xx - mass * (y * y + z * z), a, b],
    [a, yy - mass * (x * x + z * z), c],
    [b, c, zz - mass * (x * x + y * y)],
  ];
  return { mass, centre: [x, y, z], inertia: inertia.flat() };
}
