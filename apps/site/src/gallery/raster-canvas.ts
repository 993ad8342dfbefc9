/** Samples a pixel in each direction. */
const SAMPLES = 4;
/** Corners of a disc, and steps of a value of a pixel: a thumbnail is small. */
const [CORNERS, STEPS] = [24, 20];

type Point = readonly [x: number, y: number];

/**
 * Context of a canvas that has what a pen uses, for thumbnails, which are made where there is no canvas. Areas are filled where
 * their winding is not zero.
 */
export class RasterCanvas {
  readonly canvas: { readonly width: number; readonly height: number };
  fillStyle = '';
  strokeStyle = '';
  lineWidth = 1;
  lineJoin = 'round';
  lineCap = 'round';
  #path: Point[][] = [];
  /** Red, green and blue times opacity, and opacity, of each sample, 0 to 1. */
  readonly #samples: Float32Array;

  constructor(width: number, height: number) {
    this.canvas = { width, height };
    this.#samples = new Float32Array(4 * width * height * SAMPLES ** 2);
  }

  /** Pixels in rows from the top: red, green, blue, opacity, 0 to 255. */
  pixels(): Uint8Array {
    const { width, height } = this.canvas;
    const sums = new Float32Array(4 * width * height);
    for (let row = 0, at = 0; row < height * SAMPLES; row++)
      for (let column = 0; column < width * SAMPLES; column++)
        for (let c = 0; c < 4; c++)
          sums[4 * (Math.floor(row / SAMPLES) * width + Math.floor(column / SAMPLES)) + c] += this.#samples[at++];
    return Uint8Array.from(sums, (sum, k) => {
      const opacity = sums[k - (k % 4) + 3];
      const share = k % 4 === 3 ? sum / SAMPLES ** 2 : opacity > 0 ? sum / opacity : 0;
      return Math.round((255 / STEPS) * Math.round(STEPS * share));
    });
  }

  clearRect(): void {
    this.#samples.fill(0);
  }
  beginPath(): void {
    this.#path = [];
  }
  moveTo(x: number, y: number): void {
    this.#path.push([[x, y]]);
  }
  lineTo(x: number, y: number): void {
    this.#path.at(-1)!.push([x, y]);
  }
  closePath(): void {
    this.#path.at(-1)!.push(this.#path.at(-1)![0]);
  }
  /** A whole circle. */
  arc(x: number, y: number, radius: number): void {
    this.#path.push(disc([x, y], radius));
  }
  fill(): void {
    this.#fill(this.#path, this.fillStyle);
  }
  stroke(): void {
    // Thinner ones would pass between samples.
    const radius = Math.max(this.lineWidth, 1.5 / SAMPLES) / 2;
    const parts = this.#path.flatMap((points) =>
      points.flatMap((end, k) => {
        const [x, y] = points[Math.max(0, k - 1)];
        const length = Math.hypot(end[0] - x, end[1] - y);
        if (length === 0) return [disc(end, radius)];
        const [u, v] = [(radius * (end[0] - x)) / length, (radius * (end[1] - y)) / length];
        // All wound the same way, as discs are.
        const sides: Point[] = [
          [x + v, y - u],
          [end[0] + v, end[1] - u],
          [end[0] - v, end[1] + u],
          [x - v, y + u],
        ];
        return [sides, disc(end, radius)];
      }),
    );
    this.#fill(parts, this.strokeStyle);
  }
  fillRect(x: number, y: number, width: number, height: number): void {
    this.#fill(
      [
        [
          [x, y],
          [x + width, y],
          [x + width, y + height],
          [x, y + height],
        ],
      ],
      this.fillStyle,
    );
  }

  #fill(areas: readonly (readonly Point[])[], style: string): void {
    const [rows, columns] = [this.canvas.height * SAMPLES, this.canvas.width * SAMPLES];
    const edges = areas.flatMap((points) =>
      points.map((from, k) => [from, points[(k + 1) % points.length]].map(([x, y]) => [x * SAMPLES, y * SAMPLES])),
    );
    const heights = edges.map(([[, y]]) => y);
    const top = Math.max(0, Math.floor(Math.min(...heights)));
    const bottom = Math.min(rows - 1, Math.ceil(Math.max(...heights)));
    const colour = colourOf(style);
    for (let row = top; row <= bottom; row++) {
      const y = row + 0.5;
      const crossings = edges
        .filter(([[, a], [, b]]) => a <= y !== b <= y)
        .map(([[ax, ay], [bx, by]]) => ({ x: ax + ((y - ay) * (bx - ax)) / (by - ay), turn: by > ay ? 1 : -1 }))
        .sort((a, b) => a.x - b.x);
      let winding = 0;
      crossings.forEach(({ x, turn }, k) => {
        winding += turn;
        if (winding === 0) return;
        const from = Math.max(0, Math.ceil(x - 0.5));
        const to = Math.min(columns, Math.ceil(crossings[k + 1].x - 0.5));
        for (let column = from; column < to; column++) this.#blend(row * columns + column, colour);
      });
    }
  }

  #blend(sample: number, [r, g, b, opacity]: readonly number[]): void {
    const rest = 1 - opacity;
    [r, g, b, 1].forEach((value, c) => {
      this.#samples[4 * sample + c] = opacity * value + rest * this.#samples[4 * sample + c];
    });
  }
}

const disc = ([x, y]: Point, radius: number): Point[] =>
  Array.from({ length: CORNERS }, (_, k) => {
    const angle = (2 * Math.PI * k) / CORNERS;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });

/** Red, green, blue and opacity of a colour, 0 to 1; `rgb()` and `rgba()` alone. */
function colourOf(style: string): readonly number[] {
  const [r, g, b, opacity = 1] = style.match(/[\d.]+/g)!.map(Number);
  return [r / 255, g / 255, b / 255, opacity];
}
