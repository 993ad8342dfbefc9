import type { FieldOf, Plugin, Vec3 } from '@gradsim/core';
import { definePlugin, field, kernel, on, sqrt, vec3 } from '@gradsim/core';
import type { Pinhole } from './camera.ts';
import { focalLength, fromCamera } from './camera.ts';

/** The middle of an outline's area, pixels from the left and the upper edge, and the root of its area over pi. */
export const outline = field('world', 'outline', vec3, { unit: 'px' });

/**
 * The outline of a ball: an ellipse, whose middle is a little farther from the picture's middle than that of the ball is
 * seen. In directions (u, v, 1) from the eye it is (u x + v y + z)^2 = (u^2 + v^2 + 1)(x^2 + y^2 + z^2 - r^2), of which the
 * middle is (x, y) z / (z^2 - r^2), and the half axes are r / sqrt(z^2 - r^2) and that times
 * sqrt((x^2 + y^2 + z^2 - r^2) / (z^2 - r^2)).
 *
 * @param position of the only element of its domain: a body or particle.
 */
export function ballOutline(
  camera: Pinhole,
  radius: number,
  position: FieldOf<Vec3>,
  element: number,
  requires: string,
): Plugin {
  const focal = focalLength(camera);
  const draw = kernel(
    'ballOutline',
    { domain: 'world', reads: { position: on(position.domain, vec3) }, writes: { outline } },
    ({ position: at }) => {
      const { right, up, depth } = fromCamera(camera, at.at(element));
      const below = depth.mul(depth).sub(radius * radius);
      const stretched = right.mul(right).add(up.mul(up)).div(below).add(1);
      const size = sqrt(sqrt(stretched))
        .mul(focal * radius)
        .div(sqrt(below));
      return {
        outline: vec3(
          right
            .mul(depth)
            .div(below)
            .mul(focal)
            .add(camera.width / 2),
          up
            .mul(depth)
            .div(below)
            .mul(-focal)
            .add(camera.height / 2),
          size,
        ),
      };
    },
  );
  return definePlugin({
    name: 'bench/ball-outline',
    contract: 1,
    requires: [requires],
    build: ({ model }) => model.addPass('observe', draw),
  });
}
