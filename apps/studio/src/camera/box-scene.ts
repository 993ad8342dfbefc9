// The box that is dragged over the film: the camera that sees it so, and what is drawn of it. Loaded when it is needed.

import { multiplyQuaternions, rotate, rotationAbout } from '@gradsim/base';
import type { Point2, Point3 } from '@gradsim/cameras';
import { cameraPosition, cornersOfBox, onPlane, poseLookingAt, projectPoint } from '@gradsim/cameras';
import { cameraOfMarks, marksOf } from '@gradsim/film';
import { type BoxScene, type BoxSettings, MIN_CORNERS } from './box-settings.ts';

/** Camera and drawing of a box with the corners that are marked so far. @throws if no camera sees the corners so. */
export function boxSceneOf(settings: BoxSettings, before?: BoxScene): BoxScene {
  const { size, marks, picture, fieldOfView } = settings;
  const isSolved = marks.length >= 3 * MIN_CORNERS;
  const start = before ?? { camera: firstCamera(settings) };
  const from = (first?: typeof start) => cameraOfMarks(marksOf(marks), size, picture, { fieldOfView }, first);
  const near = marks.length === 0 ? undefined : from(start);
  // From all sides, as the estimation does, only where the drag has not led there already: it takes ten times as long.
  const found = isSolved && near && !(near.rms < GOOD_FIT * (picture.width / 640)) ? from() : near;
  const camera = found?.camera ?? start.camera;
  const eye = cameraPosition(camera.pose);
  const places = cornersOfBox(size);
  // Pixels are counted from the picture's edge here, and from a pixel's centre by the camera.
  const pixel = (point: Point3): Point2 => {
    const [x, y] = projectPoint(camera, point);
    return [x + 0.5, y + 0.5];
  };
  const isFlat = size[1] === 0;
  const seesFace = (axis: number, end: number): boolean =>
    axis === 1 ? end === 1 : end === 1 ? eye[axis] > size[axis] / 2 : eye[axis] < -size[axis] / 2;
  const endOf = (corner: number, axis: number): number => (corner >> axis) & 1;
  const numbers = [...places.keys()].filter((corner) => !(isFlat && corner & 2));
  const marked = new Map(
    marksOf(marks).map(({ corner, pixel }) => [corner, [pixel[0] + 0.5, pixel[1] + 0.5] as const]),
  );
  const across = Math.max(size[0], size[2]);
  const downhill = downhillOf(settings, camera);
  const angle = (settings.angle * Math.PI) / 180;
  const top: Point3 = [0, size[1], 0];
  const arrow = (direction: readonly number[], length: number): readonly [Point2, Point2] => [
    pixel(top),
    pixel([0, 1, 2].map((k) => top[k] + length * direction[k]) as unknown as Point3),
  ];
  return {
    camera,
    corners: numbers.map((corner) => ({
      corner,
      at: marked.get(corner) ?? pixel(places[corner]),
      fitted: pixel(places[corner]),
      isMarked: marked.has(corner),
      isHidden: !isFlat && [0, 1, 2].every((axis) => !seesFace(axis, endOf(corner, axis))),
    })),
    edges: numbers.flatMap((corner) =>
      [0, 1, 2].flatMap((axis) => {
        if (endOf(corner, axis) === 1 || (isFlat && axis === 1)) return [];
        const others = [0, 1, 2].filter((other) => other !== axis);
        const isHidden = !isFlat && others.every((other) => !seesFace(other, endOf(corner, other)));
        return [{ from: pixel(places[corner]), to: pixel(places[corner | (1 << axis)]), isHidden }];
      }),
    ),
    grid: gridLines(across).map((line) => line.flatMap((point) => within(point, pixel))),
    gravity: arrow([Math.sin(angle) * downhill[0], -Math.cos(angle), Math.sin(angle) * downhill[2]], 1.5 * across),
    downhill: arrow(downhill, 1.5 * across),
    ...(found && isSolved
      ? {
          found: {
            rms: found.rms,
            fieldOfView: degreesOf(camera.focalLength[0], picture.height),
            fieldOfViewError: Math.abs(
              degreesOf(camera.focalLength[0] * Math.exp(Math.sqrt(found.covariance[0][0])), picture.height) -
                degreesOf(camera.focalLength[0], picture.height),
            ),
            distance: Math.hypot(...eye),
            distanceError: Math.hypot(...eye) * Math.sqrt(found.covariance[1][1]),
          },
        }
      : {}),
  };
}

const degreesOf = (focal: number, height: number): number => (360 / Math.PI) * Math.atan(height / 2 / focal);

/** Distance of corners from their marks at which a camera counts as found, px of a picture 640 px wide. */
const GOOD_FIT = 3;

/** Number of grid lines to either side of the box, whose longer side is the distance between them. */
const GRID_LINES = 4;

function gridLines(step: number): Point3[][] {
  const all = Array.from({ length: 2 * GRID_LINES + 1 }, (_, k) => (k - GRID_LINES) * step);
  return all.flatMap((a) => [all.map((b): Point3 => [a, 0, b]), all.map((b): Point3 => [b, 0, a])]);
}

function within(point: Point3, pixel: (point: Point3) => Point2): Point2[] {
  try {
    return [pixel(point)];
  } catch {
    // Behind the camera.
    return [];
  }
}

/** Direction in which the thing slides, in the box's axes, from the ends of its path; the box's own x before there is one. */
function downhillOf({ path, height }: BoxSettings, camera: BoxScene['camera']): Point3 {
  if (path) {
    try {
      const [a, b] = path.map(([x, y]) =>
        onPlane(camera, [x - 0.5, y - 0.5], { normal: [0, 1, 0], offset: height / 2 }),
      );
      const length = Math.hypot(b[0] - a[0], b[2] - a[2]);
      if (length > 0) return [(b[0] - a[0]) / length, 0, (b[2] - a[2]) / length];
    } catch {
      // The path leaves the plane of a camera that is not found yet.
    }
  }
  return [1, 0, 0];
}

/** Camera with which the drag begins: somewhat above the incline, and as far away as the thing is small. */
function firstCamera({ size, angle, picture, fieldOfView, path, place, extent }: BoxSettings): BoxScene['camera'] {
  const focal = picture.height / 2 / Math.tan(((fieldOfView ?? 45) * Math.PI) / 360);
  const middle = [(picture.width - 1) / 2, (picture.height - 1) / 2] as const;
  const distance = (focal * Math.hypot(...size)) / extent;
  const side = path && path[1][0] < path[0][0] ? -1 : 1;
  const { rotation } = poseLookingAt([0.15, 0.4, 1], [0, 0, 0]);
  const lowered = rotationAbout([0, 0, (-side * angle * Math.PI) / 180]);
  const turned = multiplyQuaternions(rotation, lowered);
  const translation = [
    ((place[0] - middle[0]) * distance) / focal,
    ((place[1] - middle[1]) * distance) / focal,
    distance,
  ] as const;
  // The place is the middle of the box, half its height above its lower side.
  const up = rotate(turned, [0, size[1] / 2, 0]);
  return {
    ...picture,
    focalLength: [focal, focal],
    principalPoint: middle,
    distortion: [0, 0, 0, 0, 0],
    pose: {
      rotation: turned,
      translation: [translation[0] - up[0], translation[1] - up[1], translation[2] - up[2]],
    },
  };
}
