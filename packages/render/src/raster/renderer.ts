import type { Kernel, KernelPass, Model, Pass, Plugin } from '@gradsim/core';
import {
  bind,
  definePlugin,
  describeValue,
  GradsimError,
  refuseUnknownChoice,
  refuseUnknownOptions,
  u32,
} from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { SurfaceLook } from '../appearance/look.ts';
import { lookOf } from '../appearance/look.ts';
import type { ImageLayout, ImageSize } from '../layout.ts';
import type { Background } from './background.ts';
import { addBackground, refuseNoColor } from './background.ts';
import type { DeviceLook, DeviceMesh } from './device-mesh.ts';
import { deviceModel } from './device-mesh.ts';
import type { Drawing, RendererOptions } from './drawing.ts';
import { addNormalColors, addPicture, NORMAL_COLORS, RENDERER_DEFAULTS } from './drawing.ts';
import { addFacePasses } from './faces.ts';
import { faceOfPixel, nearestFace } from './nearest-face.ts';
import type { RasterShape } from './shape.ts';
import { rasterShape, withDistanceUnit } from './shape.ts';

/** All options of a renderer, its own and those that all renderers share, with defaults filled in. */
export type RendererSettings<Own extends object> = Required<RendererOptions> & Required<Own>;

/** Model to which a renderer adds passes, with the shape and settings that its kernels are built for. */
export interface DrawingContext<Own extends object> {
  readonly model: Model;
  readonly shape: RasterShape;
  readonly settings: RendererSettings<Own>;
}

/**
 * Description of an output drawn in colours: `color` itself, or `normal`, whose normals are drawn as corner colours.
 */
export interface ColorDrawing {
  readonly drawing: 'color' | 'normal';
  readonly look: SurfaceLook;
  readonly background: Background;
}

/** A renderer, defined by its options and one kernel for each picture that it can draw. */
export interface RendererDefinition<Own extends object> {
  /** Name of the package and of the plugin. */
  readonly name: string;
  /** Name of the function by which users create the plugin, for messages. */
  readonly functionName: string;
  /** Options specific to this renderer, with their defaults. */
  readonly defaults: Required<Own>;
  /** Allowed values of the options specific to this renderer: positive numbers, or one of a list. */
  readonly allowed?: { readonly [Option in keyof Own & string]?: 'positive' | readonly Required<Own>[Option][] };
  /**
   * Returns the distance outside of its triangle up to which a face may contribute to a pixel, in device coordinates.
   * Without this function no faces are prepared, so kernels can read neither `FACES_OF_PIXEL` nor `PIXELS_OF_FACE`.
   */
  readonly deviceReach?: (settings: RendererSettings<Own>, shape: RasterShape) => number;
  /**
   * True if all outputs need `pixels.shown`, the nearest face that covers a pixel; by default it is computed only for
   * the output `face`.
   */
  readonly findsNearest?: boolean;
  /** Adds passes that several outputs share, before those of the outputs. */
  readonly prepare?: (drawn: DrawingContext<Own>) => void;
  /** Creates the kernel that writes `rgba`, over a `background`. */
  readonly color?: (drawn: DrawingContext<Own>, picture: ColorDrawing) => Kernel | KernelPass;
  /** Creates the kernel that writes `alpha`. */
  readonly silhouette?: (drawn: DrawingContext<Own>) => Kernel | Pass;
  /** Creates the kernel that writes `depth`. */
  readonly depth?: (drawn: DrawingContext<Own>) => Kernel | Pass;
}

/** Options of {@link Renderer.deviceScene}. */
export type DeviceSceneOptions<Own extends object> = Own & RendererOptions & DeviceLook;

/** Exports of a renderer's package: its plugin and helpers. */
export interface Renderer<Own extends object> {
  /** Creates the plugin, which requires `@gradsim/render`. @throws for unknown options, and invalid values. */
  readonly plugin: (options?: Own & RendererOptions) => Plugin;
  /** Returns the options with defaults filled in. @throws for unknown options, and invalid values. */
  readonly settingsOf: (options?: Own & RendererOptions) => RendererSettings<Own>;
  /**
   * Creates a model that contains only the renderer: its inputs are the fields of {@link deviceModel} and
   * `world.background` (or `pixels.background`), its outputs the pictures.
   */
  readonly deviceScene: (
    size: ImageSize,
    mesh: DeviceMesh,
    options?: DeviceSceneOptions<Own>,
  ) => { readonly model: Model; readonly layout: ImageLayout };
}

/**
 * Makes a renderer from the kernels that draw its outputs. It gets the options that all renderers share, the
 * preparation of faces, backgrounds, and the outputs `normal` and `face`; an output for which it has no kernel is
 * refused. Unless `drawings` says otherwise, it draws the first of `color`, `silhouette` and `depth` that it can.
 *
 * ```ts
 * const renderer = defineRenderer<{ readonly softness?: number }>({
 *   name: 'soft-discs',
 *   functionName: 'softDiscs',
 *   defaults: { softness: 1e-4 },
 *   allowed: { softness: 'positive' },
 *   radius: ({ softness }) => 3 * Math.sqrt(softness),
 *   silhouette: ({ shape, settings }) => drawSilhouette(shape, settings.softness),
 * });
 * export const softDiscs = renderer.plugin;
 * ```
 */
export function defineRenderer<Own extends object>(definition: RendererDefinition<Own>): Renderer<Own> {
  const { name, functionName, defaults } = definition;
  const first = (['color', 'silhouette', 'depth'] as const).find((drawing) => definition[drawing]) ?? 'face';
  const unlessGiven: RendererSettings<Own> = { ...RENDERER_DEFAULTS, drawings: [first], ...defaults };
  const complete = (options: object, others: object = {}): RendererSettings<Own> => {
    refuseUnknownOptions<object>(functionName, options, { ...unlessGiven, ...others });
    const given = Object.entries(options).filter(([option, value]) => option in unlessGiven && value !== undefined);
    const settings: RendererSettings<Own> = { ...unlessGiven, ...Object.fromEntries(given) };
    refuseSettings(definition, settings);
    return settings;
  };
  return {
    plugin: (options) => {
      const settings = complete(options ?? {});
      return definePlugin({
        name,
        contract: 1,
        requires: ['@gradsim/render'],
        build: ({ model }) => addPasses(definition, { model, shape: rasterShape(model), settings }),
      });
    },
    settingsOf: (options) => complete(options ?? {}),
    deviceScene: (size, mesh, options) => {
      const settings = complete(options ?? {}, { colors: true, light: true });
      const { model, shape } = deviceModel(size, mesh, options);
      addPasses(definition, { model, shape, settings });
      return { model, layout: shape.layout };
    },
  };
}

const ALLOWED_SETTINGS = { near: 'positive', background: ['color', 'image'] } as const;

/** @throws for an invalid value of an option, and for an output that the renderer does not draw. */
function refuseSettings<Own extends object>(
  { functionName, allowed, color, silhouette, depth }: RendererDefinition<Own>,
  settings: RendererSettings<Own>,
): void {
  const all: Readonly<Record<string, 'positive' | readonly unknown[] | undefined>> = {
    ...ALLOWED_SETTINGS,
    ...allowed,
  };
  for (const [option, value] of Object.entries<unknown>(settings)) {
    const range = all[option];
    const must =
      range === 'positive' && flawOf(typeof value === 'number' ? value : Number.NaN, { scalar: 'f32', range });
    if (must)
      throw new GradsimError('render/option-out-of-range', `${functionName}: ${option} is ${describeValue(value)}.`, {
        hint: `It must ${must}.`,
      });
    if (Array.isArray(range)) refuseUnknownChoice(`${functionName}: ${option}`, value, range);
  }
  const { near, far, drawings, backgroundColor } = settings;
  if (typeof far !== 'number' || !(far > near) || flawOf(far, { scalar: 'f32' }))
    throw new GradsimError(
      'render/option-out-of-range',
      `${functionName}: far (${describeValue(far)}) must lie beyond near (${near}).`,
    );
  const passes: Readonly<Record<Drawing, unknown>> = { color, silhouette, depth, normal: color, face: true };
  const can = Object.entries(passes).flatMap(([drawing, pass]) => (pass ? [drawing] : []));
  for (const drawing of drawings) refuseUnknownChoice<string>(`${functionName}: what drawings names`, drawing, can);
  refuseNoColor(`${functionName}: backgroundColor`, backgroundColor);
}

function addPasses<Own extends object>(definition: RendererDefinition<Own>, given: DrawingContext<Own>): void {
  const { deviceReach, findsNearest, prepare } = definition;
  const { model, settings } = given;
  const { drawings, background, backgroundColor, doubleSided, evenOutlines } = settings;
  const drawn = { ...given, shape: withDistanceUnit(given.shape, evenOutlines) };
  const { shape } = drawn;
  if (drawings.includes('color')) addBackground(model, background, backgroundColor);
  const covering = findsNearest || drawings.includes('face');
  if (deviceReach || covering)
    addFacePasses(model, shape, { deviceReach: deviceReach?.(settings, shape) ?? 0, doubleSided, covering });
  if (covering) {
    model.addField('pixels', 'shown', u32);
    model.addPass('render', nearestFace(shape, settings));
  }
  prepare?.(drawn);
  for (const drawing of drawings) {
    addPicture(model, drawing);
    model.addPass('render', passOf(definition, drawn, drawing));
  }
}

function passOf<Own extends object>(
  { color, silhouette, depth }: RendererDefinition<Own>,
  drawn: DrawingContext<Own>,
  drawing: Drawing,
): Kernel | Pass {
  const { model, shape, settings } = drawn;
  switch (drawing) {
    case 'color':
      return color!(drawn, { drawing, look: lookOf(model), background: settings.background });
    case 'normal': {
      const pass = color!(drawn, { drawing, look: NORMAL_COLORS, background: 'color' });
      const names = addNormalColors(model);
      return 'form' in pass ? bind(pass, names) : bind(pass.kernel, { ...pass.names, ...names });
    }
    case 'silhouette':
      return silhouette!(drawn);
    case 'depth':
      return depth!(drawn);
    case 'face':
      return faceOfPixel(shape);
  }
}
