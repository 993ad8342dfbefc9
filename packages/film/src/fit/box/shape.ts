import { dot, multiplyQuaternions, rotate, rotationAbout } from '@gradsim/base';
import type { FilmCamera } from '../../film-camera.ts';
import { middleOf } from '../../outlines/reach.ts';
import { boxOutline } from '../../starts/box/outline.ts';
import type { BoxState, ExposedBox } from '../../starts/box/turning.ts';
import { BOX } from '../../tuning/box.ts';
import type { Round } from '../../tuning/pictures.ts';
import type { Canvas } from '../canvas.ts';
import type { Shape } from '../outlines.ts';
import type { PartSeen } from '../parts.ts';
import { movedOn, type SideSeen, sidesOf, sidesSeen } from './picture.ts';

/** A plane: the points x with normal . x = offset, m; the normal is of length 1. */
export interface Plane {
  readonly normal: readonly number[];
  readonly offset: number;
}

export interface GivenBoxGeometry {
  readonly size: readonly number[];
  readonly floor: Plane;
  readonly camera: FilmCamera;
  /** Frame interval, s. */
  readonly frameTime: number;
  readonly rounds?: readonly Round[];
}

/**
 * Shape of a box in a picture, with its exposure time in s. Its unknowns are three of position, m, three of rotation,
 * rad, and the relative change of exposure.
 */
export const shapeOfBox = ({
  size,
  floor,
  camera,
  frameTime,
  rounds = BOX.rounds,
}: GivenBoxGeometry): Shape<ExposedBox, ExposedBox & { readonly seconds: number }> => ({
  tuning: { ...BOX, rounds },
  wholeFrame: frameTime,
  speed: (state) => cornerDisplacement(size, state, frameTime, camera),
  corners: (state) => [-0.25, 0, 0.25].flatMap((part) => shownAt(size, state, part * frameTime, camera)),
  stateAt: ({ path, ...start }, values, seconds) => {
    const turn = rotationAbout(values.slice(3, 6));
    const shifted = (state: BoxState): BoxState => ({
      ...state,
      position: state.position.map((c, k) => c + values[k]),
      orientation: multiplyQuaternions(turn, state.orientation),
    });
    return { ...shifted(start), ...(path && { path: { ...path, states: path.states.map(shifted) } }), seconds };
  },
  parts: (state, canvas, soft, coversAlone) =>
    sidesSeen(size, state, state.seconds, camera, canvas, soft).map((side) => ({
      cover: side.cover,
      patterns: coversAlone ? [] : patternsOf(side, canvas),
    })),
  outline: (state) => boxOutline(size, state, camera.project),
  uncertainty: (start, { state, exposure }) => {
    const blur = cornerDisplacement(size, start, exposure, camera);
    const low = Math.min(...sidesOf(size).corners.map((c) => dot(floor.normal, rotate(state.orientation, c))));
    const height = dot(floor.normal, state.position) + low - floor.offset;
    const foot = BOX.footUncertainty * Math.min(Math.max(1 - height / (BOX.footHeight * Math.min(...size)), 0), 1);
    return Math.hypot(BOX.uncertainty, BOX.perBlur * blur, foot);
  },
});

/**
 * Light patterns of a side beside the uniform one, if it is large: proportional to the horizontal and the vertical distance from
 * its middle in the picture.
 */
function patternsOf({ cover, region, corners }: SideSeen, canvas: Canvas): PartSeen['patterns'] {
  const { x, y, size } = middleOf(corners);
  if (Math.PI * size ** 2 < BOX.largeSide) return [];
  const { left, top, width } = canvas.cut;
  const [across, down] = [canvas.sheet(), canvas.sheet()];
  for (let row = region.top; row <= region.bottom; row++)
    for (let column = region.left; column <= region.right; column++) {
      const p = row * width + column;
      across[p] = (cover[p] * (left + column + 0.5 - x)) / BOX.across;
      down[p] = (cover[p] * (top + row + 0.5 - y)) / BOX.across;
    }
  return [across, down];
}

function shownAt(size: readonly number[], state: ExposedBox, after: number, camera: FilmCamera) {
  const { position, orientation } = movedOn(state, after);
  return sidesOf(size).corners.map((corner) =>
    camera.project(rotate(orientation, corner).map((c, k) => c + position[k])),
  );
}

/** Displacement in the picture of a box's fastest corner in a time interval centred on the state's time, px. */
export function cornerDisplacement(
  size: readonly number[],
  state: ExposedBox,
  seconds: number,
  camera: FilmCamera,
): number {
  const [before, after] = [-0.5, 0.5].map((part) => shownAt(size, state, part * seconds, camera));
  return Math.max(...before.map(([x, y], k) => Math.hypot(after[k][0] - x, after[k][1] - y)));
}
