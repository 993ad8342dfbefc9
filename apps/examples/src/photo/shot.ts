/** Position and orientation of a body: x, y, z, then a unit quaternion x, y, z, w. */
export type Pose = readonly number[];

/** Description of a shot, in JSON, that the page of `in-page.ts` renders. */
export interface Shot {
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  /**
   * For each frame, the poses whose pictures its exposure averages, evenly spaced over the time that the shutter is
   * open.
   */
  readonly exposures: readonly (readonly Pose[])[];
  readonly mesh: {
    /** x, y, z of every vertex in body axes, m. */
    readonly positions: readonly number[];
    /** Three vertex indices per triangle, counter-clockwise seen from outside. */
    readonly triangles: readonly number[];
    /** Red, green, blue of every triangle, linear light. */
    readonly colors: readonly number[];
  };
  readonly camera: {
    /** Position of the camera, m. */
    readonly eye: readonly number[];
    readonly target: readonly number[];
    /** Vertical field of view, rad. */
    readonly fieldOfView: number;
  };
  /** `mask` draws the body white and all else black, without light: in linear light, the part that the body covers. */
  readonly look: Look | 'mask';
}

/** Light, ground and materials of a shot, which an estimate from it must not use. */
export interface Look {
  /** Direction from the scene towards the sun; any length. */
  readonly sun: readonly number[];
  readonly sunIntensity: number;
  /** Intensity of the ambient light. */
  readonly skyIntensity: number;
  /** Red, green, blue of the ground, linear light. */
  readonly ground: readonly number[];
  readonly roughness: number;
  readonly clearcoat: number;
  readonly exposure: number;
}

/** Rendered pictures that the page posts: 8-bit RGB, row by row from the top, in base64. */
export interface Photographs {
  /** Pictures of all frames, one after another. */
  readonly frames?: string;
  /** Picture of the scene without the body. */
  readonly plate?: string;
  readonly error?: string;
}
