import type { FieldOf, Plugin, Vec3 } from '@gradsim/core';
import { definePlugin, GradsimError, refuseUnknownOptions, Surfaces } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import type { CameraKind } from '@gradsim/render';
import { addView } from '@gradsim/render';
import type { Size } from '@gradsim/video';
import { MASKS } from '../tuning/masks.ts';
import { addBallOutline } from './ball.ts';
import { outline, outlineDirection, outlineReach, outlineShift } from './fields.ts';
import { DIRECTIONS } from './reach.ts';
import { addSurfaceOutline } from './surface.ts';

/** Options of {@link outlines}. */
export interface OutlinesOptions extends Size {
  /** The kind of the scene's only camera. */
  readonly camera: CameraKind;
  /**
   * Centre of a ball: `Body.position`, or that of any component. Without centre and radius the outline is that of the
   * surface that the scene's plugins offer.
   */
  readonly centre?: FieldOf<Vec3>;
  /** Radius of the ball, m. As an unknown it is `outlineRadius`. */
  readonly radius?: number;
  /** Element of the centre's domain that is the ball. Default the only one. */
  readonly element?: number;
}

/**
 * Outline of a thing as a camera sees it, without drawing it, to be compared with a track: the middle and the size of its outline,
 * `world.outline`, and its shape, how far it reaches in each of 24 directions from that middle, `outlineRays.reach`. It needs no
 * overlap of film and model, and a run costs next to nothing. The scene needs one camera of the kind that is named; another
 * renderer is not needed, and cannot be beside it.
 *
 * Of a ball the outline is an ellipse, in closed form. Else it is that of the closed surface that plugins offer (meshes of bodies
 * and links, soft bodies), of which no part may hide another: a convex one, or a slender one that is bent a little.
 *
 * ```ts
 * const ball = createScene([rigid(), outlines({ ...film.size, camera: LookAtCamera, centre: Body.position, radius: 0.1 })]);
 * const box = createScene([rigid(), outlines({ ...film.size, camera: LookAtCamera })]);
 * ```
 * @throws for a radius that is not above 0, or one of centre and radius without the other; when the scene is built, where it has
 * not one camera, one ball or a surface.
 */
export function outlines(options: OutlinesOptions): Plugin {
  refuseUnknownOptions<OutlinesOptions>('outlines', options, {
    width: 0,
    height: 0,
    camera: 0,
    centre: 0,
    radius: 0,
    element: 0,
  });
  const { width, height, camera, centre, radius, element } = options;
  if ((centre === undefined) !== (radius === undefined))
    throw new GradsimError(
      'film/half-ball',
      `outlines has ${centre ? 'a centre and no radius' : 'a radius and no centre'}; a ball has both, and any other thing neither.`,
    );
  if (radius !== undefined && !(radius > 0 && Number.isFinite(radius)))
    throw new GradsimError('film/option-out-of-range', `outlines: radius is ${radius}.`, {
      field: 'radius',
      hint: 'It must be a number above 0, in metres.',
    });
  return definePlugin({
    name: '@gradsim/film',
    contract: 1,
    components: [camera],
    takes: [Surfaces],
    build: ({ model, entities }) => {
      const cameras = entities(camera).length;
      if (centre) {
        const { size } = model.domain(centre.domain);
        if ((element === undefined && size !== 1) || cameras !== 1)
          throw new GradsimError(
            'film/one-camera',
            `outlines sees one ball by one camera; the scene has ${size} ${centre.domain} and ${cameras} cameras.`,
          );
        if (element !== undefined && !(Number.isInteger(element) && element >= 0 && element < size))
          throw new GradsimError('film/option-out-of-range', `outlines: element is ${element}.`, {
            field: 'element',
            hint: `It must be one of the ${size} ${centre.domain}.`,
          });
      } else if (cameras !== 1)
        throw new GradsimError(
          'film/one-camera',
          `outlines sees a thing by one camera; the scene has ${cameras} cameras.`,
        );
      addView(model, camera, { width, height });
      model.addField(outlineShift, { fill: 0 });
      model.addDomain(outlineDirection.domain, DIRECTIONS.length);
      model.addField(outlineDirection, { values: DIRECTIONS.flat() });
      model.addField(outline);
      model.addField(outlineReach);
      if (centre && radius) addBallOutline(model, { width, height, centre, radius, element: element ?? 0 });
      else addSurfaceOutline(model, { width, height });
    },
  });
}

/**
 * Error that all outlines of a film share, in x, y and size: unknowns beside those of the model.
 * @param sizeOff prior of the pixels by which they are larger than the thing. Default that of masks: 0, with a standard
 * deviation of half a pixel.
 */
export const outlineShifts = (sizeOff: ParameterSpec['prior'] = OF_MASKS): ParameterSpec[] =>
  ['right', 'down', 'size'].map((name, component) => {
    const prior = name === 'size' ? sizeOff : OF_MASKS;
    return {
      name: `outlines off, ${name}`,
      field: outlineShift,
      component,
      initial: 0,
      scale: MASKS.shift,
      prior,
    };
  });

const OF_MASKS = { mean: 0, standardDeviation: MASKS.shift };
