import type { BuildContext, F32, FieldOf, Kernel, Plugin } from '@gradsim/core';
import {
  definePlugin,
  describeValue,
  dot,
  fieldOn,
  GradsimError,
  index,
  kernel,
  refuseUnknownOptions,
  vec3,
  vec4,
} from '@gradsim/core';
import type { ImageLayout } from './layout.ts';
import { gridOf, imageLayout, pixelIndex } from './layout.ts';
import { setLayout } from './layouts.ts';
import { Pixel } from './pixel.ts';
import { inPicture, placeOf } from './pixels.ts';
import { refuseNoColor } from './raster/background.ts';

type Color = readonly [number, number, number];

/** Options of {@link drawField}. */
export interface DrawFieldOptions {
  /** Field to draw: one number per cell of the grid, row by row from the top. */
  readonly field: FieldOf<F32>;
  readonly rows: number;
  readonly columns: number;
  /**
   * Size of the picture, in pixels. Default one pixel per cell; for another size the field is interpolated between
   * cells.
   */
  readonly width?: number;
  readonly height?: number;
  /**
   * Field values drawn as `backgroundColor` with alpha 0 (`from`) and as `color` with alpha 1 (`to`); the linear map is
   * extrapolated beyond them. Default 0 and 1.
   */
  readonly from?: number;
  readonly to?: number;
  /** Colour at `to`, red, green, blue in [0, 1]; default white, and for `backgroundColor` black. */
  readonly color?: Color;
  readonly backgroundColor?: Color;
}

const OPTIONS = {
  field: true,
  rows: true,
  columns: true,
  width: true,
  height: true,
  from: true,
  to: true,
  color: true,
  backgroundColor: true,
} as const;

/**
 * Plugin that draws a field over a grid, such as the density of smoke, as the picture `pixels.rgba`, in place of
 * `render` and a renderer. The picture is linear in the field, without clamping, so it has a derivative at all values.
 *
 * ```ts
 * const grid = { rows: 64, columns: 64 };
 * const scene = createScene([smoke(), drawField({ field: SmokeCell.density, ...grid, width: 128, height: 128 })]);
 * addSmoke(scene, { ...grid, density: blob });
 * // ... then record Pixel.rgba and read it with toRows(layoutOf(model), await simulation.readFrames(Pixel.rgba), 4)
 * ```
 * @throws for unknown options, sizes that are not whole positive numbers, and `from` equal to `to`; when a scene is
 * built, if the field does not have rows x columns elements.
 */
export function drawField(options: DrawFieldOptions): Plugin {
  refuseUnknownOptions<DrawFieldOptions>('drawField', options, OPTIONS);
  const { rows, columns, width = columns, height = rows } = options;
  const { from = 0, to = 1, color = [1, 1, 1], backgroundColor = [0, 0, 0] } = options;
  imageLayout({ width: columns, height: rows });
  const layout = imageLayout({ width, height });
  refuseNoColor('drawField: color', color);
  refuseNoColor('drawField: backgroundColor', backgroundColor);
  if (!Number.isFinite(from) || !Number.isFinite(to) || from === to)
    throw new GradsimError(
      'render/option-out-of-range',
      `drawField: from and to take two numbers that differ, got ${describeValue(from)} and ${describeValue(to)}.`,
    );
  const drawn = { ...options, from, to, color, backgroundColor };
  return definePlugin({
    name: '@gradsim/render/field',
    contract: 1,
    // The plugin that owns the field may be registered later.
    finish: (context) => build(context, layout, drawn),
  });
}

type DrawFieldSettings = DrawFieldOptions &
  Required<Pick<DrawFieldOptions, 'from' | 'to' | 'color' | 'backgroundColor'>>;

function build({ model }: Pick<BuildContext, 'model'>, layout: ImageLayout, drawn: DrawFieldSettings): void {
  const { field, rows, columns } = drawn;
  const { size } = model.domain(field.domain);
  if (size !== rows * columns)
    throw new GradsimError(
      'render/wrong-size',
      `drawField: ${field.key} has ${size} elements; a grid of ${rows} x ${columns} has ${rows * columns}.`,
      { field: field.key },
    );
  const { cells, shares } = corners(layout, rows, columns);
  model.addDomain('pixels', layout.pixels, { grid: gridOf(layout) });
  model.addIndex('pixels', 'cells', field.domain, 4, cells);
  model.addField('pixels', 'shares', vec4, { values: shares, shared: true });
  setLayout(model, layout);
  model.addPass('render', draw(layout, drawn));
}

/**
 * Returns the four cells around the centre of each pixel and their bilinear weights; clamped at the edge of the grid.
 */
function corners(layout: ImageLayout, rows: number, columns: number): { cells: Float64Array; shares: Float64Array } {
  const [cells, shares] = [new Float64Array(4 * layout.pixels), new Float64Array(4 * layout.pixels)];
  const around = (k: number, pixels: number, size: number): { low: number; high: number; part: number } => {
    const at = Math.min(Math.max(((k + 0.5) * size) / pixels - 0.5, 0), size - 1);
    const low = Math.floor(at);
    return { low, high: Math.min(low + 1, size - 1), part: at - low };
  };
  for (let y = 0; y < layout.height; y++) {
    for (let x = 0; x < layout.width; x++) {
      const [i, j] = [around(y, layout.height, rows), around(x, layout.width, columns)];
      const at = 4 * pixelIndex(layout, 0, x, y);
      cells.set(
        [i.low, i.low, i.high, i.high].map((row, k) => row * columns + (k % 2 ? j.high : j.low)),
        at,
      );
      shares.set(
        [1 - i.part, 1 - i.part, i.part, i.part].map((share, k) => share * (k % 2 ? j.part : 1 - j.part)),
        at,
      );
    }
  }
  return { cells, shares };
}

const draw = (layout: ImageLayout, { field, from, to, color, backgroundColor }: DrawFieldSettings): Kernel =>
  kernel(
    'drawField',
    {
      domain: 'pixels',
      reads: { cells: index(field.domain, 4), shares: vec4, value: fieldOn(field) },
      writes: { rgba: Pixel.rgba },
    },
    ({ cells, shares, value }, { element }) => {
      const [a, b, c, d] = cells.map((cell) => value.at(cell));
      const shade = dot(vec4(a, b, c, d), shares)
        .sub(from)
        .div(to - from);
      const [behind, ahead] = [vec3(...backgroundColor), vec3(...color)];
      const seen = behind.add(ahead.sub(behind).mul(shade));
      const place = placeOf(layout, element);
      const [r, g, blue, alpha] = [seen.x, seen.y, seen.z, shade].map((x) => inPicture(layout, place, x));
      return { rgba: vec4(r, g, blue, alpha) };
    },
  );
