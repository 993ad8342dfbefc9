/** Input of {@link zBuffer}. */
export interface PlainScene {
  readonly width: number;
  readonly height: number;
  /** Device x, y and depth of every vertex, one after another. */
  readonly vertices: ArrayLike<number>;
  readonly faces: ArrayLike<number>;
  /** Red, green, blue of every face. */
  readonly colors: ArrayLike<number>;
  readonly background: readonly number[];
}

/** Output of {@link zBuffer}, row by row from the top. */
export interface PlainPicture {
  /** Red, green, blue and alpha of each pixel. */
  readonly rgba: Float64Array;
  /** Index of the face shown at each pixel; the number of faces if none. */
  readonly faceOfPixel: Uint32Array;
  /** Its depth, m; infinite if none. */
  readonly depth: Float64Array;
}

/** Draws a picture by testing every pixel against every face: the nearest face that covers the pixel is shown. */
export function zBuffer({ width, height, vertices, faces, colors, background }: PlainScene): PlainPicture {
  const rgba = new Float64Array(4 * width * height);
  const faceOfPixel = new Uint32Array(width * height);
  const depths = new Float64Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [(2 * column + 1 - width) / width, (height - 1 - 2 * row) / height];
      let [nearest, face] = [Number.POSITIVE_INFINITY, faces.length / 3];
      for (let f = 0; f < faces.length / 3; f++) {
        const corners = [0, 1, 2].map((k) => [0, 1, 2].map((c) => vertices[3 * faces[3 * f + k] + c]));
        const area = (a: readonly number[], b: readonly number[], [px, py]: readonly number[]): number =>
          (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
        const all = area(corners[0], corners[1], corners[2]);
        const w = [0, 1, 2].map((k) => area(corners[(k + 1) % 3], corners[(k + 2) % 3], [x, y]) / all);
        if (!(Math.min(...w) > 0)) continue;
        const depth = 1 / w.reduce((sum, weight, k) => sum + weight / corners[k][2], 0);
        if (depth >= nearest) continue;
        [nearest, face] = [depth, f];
      }
      const pixel = row * width + column;
      const color = [0, 1, 2].map((c) => (nearest < Infinity ? colors[3 * face + c] : background[c]));
      rgba.set([...color, nearest < Infinity ? 1 : 0], 4 * pixel);
      faceOfPixel[pixel] = face;
      depths[pixel] = nearest;
    }
  }
  return { rgba, faceOfPixel, depth: depths };
}
