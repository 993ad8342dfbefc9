import type { FieldOptions, Texture } from '@gradsim/core';
import { f32, Model, mat33, vec3 } from '@gradsim/core';
import { addHarmonics } from '../appearance/harmonics.ts';
import type { PixelLight } from '../appearance/look.ts';
import { setLook } from '../appearance/look.ts';
import { addLightPasses } from '../appearance/passes.ts';
import { addTextures } from '../appearance/textures.ts';
import type { ImageSize } from '../layout.ts';
import { gridOf, imageLayout } from '../layout.ts';
import { ambientLight } from '../light.ts';
import { addViewFaces } from '../views.ts';
import type { RasterShape } from './shape.ts';

/** A mesh as cameras see it, in device coordinates. */
export interface DeviceMesh {
  /** Device x, y (right and up, -1 to 1) and depth, m, of every vertex; for several cameras, one set after another. */
  readonly vertices: ArrayLike<number>;
  /** Three vertex indices per face. */
  readonly faces: ArrayLike<number>;
  /**
   * Red, green, blue in [0, 1] of every face; with the option `colors: 'corner'`, of every corner of every face.
   * Default white.
   */
  readonly colors?: ArrayLike<number>;
  /** Texture coordinates (u, v) of every corner of every face; needed with `texture`. */
  readonly uvs?: ArrayLike<number>;
  readonly texture?: Texture;
  /** Normal x, y, z of every vertex; needed with light. */
  readonly normals?: ArrayLike<number>;
  /**
   * Vector from every vertex to the camera's position, needed with highlights; for several cameras, one set after
   * another.
   */
  readonly toEye?: ArrayLike<number>;
}

/** Light on a mesh in device coordinates; directions are in the axes of the mesh's normals. */
export interface DeviceLight {
  readonly ambient?: readonly number[];
  /** Direction towards a directional light, of any length, and the light's colour. */
  readonly towardsLight?: readonly number[];
  readonly diffuse?: readonly number[];
  /** Colour and exponent (`shininess`) of Phong highlights. */
  readonly specular?: readonly number[];
  readonly shininess?: number;
  /** Environment light: nine rows of red, green, blue, the coefficients of the real spherical harmonics. */
  readonly harmonics?: readonly (readonly number[])[];
}

/** Appearance of a mesh in device coordinates. */
export interface DeviceLook {
  /** Granularity of the mesh's `colors`: one per face, or one for each corner of a face. Default `face`. */
  readonly colors?: 'face' | 'corner';
  /** Light computed per pixel; without it colours are shown unchanged. */
  readonly light?: DeviceLight;
}

/**
 * Creates a model of only a mesh as cameras see it, to which a renderer adds its passes. Its fields hold the given mesh
 * and light: `viewVertices.ndc`, `faces.color`; with a texture `faces.u`, `faces.v` and `texels.color`; with light
 * `vertices.normal`, `world.ambient`, `world.towardsLight`, `world.diffuse`, `harmonics.radiance`, and for highlights
 * `viewVertices.vertexToEye`, `world.specular` and `world.shininess`.
 *
 * @throws for sizes of pictures that {@link imageLayout} refuses, and for invalid textures.
 */
export function deviceModel(
  size: ImageSize,
  mesh: DeviceMesh,
  { colors = 'face', light }: DeviceLook = {},
): { model: Model; shape: RasterShape } {
  const layout = imageLayout(size);
  const faces = mesh.faces.length / 3;
  const views = mesh.vertices.length / 3;
  const vertices = views / layout.cameras;
  const model = new Model();
  model.addDomain('viewVertices', views, { elementsTogether: true });
  model.addDomain('vertices', vertices, { elementsTogether: true });
  model.addDomain('faces', faces, { elementsTogether: true });
  model.addDomain('pixels', layout.pixels, { elementsTogether: true, grid: gridOf(layout) });
  model.addField('viewVertices', 'ndc', vec3, { values: mesh.vertices });
  model.addIndex('faces', 'corners', 'vertices', 3, Array.from(mesh.faces));
  const given: FieldOptions = mesh.colors ? { values: mesh.colors } : { fill: 1 };
  model.addField('faces', 'color', colors === 'face' ? vec3 : mat33, given);
  addViewFaces(model, mesh.faces, layout.cameras, vertices, faces);
  const { texture, uvs } = mesh;
  const textured = addTextures(model, [{ faces, textures: texture && [texture], uvs, name: 'The mesh' }]);
  setLook(model, {
    colors,
    textured,
    mipMaps: false,
    light: light ? addLight(model, mesh, light) : null,
    normals: 'given',
  });
  addLightPasses(model);
  return { model, shape: { layout, faces, aspect: 1 } };
}

function addLight(model: Model, mesh: DeviceMesh, light: DeviceLight): PixelLight {
  const kinds = {
    directional: light.towardsLight !== undefined,
    highlights: light.specular !== undefined,
    harmonics: light.harmonics !== undefined,
  };
  model.addField('vertices', 'normal', vec3, { values: mesh.normals });
  model.addField(ambientLight, { values: light.ambient ?? [0, 0, 0] });
  if (kinds.directional) {
    model.addField('world', 'towardsLight', vec3, { values: light.towardsLight });
    model.addField('world', 'diffuse', vec3, { values: light.diffuse });
  }
  if (kinds.highlights) {
    model.addField('viewVertices', 'vertexToEye', vec3, { values: mesh.toEye });
    model.addField('world', 'specular', vec3, { values: light.specular });
    model.addField('world', 'shininess', f32, { fill: light.shininess });
  }
  if (light.harmonics) addHarmonics(model, light.harmonics);
  return { ...kinds, twoSided: false };
}
