/** View of a scene: what lies in the middle of the picture, how wide the picture is, and from where. */
export interface View {
  readonly centre: readonly [number, number, number];
  /** Width of the picture, m. */
  readonly width: number;
  /** Turn of the view about the vertical, and above the horizontal, rad. Default 0: from the front. */
  readonly azimuth?: number;
  readonly elevation?: number;
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;
type Values = ArrayLike<number>;
/** Colour as red, green, blue, 0 to 255. */
export type Colour = readonly [number, number, number];

const AMBER: Colour = [240, 160, 60];
const TEAL: Colour = [40, 150, 140];
const GREY: Colour = [130, 140, 145];
const cssColour = ([r, g, b]: Colour, light = 1): string => `rgb(${r * light},${g * light},${b * light})`;

/** Draws scenes of demos onto a canvas, in metres, without perspective. y is up. */
export class Pen {
  readonly #context: Context;
  readonly #view: View;
  readonly #trail: number[] = [];

  constructor(context: Context, view: View) {
    this.#context = context;
    this.#view = view;
  }

  get #scale(): number {
    return this.#context.canvas.width / this.#view.width;
  }

  /** Pixel of a point, and how near it is to the eye, m. */
  #project(x: number, y: number, z: number): [right: number, down: number, near: number] {
    const { centre, azimuth = 0, elevation = 0 } = this.#view;
    const { width, height } = this.#context.canvas;
    const [dx, dy, dz] = [x - centre[0], y - centre[1], z - centre[2]];
    const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
    const right = ca * dx - sa * dz;
    const back = sa * dx + ca * dz;
    const up = ce * dy - se * back;
    return [width / 2 + right * this.#scale, height / 2 - up * this.#scale, se * dy + ce * back];
  }

  /** Empties the picture; `isFirst` forgets the trail. */
  begin(isFirst: boolean): void {
    const { width, height } = this.#context.canvas;
    this.#context.clearRect(0, 0, width, height);
    if (isFirst) this.#trail.length = 0;
  }

  /** The plane y = `height`, as a line from the front, or as a grid of metres. */
  floor(height = 0): void {
    const { centre, width, elevation = 0 } = this.#view;
    const [left, right] = [Math.floor(centre[0] - width), Math.ceil(centre[0] + width)];
    if (elevation === 0) this.line([left, height, 0, right, height, 0], GREY, 2);
    if (elevation === 0) return;
    const step = width / 10;
    for (let k = -8; k <= 8; k++) {
      const [x, z] = [centre[0] + k * step, centre[2] + k * step];
      this.line([x, height, centre[2] - 8 * step, x, height, centre[2] + 8 * step], GREY, 0.4);
      this.line([centre[0] - 8 * step, height, z, centre[0] + 8 * step, height, z], GREY, 0.4);
    }
  }

  /** A line through points x, y, z. */
  line(points: Values, colour: Colour = AMBER, thickness = 2): void {
    const context = this.#context;
    context.beginPath();
    for (let k = 0; k + 2 < points.length; k += 3) {
      const [x, y] = this.#project(points[k], points[k + 1], points[k + 2]);
      if (k === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.lineWidth = (thickness * context.canvas.width) / 640;
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.strokeStyle = cssColour(colour);
    context.stroke();
  }

  /** A ball. */
  ball([x, y, z]: readonly number[] | Float64Array, radius: number, colour: Colour = AMBER): void {
    const [right, down] = this.#project(x, y, z);
    this.#context.beginPath();
    this.#context.arc(right, down, radius * this.#scale, 0, 2 * Math.PI);
    this.#context.fillStyle = cssColour(colour);
    this.#context.fill();
  }

  /** Trail of a point since the run began. */
  trail([x, y, z]: readonly number[] | Float64Array, colour: Colour = TEAL): void {
    this.#trail.push(x, y, z);
    this.line(this.#trail, colour, 1.5);
  }

  /** Triangles, those behind first, lighter the more they face the light. */
  surface(positions: Values, triangles: ArrayLike<number>, colour: Colour = AMBER): void {
    const points = Array.from({ length: positions.length / 3 }, (_, k) =>
      this.#project(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]),
    );
    const faces = Array.from({ length: triangles.length / 3 }, (_, t) => {
      const corners = [0, 1, 2].map((c) => points[triangles[3 * t + c]]);
      return { corners, near: corners[0][2] + corners[1][2] + corners[2][2] };
    }).sort((a, b) => a.near - b.near);
    const context = this.#context;
    for (const { corners } of faces) {
      const [[ax, ay, an], [bx, by, bn], [cx, cy, cn]] = corners;
      const [ux, uy, un] = [bx - ax, by - ay, (bn - an) * this.#scale];
      const [vx, vy, vn] = [cx - ax, cy - ay, (cn - an) * this.#scale];
      const normal = [uy * vn - un * vy, un * vx - ux * vn, ux * vy - uy * vx];
      const length = Math.hypot(...normal) || 1;
      const facing = Math.abs((-0.3 * normal[0] - 0.7 * normal[1] + 0.65 * normal[2]) / length);
      context.beginPath();
      context.moveTo(ax, ay);
      context.lineTo(bx, by);
      context.lineTo(cx, cy);
      context.closePath();
      context.fillStyle = cssColour(colour, 0.4 + 0.6 * Math.min(1, facing));
      context.strokeStyle = context.fillStyle;
      context.lineWidth = 1;
      context.fill();
      context.stroke();
    }
  }

  /** Values of cells, row by row from above, over the whole picture; 1 is opaque. */
  cells(values: Values, rows: number, columns: number, [r, g, b]: Colour = AMBER): void {
    const { width, height } = this.#context.canvas;
    const [w, h] = [width / columns, height / rows];
    for (let k = 0; k < rows * columns; k++) {
      if (values[k] < 0.01) continue;
      this.#context.fillStyle = `rgba(${r},${g},${b},${Math.min(1, values[k])})`;
      this.#context.fillRect((k % columns) * w, Math.floor(k / columns) * h, w + 0.5, h + 0.5);
    }
  }
}
