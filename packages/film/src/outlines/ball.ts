import type { FieldOf, Model, Vec3 } from '@gradsim/core';
import { bind, f32, field, fieldOn, kernel, select, sqrt, vec2, vec3 } from '@gradsim/core';
import { CAMERA_PORTS, distorted, distortedSlopes, lensTermsOf } from '@gradsim/render';
import type { Size } from '@gradsim/video';
import { outlineBias, outlineCentroidAndSize, outlineDirection, outlineRadius, outlineReach } from './fields.ts';

/**
 * Entries (a, b, c) of the matrix of the ball's elliptic outline, px^2: its points p relative to its middle satisfy p^T
 * [a b; b c]^-1 p = 1.
 */
const outlineUnseen = field('world', 'outlineUnseen', vec2);
const outlineEllipse = field('world', 'outlineEllipse', vec3, { unit: 'px^2' });

/** A ball, and the size of the camera's pictures, px. */
interface Ball extends Size {
  readonly centre: FieldOf<Vec3>;
  readonly radius: number;
  readonly element: number;
}

/**
 * Outline of a ball, an ellipse, see `seenBall`: with (X, Y, Z) the centre in the camera's axes, r the radius and q =
 * Z^2 - r^2, its centre on the plane of depth 1 is e = Z (X, Y) / q, its squared half axes are r^2 (X^2 + Y^2 + q) /
 * q^2 along e and r^2 / q across e. As a matrix this is E = r^2 / q (1 + e e^T q / Z^2). The distortion of the lens is
 * linearised at the middle, whose Jacobian is J there: J E J^T, with an error of second order in the ball's size.
 */
export function addBallOutline(model: Model, { width, height, centre, radius, element }: Ball): void {
  const see = kernel(
    'drawOutline',
    {
      domain: 'world',
      reads: {
        position: fieldOn(centre.domain, vec3),
        outlineBias,
        outlineRadius,
        outlineUnseen,
        ...CAMERA_PORTS,
      },
      writes: { outlineCentroidAndSize, outlineEllipse, outlineUnseen },
    },
    ({ position, outlineBias: shift, outlineRadius: r, viewPosition, viewAxes, lens, ...lensTerms }, { substep }) => {
      const away = position.at(element).sub(viewPosition.at(0));
      const { x, y, z } = viewAxes.at(0).mul(away);
      const q = z.mul(z).sub(r.mul(r));
      const unseen = lensTerms.outlineUnseen;
      const [across, up] = [x.mul(z).div(q), y.mul(z).div(q)];
      const terms = lensTermsOf(lensTerms, 0);
      const [u, v] = distorted(across, up, terms);
      const [uAcross, uUp, vAcross, vUp] = distortedSlopes(across, up, terms);
      const round = r.mul(r).div(q);
      const tall = q.div(z.mul(z));
      // J e and J J^T.
      const [eu, ev] = [uAcross.mul(across).add(uUp.mul(up)), vAcross.mul(across).add(vUp.mul(up))];
      const at = lens.at(0);
      const [wide, high] = [at.x.mul(width / 2), at.y.mul(-height / 2)];
      const a = uAcross
        .mul(uAcross)
        .add(uUp.mul(uUp))
        .add(tall.mul(eu.mul(eu)))
        .mul(round)
        .mul(wide.mul(wide));
      const b = uAcross
        .mul(vAcross)
        .add(uUp.mul(vUp))
        .add(tall.mul(eu.mul(ev)))
        .mul(round)
        .mul(wide.mul(high));
      const c = vAcross
        .mul(vAcross)
        .add(vUp.mul(vUp))
        .add(tall.mul(ev.mul(ev)))
        .mul(round)
        .mul(high.mul(high));
      return {
        outlineCentroidAndSize: vec3(
          wide.mul(u).add(at.z.add(1).mul(width / 2)),
          high.mul(v).add(
            f32(1)
              .sub(at.w)
              .mul(height / 2),
          ),
          sqrt(sqrt(a.mul(c).sub(b.mul(b)))),
        ).add(shift),
        outlineEllipse: vec3(a, b, c),
        outlineUnseen: select(z.gt(r).or(unseen.x.gt(0)), unseen, vec2(substep.add(1).toF32(), z)),
      };
    },
  );
  model.addField(outlineRadius, { fill: radius });
  model.addAlarm(outlineUnseen, ([depth]) => {
    if (Number.isNaN(depth))
      return `the ball has no position any more: its motion grew beyond all numbers. ${BEGIN_HINT}`;
    return depth > 0
      ? `the ball is ${depth.toPrecision(3)} m before the camera, which is within its radius, so that it has no outline. ${BEGIN_HINT}`
      : `the ball is ${(-depth).toPrecision(3)} m behind the camera, so that it has no outline. ${BEGIN_HINT}`;
  });
  model.addField(outlineEllipse);
  model.addPass('observe', bind(see, { position: centre }));
  model.addPass('observe', reachOfEllipse);
}

const BEGIN_HINT =
  'Begin with a motion that the camera sees from the first frame to the last; where the film shows another motion than the model has, none is found';

/** Computes the reach of the ellipse in the direction u, 1 / sqrt(u^T [a b; b c]^-1 u), px. */
const reachOfEllipse = kernel(
  'reachOfOutline',
  {
    domain: outlineReach.domain,
    reads: { direction: outlineDirection, ellipse: outlineEllipse, shift: outlineBias },
    writes: { reach: outlineReach },
  },
  ({ direction, ellipse, shift }) => {
    const { x: a, y: b, z: c } = ellipse;
    const { x: u, y: v } = direction;
    const turned = c
      .mul(u.mul(u))
      .sub(b.mul(u).mul(v).mul(2))
      .add(a.mul(v.mul(v)));
    return { reach: sqrt(a.mul(c).sub(b.mul(b)).div(turned)).add(shift.z) };
  },
);
