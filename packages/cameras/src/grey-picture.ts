/** A grey picture: one brightness per pixel, row by row from the top left. */
export interface GreyPicture {
  readonly width: number;
  readonly height: number;
  readonly data: ArrayLike<number>;
}
