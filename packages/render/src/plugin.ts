import type { BuildContext, Entity, Plugin } from '@gradsim/core';
import {
  bind,
  definePlugin,
  GradsimError,
  mat33,
  refuseUnknownChoice,
  refuseUnknownOptions,
  Surfaces,
  vec3,
} from '@gradsim/core';
import { addHarmonics } from './appearance/harmonics.ts';
import type { PixelLight } from './appearance/look.ts';
import { setLook } from './appearance/look.ts';
import type { Normals } from './appearance/passes.ts';
import { addLightPasses } from './appearance/passes.ts';
import { addTextures } from './appearance/textures.ts';
import type { CameraKind } from './cameras.ts';
import { addView, CAMERAS, checkCameras, OrbitCamera } from './cameras.ts';
import type { ImageLayout } from './layout.ts';
import { imageLayout } from './layout.ts';
import { setLayout } from './layouts.ts';
import { ambientLight, applyAmbientLight, copyAlbedo, DirectionalLight, shade } from './light.ts';
import { project } from './project.ts';
import { refuseNoColor } from './raster/background.ts';
import { addSurfaces } from './surfaces.ts';
import { addViews } from './views.ts';

export interface RenderOptions {
  /** Size of the pictures, in pixels. */
  readonly width: number;
  readonly height: number;
  /** Kind of all cameras of the scene: `OrbitCamera`, `LookAtCamera` or `PinholeCamera`. */
  readonly camera?: CameraKind;
  /** Granularity of colours: `face`, one per face; `corner`, vertex colours interpolated over faces. */
  readonly colors?: 'face' | 'corner';
  /**
   * Normals for lighting: `face`, one per face; `vertex`, at each vertex the mean over the surrounding faces,
   * interpolated.
   */
  readonly normals?: Normals;
  /** Shading by the directional light: `lambert`, without highlights, or `phong`, with Phong highlights. */
  readonly shading?: 'lambert' | 'phong';
  /**
   * Environment light: nine rows of red, green, blue, the coefficients of the real spherical harmonics up to the second
   * degree, in world axes; initial value of the field `harmonics.radiance`.
   */
  readonly harmonics?: readonly (readonly number[])[];
  /** True if the directional light illuminates both sides of a face. */
  readonly twoSided?: boolean;
  /**
   * True if textures have mip maps, levels of half the size each, so that distant textures do not flicker: each face
   * uses the level with about one texel per pixel.
   */
  readonly mipMaps?: boolean;
  /**
   * Ambient light, red, green, blue; initial value of the field `world.ambient`. Default 1 without a light, 0.3 with a
   * directional light, 0 with harmonics.
   */
  readonly ambient?: readonly [number, number, number];
}

/** Defaults of {@link RenderOptions}. */
export const RENDER_DEFAULTS = {
  camera: OrbitCamera,
  colors: 'face',
  normals: 'face',
  shading: 'lambert',
  twoSided: false,
  mipMaps: false,
} as const;

/**
 * Plugin with the shared part of all renderers: cameras, lights, colours, and the surfaces of the scene as each camera
 * sees them.
 *
 * ```ts
 * const scene = createScene([rigid(), render({ width: 64, height: 64 }), softRas()]);
 * scene.add(OrbitCamera, { distance: 3, elevation: 0.3 });
 * ```
 *
 * It gives the domains `vertices` (`position`), `faces` (`corners`, `albedo`, `color`), `viewVertices` (a vertex as
 * a camera sees it: `ndc`, device x and y and depth), `viewFaces` (`corners` among `viewVertices`, `face`) and
 * `pixels` (see {@link ImageLayout}).
 */
export function render(options: RenderOptions): Plugin {
  checkOptions(options);
  const { camera = RENDER_DEFAULTS.camera } = options;
  return definePlugin({
    name: '@gradsim/render',
    contract: 1,
    components: [camera, DirectionalLight],
    takes: [Surfaces],
    build: (context) => build(context, options),
  });
}

/** @throws for unknown options, and for invalid values. */
function checkOptions(options: RenderOptions): void {
  refuseUnknownOptions<RenderOptions>('render', options, {
    ...RENDER_DEFAULTS,
    width: true,
    height: true,
    ambient: true,
    harmonics: true,
  });
  const { camera = RENDER_DEFAULTS.camera, colors = RENDER_DEFAULTS.colors, ambient } = options;
  if (!Object.values(CAMERAS).includes(camera))
    throw new GradsimError(
      'render/unknown-choice',
      `render: camera must be ${Object.keys(CAMERAS).join(', ')}, from @gradsim/render.`,
      { field: 'camera' },
    );
  refuseUnknownChoice('render: colors', colors, ['face', 'corner']);
  const { normals = RENDER_DEFAULTS.normals, shading = RENDER_DEFAULTS.shading } = options;
  refuseUnknownChoice('render: normals', normals, ['face', 'vertex']);
  refuseUnknownChoice('render: shading', shading, ['lambert', 'phong']);
  if (ambient) refuseNoColor('render: ambient', ambient);
}

function build(context: BuildContext, options: RenderOptions): void {
  const { model, scene, entities } = context;
  const { camera, colors, normals, shading, harmonics, twoSided, width, height } = {
    ...RENDER_DEFAULTS,
    ...options,
  };
  const cameras = entities(camera).length;
  if (cameras === 0)
    throw new GradsimError('render/no-camera', 'There is no camera in the scene.', {
      hint: 'Add one, such as scene.add(OrbitCamera, { distance: 3 }).',
    });
  const lights = entities(DirectionalLight);
  if (lights.length > 1) {
    throw new GradsimError('render/second-light', 'is a second light; a scene has at most one directional light.', {
      element: scene.describe(lights[1]),
    });
  }
  checkCameras(context, camera);
  for (const light of lights) checkLight(scene, light, shading);
  const layout = imageLayout({ width, height, cameras });
  setLayout(model, layout);
  const wrappings = addSurfaces(model, colors);
  addViews(model, layout);
  const mipMaps = options.mipMaps ?? RENDER_DEFAULTS.mipMaps;
  const textured = addTextures(model, wrappings, mipMaps ? layout : null);
  const ambient = harmonics ? 0 : lights.length ? 0.3 : 1;
  model.addField(ambientLight, { values: options.ambient ?? [ambient, ambient, ambient] });
  model.addField('faces', 'color', colors === 'face' ? vec3 : mat33);
  addView(model, camera, layout);
  model.addPass('render', project);
  const light = lightOfPixels(options, lights.length > 0);
  setLook(model, { colors, textured, mipMaps: textured && mipMaps, light, normals });
  if (harmonics) addHarmonics(model, harmonics);
  if (light) {
    model.addPass('render', copyAlbedo(colors));
    addLightPasses(model);
  } else if (lights.length) {
    model.addIndex('faces', 'light', 'lights', 1, new Uint32Array(model.domain('faces').size));
    model.addPass('render', bind(shade({ colors, twoSided }), { lightColor: 'color' }));
  } else {
    model.addPass('render', applyAmbientLight(colors));
  }
}

/** Returns the kinds of light computed per pixel; null if light is constant over a face and included in its colour. */
function lightOfPixels(options: RenderOptions, directional: boolean): PixelLight | null {
  const { normals, shading, twoSided } = { ...RENDER_DEFAULTS, ...options };
  const harmonics = options.harmonics !== undefined;
  const highlights = directional && shading === 'phong';
  const isSmooth = normals === 'vertex' && directional;
  return harmonics || highlights || isSmooth ? { directional, highlights, harmonics, twoSided } : null;
}

/** @throws for a light with highlights (`specular` not 0) if `shading` is `lambert`, which would not draw them. */
function checkLight(scene: BuildContext['scene'], light: Entity, shading: 'lambert' | 'phong'): void {
  if (shading === 'lambert' && scene.get(light, DirectionalLight, 'specular').some((c) => c !== 0))
    throw new GradsimError(
      'render/highlights-not-drawn',
      "is a light with highlights (specular), which render({ shading: 'phong' }) draws; this scene has 'lambert'.",
      { element: scene.describe(light) },
    );
}
