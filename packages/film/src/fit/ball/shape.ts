import type { FilmCamera } from '../../film-camera.ts';
import { BALL } from '../../tuning/ball.ts';
import { PICTURES } from '../../tuning/pictures.ts';
import type { Shape } from '../outlines.ts';
import { type BallState, ballSeen, ellipseOf, reachesOfBall } from './picture.ts';

/** Unit vector in the picture. */
export type Direction = readonly [right: number, down: number];

/** True near the rim in the direction of a surface that the ball touches, from its middle, px. */
export function isNearContact([u, v]: Direction, size: number, [right, down]: Direction): boolean {
  const { from, halfAngle } = BALL.contact;
  const far = Math.hypot(right, down);
  return far > from * size && right * u + down * v > Math.cos(halfAngle) * far;
}

/** Approximate position and motion of a ball in a frame. */
export interface BallStart extends Pick<BallState, 'x' | 'y' | 'size'> {
  /** Displacement in a frame interval, the usual one, px. */
  readonly displacement: readonly [right: number, down: number];
  /**
   * Length of the difference between the displacements before and after the frame, px; 0 unless the path turns there.
   */
  readonly displacementChange: number;
  /** Excess of its mask's size over the median in neighbouring frames, px; 0 if small. */
  readonly sizeExcess: number;
}

/**
 * Shape of a ball in a picture. Its unknowns are the shifts to the right and downwards, the relative change of size,
 * and the relative change of exposure.
 *
 * @param surface direction in the picture in which the ball touches a surface: the contact shadow there is as dark as the
 * ball's lower side, so that no rim is seen between them.
 */
export const shapeOfBall = (camera: FilmCamera, surface?: Direction): Shape<BallStart, BallState> => ({
  tuning: BALL,
  wholeFrame: 1,
  speed: ({ displacement }) => Math.hypot(...displacement),
  corners: (start) => {
    const { semiAxisAlong } = ellipseOf(start, camera);
    const [wide, high] = start.displacement.map((far) => semiAxisAlong + Math.abs(far) / 2);
    return [
      [start.x - wide, start.y - high],
      [start.x + wide, start.y + high],
    ];
  },
  ...(surface && { isCompared: ({ x, y, size }, right, down) => !isNearContact(surface, size, [right - x, down - y]) }),
  stateAt: ({ x, y, size, displacement }, [right, down, larger], shutter) => ({
    x: x + right,
    y: y + down,
    size: size * (1 + larger),
    blur: [shutter * displacement[0], shutter * displacement[1]],
  }),
  parts: (state, canvas, soft, coversAlone) => ballSeen(state, camera, canvas, { soft, coversAlone }),
  outline: (state) => ({ x: state.x, y: state.y, size: state.size, reaches: reachesOfBall(state, camera) }),
  uncertainty: ({ displacementChange, sizeExcess }, { state, deviations }) =>
    Math.hypot(
      BALL.uncertainty,
      PICTURES.scatterFactor * Math.hypot(deviations[0], deviations[1]),
      BALL.perBlur * Math.hypot(...state.blur),
      BALL.perTurn * displacementChange,
      sizeExcess,
    ),
});
