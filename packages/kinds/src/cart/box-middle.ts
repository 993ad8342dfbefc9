import { Link } from '@gradsim/articulated';
import { definePlugin, dot, f32, field, fieldOn, kernel, max, norm, vec3 } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import { CAMERA_PORTS } from '@gradsim/render';

/**
 * Point of the cart's front plane, m, that the camera sees midway between the ends of its outline: beside the middle of the front
 * where an end face is in view, which a camera does not see that stands before the cart.
 */
export const middleOfBox = field('world', 'middleOfBox', vec3, { unit: 'm' });
const depth = field('world', 'depth', f32, { unit: 'm' });

/**
 * Computes {@link middleOfBox} for a cart that is the only link.
 * @param half half of its length, m.
 */
export const boxOfCart = (half: number) =>
  definePlugin({
    name: '@gradsim/kinds/cart',
    contract: 1,
    components: [Link],
    build: ({ model }) => {
      model.addField(middleOfBox);
      model.addField(depth, { fill: half });
      model.addPass(
        'observe',
        kernel(
          'middleOfBox',
          {
            domain: 'world',
            reads: {
              position: fieldOn(Link.position),
              axis: fieldOn(Link.axis),
              viewPosition: CAMERA_PORTS.viewPosition,
              depth,
            },
            writes: { middleOfBox },
          },
          ({ position, axis, viewPosition, depth }) => {
            const [middle, way] = [position.at(0), axis.at(0)];
            const toCamera = viewPosition.at(0).sub(middle);
            const along = dot(toCamera, way);
            const away = norm(toCamera.sub(way.mul(along)));
            // A corner behind the front plane is seen in front of a point of it that is nearer to the camera's foot.
            const share = depth.div(away.add(depth));
            const [ahead, behind] = [max(along.sub(half), f32(0)), max(along.neg().sub(half), f32(0))];
            return { middleOfBox: middle.add(way.mul(share.mul(ahead.sub(behind)).mul(0.5))) };
          },
        ),
      );
    },
  });

/** Depth of carts and its standard deviation, in halves of their lengths: from narrow ones to those as wide as long. */
const [USUAL, VARIES] = [0.8, 0.5] as const;

/** The depth of the cart, m, which its end faces show as they come into view. */
export const depthOfCart = (half: number): ParameterSpec => ({
  name: 'depth',
  field: depth,
  initial: USUAL * half,
  scale: VARIES * half,
  range: [0, 4 * half],
  unit: 'm',
  prior: { mean: USUAL * half, standardDeviation: VARIES * half },
});
