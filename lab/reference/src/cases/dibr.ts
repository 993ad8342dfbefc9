import { sumOfProducts } from '@gradsim/base';
import type { Device } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { DeviceLight } from '@gradsim/render/raster';
import { dibrScene } from '@gradsim/render-dibr';
import { caseFormat } from '../case-format.ts';
import type { CheckResult, GradientPair } from '../errors.ts';
import { gradientErrors, relativeError } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { array, constant, count, indices, number, optional, parameter, positive, text } from '../fields.ts';
import type { Channels } from './pictures.ts';
import { rowsOf, withPicture } from './pictures.ts';

type Rows = readonly (readonly number[])[];
type Derivative = number | readonly number[] | Rows | readonly Rows[];

interface DibrCase {
  readonly model: string;
  readonly width: number;
  readonly height: number;
  readonly delta: number;
  readonly texture_wrap?: 'repeat' | 'clamp';
  readonly faces: Rows;
  readonly parameters: {
    readonly ndc_vertices: Rows;
    readonly background: readonly [number, number, number];
    readonly vertex_colors?: Rows;
    readonly uv?: Rows;
    readonly texture?: readonly Rows[];
    readonly normals?: Rows;
    readonly positions?: Rows;
    readonly ambient?: readonly number[];
    readonly diffuse?: readonly number[];
    readonly light?: readonly number[];
    readonly specular?: readonly number[];
    readonly shininess?: number;
    readonly sh?: Rows;
  };
  readonly weights: Channels;
  readonly expected: {
    readonly loss: number;
    readonly rgba: Channels;
    readonly gradient: Readonly<Record<string, Derivative>>;
  };
}

const channels = array(4, 'rows', 'columns');
const given = (field: Parameters<typeof parameter>[0]) => optional(parameter(field));

const FIELDS: Fields = {
  model: text(/^interpolation renderer, (colors|texture|lambert|phong|sh)$/),
  width: count('columns'),
  height: count('rows'),
  delta: positive,
  distance_cutoff: optional(constant('delta*ln(1e4)')),
  texture_wrap: optional(text(/^(repeat|clamp)$/)),
  coordinates: optional(
    text(
      /^ndc_vertices: x right, y up in \[-1,1\], z = depth from the camera .*both sides drawn; a pixel that is not covered shows the background, alpha there is 1 - prod\(1 - exp\(-d\^2\/delta\)\) over the faces$/,
    ),
  ),
  'parameters.ndc_vertices': parameter(array('vertices', 3)),
  'parameters.background': parameter(array(3)),
  'parameters.vertex_colors': given(array('vertices', 3)),
  'parameters.uv': given(array('vertices', 2)),
  'parameters.texture': given(array('texture rows', 'texture columns', 3)),
  'parameters.normals': given(array('vertices', 3)),
  'parameters.positions': given(array('vertices', 3)),
  'parameters.ambient': given(array(3)),
  'parameters.diffuse': given(array(3)),
  'parameters.light': given(array(3)),
  'parameters.specular': given(array(3)),
  'parameters.shininess': given(number),
  'parameters.sh': given(array(9, 3)),
  faces: indices('vertices', 'faces', 3),
  loss: text(/^sum\(weights\*rgba\)$/),
  weights: channels,
  'expected.loss': number,
  'expected.rgba': channels,
};

/** Field with the derivatives with respect to a parameter of a case, and their conversion to the shape in the file. */
interface Place {
  readonly field: string;
  /** Converts derivatives with respect to the field to those with respect to the parameter; identity by default. */
  readonly pull?: (derivatives: ArrayLike<number>, file: DibrCase) => ArrayLike<number>;
}

/**
 * Sums derivatives with respect to the corners of all faces, `width` numbers per corner, over the corners at each
 * vertex.
 */
const toVertices =
  (width: number): NonNullable<Place['pull']> =>
  (derivatives, { faces, parameters }) => {
    const sums = new Float64Array(width * parameters.ndc_vertices.length);
    faces.flat().forEach((vertex, corner) => {
      for (let c = 0; c < width; c++) sums[width * vertex + c] += derivatives[width * corner + c];
    });
    return sums;
  };

const PLACES: Readonly<Record<string, Place>> = {
  ndc_vertices: { field: 'viewVertices.ndc' },
  background: { field: 'world.background' },
  vertex_colors: { field: 'faces.color', pull: toVertices(3) },
  texture: { field: 'texels.color' },
  normals: { field: 'vertices.normal' },
  // The eye is at the origin.
  positions: { field: 'viewVertices.vertexToEye', pull: (derivatives) => Array.from(derivatives, (d) => -d) },
  ambient: { field: 'world.ambient' },
  diffuse: { field: 'world.diffuse' },
  light: { field: 'world.towardsLight' },
  specular: { field: 'world.specular' },
  shininess: { field: 'world.shininess' },
  sh: { field: 'harmonics.radiance' },
};

/** Builds the scene that a case draws. */
function sceneOf({ width, height, delta, texture_wrap, faces, parameters }: DibrCase) {
  const { texture, uv, normals, positions, vertex_colors, sh } = parameters;
  const corners = faces.flat();
  const light: DeviceLight | undefined = normals && {
    ambient: parameters.ambient,
    towardsLight: parameters.light,
    diffuse: parameters.diffuse,
    specular: parameters.specular,
    shininess: parameters.shininess,
    harmonics: sh,
  };
  return dibrScene(
    { width, height },
    {
      vertices: parameters.ndc_vertices.flat(),
      faces: corners,
      colors: vertex_colors && corners.flatMap((vertex) => vertex_colors[vertex]),
      uvs: uv && corners.flatMap((vertex) => uv[vertex]),
      texture: texture && {
        width: texture[0].length,
        height: texture.length,
        colors: texture.flat(2),
        wrap: texture_wrap,
      },
      normals: normals?.flat(),
      toEye: positions?.flat().map((x) => -x),
    },
    { delta, light, colors: vertex_colors ? 'corner' : 'face', backgroundColor: parameters.background },
  );
}

/** Entries of `parameters` that a case has to have, by the last word of its line `model`. */
const PARTS: Readonly<Record<string, readonly (keyof DibrCase['parameters'])[]>> = {
  colors: ['vertex_colors'],
  texture: ['uv', 'texture'],
  lambert: ['uv', 'texture', 'normals', 'ambient', 'diffuse', 'light'],
  phong: ['uv', 'texture', 'normals', 'ambient', 'diffuse', 'light', 'positions', 'specular', 'shininess'],
  sh: ['uv', 'texture', 'normals', 'sh'],
};

/** @throws for a case that lacks an entry of {@link PARTS} for its line `model`, or has one of another kind. */
function refuseHalf({ model, parameters }: DibrCase): void {
  const kind = model.slice(model.lastIndexOf(' ') + 1);
  const parts = PARTS[kind];
  const missing = parts.find((name) => parameters[name] === undefined);
  if (missing)
    throw new GradsimError(
      'reference/entry-missing',
      `the entry "parameters.${missing}" is missing; a case of "${model}" is drawn with it.`,
    );
  const known: readonly string[] = ['ndc_vertices', 'background', ...parts];
  const more = Object.keys(parameters).find((name) => !known.includes(name));
  if (more)
    throw new GradsimError(
      'reference/unknown-entry',
      `the entry "parameters.${more}" is none that a case of "${model}" is drawn with.`,
    );
}

async function checkDibr(file: DibrCase, device: Device): Promise<CheckResult> {
  const { expected } = file;
  refuseHalf(file);
  const scene = sceneOf(file);
  const names = Object.keys(expected.gradient);
  const fields = names.flatMap((name) => (name === 'uv' ? ['faces.u', 'faces.v'] : [PLACES[name].field]));
  const weights = rowsOf(file.weights);
  return withPicture(scene, { device, parameters: fields }, weights, async ({ simulation, image }) => {
    const derivatives = async (name: string): Promise<ArrayLike<number>> => {
      if (name === 'uv') {
        const [u, v] = [await simulation.gradient('faces.u'), await simulation.gradient('faces.v')];
        const both = Float64Array.from({ length: 2 * u.length }, (_, k) => (k % 2 ? v : u)[k >> 1]);
        return toVertices(2)(both, file);
      }
      const { field, pull } = PLACES[name];
      const got = await simulation.gradient(field);
      return pull ? pull(got, file) : got;
    };
    const gradients: GradientPair[] = [];
    for (const [name, derivative] of Object.entries(expected.gradient))
      gradients.push({ name, got: await derivatives(name), expected: [derivative].flat(3) as number[] });
    return {
      lossError: relativeError([sumOfProducts(image, weights)], [expected.loss]),
      imageError: relativeError(image, rowsOf(expected.rgba)),
      ...gradientErrors(gradients),
    };
  });
}

export const dibr = caseFormat<DibrCase>({
  matches: (model) => /^interpolation renderer\b/.test(model),
  fields: FIELDS,
  check: checkDibr,
});
