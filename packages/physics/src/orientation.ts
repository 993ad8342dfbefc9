import type { FieldOf, Kernel, Quat } from '@gradsim/core';
import { column, kernel, normalize, quat } from '@gradsim/core';

/** The column `orientation`: a quaternion (x, y, z, w), from own axes to those around; see {@link unitOrientation}. */
export const orientation = column(quat, {
  default: [0, 0, 0, 1],
  range: {
    must: 'be a rotation; none is (0, 0, 0, 1)',
    holds: (components) => components.some((c) => c !== 0),
  },
});

/** Gives orientations unit length: for phase `setup`. */
export const unitOrientation = (orientation: FieldOf<Quat>): Kernel =>
  kernel(
    `unitOrientation_${orientation.domain}`,
    { domain: orientation.domain, reads: { orientation }, writes: { orientation } },
    ({ orientation }) => ({ orientation: normalize(orientation) }),
  );
