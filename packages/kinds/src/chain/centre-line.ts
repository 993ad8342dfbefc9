import { Link } from '@gradsim/articulated';
import { clamp, definePlugin, type F32, f32, field, fieldOn, kernel, norm, type Vec3, vec2, vec3 } from '@gradsim/core';
import { CAMERA_PORTS } from '@gradsim/render';

/**
 * Point, m, that the camera sees in the middle of the upper part of the chain's centre line, a part that is as long in all
 * frames, px. It is compared in place of the middle of the mask: where blur and shade make a piece of the mask a tenth wider, that
 * moves by 5 px, and the free end fades where it is fast.
 */
export const lineMiddle = field('world', 'lineMiddle', vec3, { unit: 'm' });

/**
 * Computes {@link lineMiddle} of a chain, before the plugin `projectedOutline` draws it.
 * @param rods number of rods that stand for it, the first links of the scene, before one at its end.
 * @param width of the picture, px.
 * @param part length of the upper part in the picture, px.
 */
export const centreLine = (rods: number, width: number, part: number) =>
  definePlugin({
    name: '@gradsim/kinds/chain-line',
    contract: 1,
    components: [Link],
    build: ({ model }) => {
      const { viewPosition, viewAxes, lens } = CAMERA_PORTS;
      model.addField(lineMiddle);
      model.addPass(
        'observe',
        kernel(
          'middleOfLine',
          {
            domain: 'world',
            reads: { position: fieldOn(Link.position), viewPosition, viewAxes, lens },
            writes: { lineMiddle },
          },
          ({ position, viewPosition: eye, viewAxes: axes, lens: at }) => {
            // From -1 to 1 over the width.
            const focal = at.at(0).x.mul(width / 2);
            const depthOf = (place: Vec3): F32 => axes.at(0).mul(place.sub(eye.at(0))).z;
            const seen = Array.from({ length: rods + 1 }, (_, rod) => {
              const { x, y, z } = axes.at(0).mul(position.at(rod).sub(eye.at(0)));
              return vec2(x.div(z), y.div(z)).mul(focal);
            });
            let [left, whole, weighed] = [f32(part), f32(0), vec3(0, 0, 0)];
            for (let rod = 0; rod < rods; rod++) {
              const length = norm(seen[rod + 1].sub(seen[rod]));
              const share = clamp(left.div(length), 0, 1);
              const [from, to] = [position.at(rod), position.at(rod + 1)];
              const place = from.add(to.sub(from).mul(share.mul(0.5)));
              // The picture of the mean of points with the weights w / z is the mean of their pictures with the weights w.
              const weight = share.mul(length).div(depthOf(place));
              left = left.sub(length);
              whole = whole.add(weight);
              weighed = weighed.add(place.mul(weight));
            }
            return { lineMiddle: weighed.div(whole) };
          },
        ),
      );
    },
  });
