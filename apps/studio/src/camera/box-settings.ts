import type { Camera, CameraPose, Point2, Point3 } from '@gradsim/cameras';

/** Smallest number of corners of a box that tells where the camera is: that of `cameraOfBox`. */
export const MIN_CORNERS = 4;

/** Measurements and marks from which the camera over the box is found. */
export interface BoxSettings {
  /** Size of the box that is marked, m: along the incline, away from it, across. */
  readonly size: Point3;
  /** Height of the thing that slides, m, and angle of the incline, degrees. */
  readonly height: number;
  readonly angle: number;
  /** Marked corners: number, x, y of each. */
  readonly marks: readonly number[];
  /** Size of the film's pictures, px. */
  readonly picture: { readonly width: number; readonly height: number };
  readonly fieldOfView: number | null;
  /** First and last place of the thing in the film, px; undefined before one is found. */
  readonly path?: readonly [Point2, Point2];
  /** Place and extent in the picture at which the box is drawn first, px. */
  readonly place: Point2;
  readonly extent: number;
}

/** Corner of the box over the film. */
export interface BoxCorner {
  /** Number of the corner, 0 to 7: 1 is added for the end towards x, 2 for the upper side, 4 for the end towards z. */
  readonly corner: number;
  /** Place of its handle and of the fitted box's corner, px. */
  readonly at: Point2;
  readonly fitted: Point2;
  readonly isMarked: boolean;
  /** True if the box itself hides it. */
  readonly isHidden: boolean;
}

/** Box, plane and camera as they lie over the film. */
export interface BoxScene {
  readonly camera: Camera & { readonly pose: CameraPose };
  readonly corners: readonly BoxCorner[];
  readonly edges: readonly { readonly from: Point2; readonly to: Point2; readonly isHidden: boolean }[];
  readonly grid: readonly (readonly Point2[])[];
  readonly gravity: readonly [Point2, Point2];
  readonly downhill: readonly [Point2, Point2];
  /** The camera in numbers, once enough corners are marked: degrees, m, and the corners' distance from their marks, px. */
  readonly found?: {
    readonly rms: number;
    readonly fieldOfView: number;
    readonly fieldOfViewError: number;
    readonly distance: number;
    readonly distanceError: number;
  };
}
