import type { F32, FieldRef, Model, Operand, ValueOf, ValueType } from '@gradsim/core';
import {
  bind,
  clamp,
  detach,
  f32,
  fieldOn,
  forRange,
  GradsimError,
  kernel,
  refuseUnknownOptions,
  select,
  several,
  sigmoid,
  sqrt,
  when,
} from '@gradsim/core';
import type { ControllerInput } from './controller-input.ts';
import { refuseCount, refuseNumber } from './controller-input.ts';

/** A thick line segment with round ends in the plane of the picture, m: x to the right, y up. */
export interface Stroke {
  readonly from: readonly [x: F32, y: F32];
  readonly to: readonly [x: F32, y: F32];
  /** Half of the line's thickness, m, above 0. */
  readonly radius: number;
}

/** Fields that strokes are computed from, as ports of the kernel: `angle.at(0)` reads element 0. */
export type StrokeFields<R extends Readonly<Record<string, FieldRef<ValueType>>>> = {
  readonly [K in keyof R]: {
    readonly at: (element: Operand<'u32'>) => R[K] extends FieldRef<infer T extends ValueType> ? ValueOf<T> : never;
  };
};

export interface StrokeImageInputOptions<R extends Readonly<Record<string, FieldRef<ValueType>>>> {
  /** Width of the picture, px. */
  readonly width: number;
  readonly height: number;
  /** Width of the view, from the left edge to the right one, m. */
  readonly pixels: number;
  /** Point at the middle of the picture, [x, y], m. Default [0, 0]. */
  readonly centre?: readonly [number, number];
  /** Number of pictures that are observed: the latest and those of earlier evaluations of the controller. Default 1. */
  readonly count?: number;
  /**
   * Factor: if above 0, an earlier picture is replaced by the latest picture minus it, times this factor; if 0, it is
   * observed as it is. Both hold the same information, but an untrained network hardly responds to motion otherwise.
   * Default 0.
   */
  readonly changes?: number;
  /**
   * Number n: instead of pixels, the lowest n x n coefficients of the picture's cosine transform are observed,
   * [frequency down][frequency across]. Default: the pixels.
   */
  readonly waves?: number;
  /** True to treat pictures as constants in derivatives. Default false: derivatives propagate to the strokes. */
  readonly detached?: boolean;
  /** Fields that strokes are computed from. */
  readonly elements: R;
  /** Function that computes the strokes, in the kernel language, for example from positions or joint angles. */
  readonly strokes: (fields: StrokeFields<R>) => readonly Stroke[];
}

const OPTIONS = {
  width: true,
  height: true,
  pixels: true,
  centre: true,
  count: true,
  changes: true,
  waves: true,
  detached: true,
  elements: true,
  strokes: true,
};

/** Length scale s of a stroke's soft edge, px: coverage falls from 0.73 to 0.27 over a width of 2 s across the edge. */
const EDGE_SOFTNESS = 0.4;

/**
 * Controller input: pictures of strokes, as the fraction of each pixel that they cover, with soft edges so that
 * derivatives exist. The camera looks along -z without perspective; a picture is taken at each evaluation of the
 * controller. At the first evaluation all earlier pictures equal the first one. Shape [pixel or coefficient][picture],
 * latest picture first, pixels row by row from the top left.
 *
 * ```ts
 * const inputs = [
 *   strokeImageInput({
 *     width: 32, height: 32, pixels: 2.4, count: 2,
 *     elements: { angle: Link.coordinate },
 *     strokes: ({ angle }) => {
 *       const turned = angle.at(0);
 *       return [{ from: [f32(0), f32(0)], to: [sin(turned), cos(turned).neg()], radius: 0.05 }];
 *     },
 *   }),
 * ];
 * ```
 * @throws for a picture without pixels or strokes; when the model is built, for fields that do not exist.
 */
export function strokeImageInput<const R extends Readonly<Record<string, FieldRef<ValueType>>>>(
  options: StrokeImageInputOptions<R>,
): ControllerInput {
  refuseUnknownOptions<StrokeImageInputOptions<R>>('picture', options, OPTIONS);
  const { width, height, pixels: across, centre = [0, 0], count = 1, changes = 0 } = options;
  const { waves, detached = false } = options;
  refuseCount('The width of a picture', width, 1);
  refuseCount('The height of a picture', height, 1);
  refuseCount('The count of pictures', count, 1);
  if (waves !== undefined) refuseCount('The count of waves of a picture', waves, 1);
  if (waves !== undefined && waves > Math.min(width, height))
    throw new GradsimError(
      'control/option-out-of-range',
      `A picture of ${width} x ${height} pixels has no ${waves} waves along each side; it has ${Math.min(width, height)}.`,
    );
  refuseNumber('What a picture shows across', across, 'be above 0');
  refuseNumber('What is in the middle of a picture (x)', centre[0], 'be finite');
  refuseNumber('What is in the middle of a picture (y)', centre[1], 'be finite');
  refuseNumber('The factor of changes of pictures', changes, 'be finite');
  return {
    add: (model, domain, { every }) => {
      const radii = addStrokes(model, domain, options);
      const pixels = `${domain}Pixels`;
      model.addDomain(pixels, width * height);
      const pitch = across / width;
      const take = kernel(
        `take_${domain}`,
        { domain: pixels, reads: { end: fieldOn(`${domain}Ends`, f32) }, writes: { pixel: f32 } },
        ({ end }, { element, substep }) => {
          const row = element.div(width);
          const column = element.sub(row.mul(width));
          const x = column
            .toF32()
            .add(0.5 - width / 2)
            .mul(pitch)
            .add(centre[0]);
          const y = row
            .toF32()
            .add(0.5 - height / 2)
            .mul(-pitch)
            .add(centre[1]);
          const drawn = (): F32 => {
            let bare = f32(1);
            radii.forEach((radius, k) => {
              const [ax, ay, bx, by] = [0, 1, 2, 3].map((c) => end.at(4 * k + c));
              const distance = toStroke([x, y], [ax, ay], [bx, by]);
              bare = bare.mul(sigmoid(distance.sub(radius).div(EDGE_SOFTNESS * pitch)));
            });
            const covered = f32(1).sub(bare);
            return detached ? detach(covered) : covered;
          };
          return { pixel: when(substep.rem(every).eq(0), drawn, () => f32(0)) };
        },
      );
      model.addPass('control', bind(take, { end: 'value' }));
      const shown = waves === undefined ? pixels : addCosineTransform(model, domain, { width, height, waves, every });
      addPictureHistory(model, { domain, shown, count, changes, every, from: waves === undefined ? 'pixel' : 'wave' });
    },
  };
}

/**
 * Adds the lowest coefficients of the picture's orthonormal cosine transform (DCT-II), as a domain in the order
 * [frequency down][frequency across], and returns the domain's name. Source: N. Ahmed, T. Natarajan and K. R. Rao,
 * Discrete Cosine Transform, 1974.
 */
function addCosineTransform(
  model: Model,
  domain: string,
  { width, height, waves, every }: { width: number; height: number; waves: number; every: number },
): string {
  const [pixels, lines, shown] = [`${domain}Pixels`, `${domain}Lines`, `${domain}Waves`];
  const table = (length: number): Float64Array =>
    Float64Array.from({ length: waves * length }, (_, k) => {
      const [wave, at] = [Math.floor(k / length), k % length];
      const norm = Math.sqrt((wave === 0 ? 1 : 2) / length);
      return norm * Math.cos((Math.PI * (at + 0.5) * wave) / length);
    });
  const [across, down] = [`${domain}Across`, `${domain}Down`];
  for (const [name, length] of [
    [across, width],
    [down, height],
  ] as const) {
    model.addDomain(name, waves * length);
    model.addField(name, 'cosine', f32, { values: table(length), shared: true });
  }
  model.addDomain(lines, height * waves);
  model.addDomain(shown, waves * waves);
  // Sums over the values at every `step`-th place from `first` on, times a cosine.
  const alongLines = kernel(
    `linesOf_${domain}`,
    { domain: lines, reads: { pixel: fieldOn(pixels, f32), cosine: fieldOn(across, f32) }, writes: { line: f32 } },
    ({ pixel, cosine }, { element, substep }) => {
      const row = element.div(waves);
      const wave = element.sub(row.mul(waves));
      return {
        line: when(
          substep.rem(every).eq(0),
          () =>
            forRange(0, width, f32(0), (x, sum) =>
              sum.add(pixel.at(row.mul(width).add(x)).mul(cosine.at(wave.mul(width).add(x)))),
            ),
          () => f32(0),
        ),
      };
    },
  );
  const downLines = kernel(
    `wavesOf_${domain}`,
    { domain: shown, reads: { line: fieldOn(lines, f32), cosine: fieldOn(down, f32) }, writes: { wave: f32 } },
    ({ line, cosine }, { element, substep }) => {
      const row = element.div(waves);
      const wave = element.sub(row.mul(waves));
      return {
        wave: when(
          substep.rem(every).eq(0),
          () =>
            forRange(0, height, f32(0), (y, sum) =>
              sum.add(line.at(y.mul(waves).add(wave)).mul(cosine.at(row.mul(height).add(y)))),
            ),
          () => f32(0),
        ),
      };
    },
  );
  model.addPass('control', alongLines);
  model.addPass('control', downLines);
  return shown;
}

/** Adds the passes that store the latest `count` pictures and write them to the controller's input. */
function addPictureHistory(
  model: Model,
  {
    domain,
    shown,
    count,
    changes,
    every,
    from,
  }: { domain: string; shown: string; count: number; changes: number; every: number; from: string },
): void {
  model.addDomain(domain, model.domain(shown).size * count);
  const taken = Array.from({ length: count }, (_, k) => `shot${k}`);
  for (const name of taken) model.addField(shown, name, f32, { fill: 0 });
  const shots = Object.fromEntries(taken.map((name) => [name, f32]));
  const keep = kernel(
    `keep_${domain}`,
    { domain: shown, reads: { ...shots, latest: f32 }, writes: shots },
    (fields, { substep }) => {
      const { latest, ...last } = fields as Readonly<Record<string, F32>>;
      const isDue = substep.rem(every).eq(0);
      return Object.fromEntries(
        taken.map((name, k) => {
          const before = k === 0 ? latest : select(substep.eq(0), latest, last[taken[k - 1]]);
          return [name, select(isDue, before, last[name])];
        }),
      );
    },
  );
  model.addPass('control', bind(keep, { latest: from }));
  const see = kernel(
    `pictureOf_${domain}`,
    { domain: shown, reads: shots, writes: { value: several(domain, f32, count) } },
    (fields) => {
      const shot = fields as Readonly<Record<string, F32>>;
      const value = taken.map((name, k) =>
        k === 0 || changes === 0 ? shot[name] : shot[taken[0]].sub(shot[name]).mul(changes),
      );
      return { value };
    },
  );
  model.addPass('control', see);
}

/**
 * Adds a domain with the end points of all strokes, [stroke][from x, from y, to x, to y], m; returns their radii, m.
 */
function addStrokes<R extends Readonly<Record<string, FieldRef<ValueType>>>>(
  model: Model,
  domain: string,
  { elements, strokes }: StrokeImageInputOptions<R>,
): number[] {
  const reads = Object.fromEntries(
    Object.entries(elements).map(([name, ref]) => [name, fieldOn(model.field(ref).ref as FieldRef<ValueType>)]),
  );
  const radii: number[] = [];
  const ends = `${domain}Ends`;
  const scene = `${domain}Scene`;
  // Their number is known once they are traced.
  const traced = (count: number) =>
    kernel(
      `strokesOf_${domain}`,
      { domain: scene, reads, writes: { value: several(ends, f32, 4 * count) } },
      (fields) => {
        const drawn = strokes(fields as unknown as StrokeFields<R>);
        radii.splice(0, radii.length, ...drawn.map(({ radius }) => radius));
        const numbers = drawn.flatMap(({ from, to }) => [...from, ...to]);
        return { value: numbers.length === 4 * count ? numbers : Array(4 * count).fill(f32(0)) };
      },
    );
  traced(1);
  const count = radii.length;
  if (count === 0)
    throw new GradsimError('control/no-strokes', 'A picture has no strokes; its function gives at least one.');
  for (const [k, radius] of radii.entries())
    refuseNumber(`The radius of stroke ${k} of a picture`, radius, 'be above 0');
  model.addDomain(scene, 1);
  model.addDomain(ends, 4 * count);
  model.addPass('control', traced(count));
  return radii;
}

/** Distance of a point from a line segment, m. */
function toStroke([x, y]: readonly [F32, F32], [ax, ay]: readonly [F32, F32], [bx, by]: readonly [F32, F32]): F32 {
  const [dx, dy] = [bx.sub(ax), by.sub(ay)];
  const [px, py] = [x.sub(ax), y.sub(ay)];
  // A stroke may have zero length.
  const squares = dx.mul(dx).add(dy.mul(dy)).add(1e-12);
  const along = clamp(px.mul(dx).add(py.mul(dy)).div(squares), 0, 1);
  const [ox, oy] = [px.sub(along.mul(dx)), py.sub(along.mul(dy))];
  return sqrt(ox.mul(ox).add(oy.mul(oy)).add(1e-12));
}
