/** What {@link zBuffer} draws. */
export interface PlainScene {
  readonly width: number;
  readonly height: number;
  /** Device x, y and depth of every vertex. */
  readonly vertices: ArrayLike<number>;
  readonly faces: ArrayLike<number>;
  /** One colour a face. */
  readonly colors: ArrayLike<number>;
  readonly background: readonly number[];
}

/** Every pixel against every face, the nearest that covers it shown in full: rows of red, green, blue and alpha. */
export function zBuffer({ width, height, vertices, faces, colors, background }: PlainScene): Float64Array {
  const rows = new Float64Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const [x, y] = [(2 * column + 1 - width) / width, (height - 1 - 2 * row) / height];
      let [nearest, shown] = [Number.POSITIVE_INFINITY, [...background, 0]];
      for (let f = 0; f < faces.length / 3; f++) {
        const corners = [0, 1, 2].map((k) => [0, 1, 2].map((c) => vertices[3 * faces[3 * f + k] + c]));
        const area = (a: readonly number[], b: readonly number[], [px, py]: readonly number[]): number =>
          (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
        const all = area(corners[0], corners[1], corners[2]);
        const w = [0, 1, 2].map((k) => area(corners[(k + 1) % 3], corners[(k + 2) % 3], [x, y]) / all);
        if (!(Math.min(...w) > 0)) continue;
        const depth = 1 / w.reduce((sum, weight, k) => sum + weight / corners[k][2], 0);
        if (depth >= nearest) continue;
        nearest = depth;
        shown = [colors[3 * f], colors[3 * f + 1], colors[3 * f + 2], 1];
      }
      rows.set(shown, 4 * (row * width + column));
    }
  }
  return rows;
}
