import type { FieldOf, Plugin, Vec3 } from '@gradsim/core';
import { definePlugin, describeValue, GradsimError, refuseUnknownOptions, Surfaces } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import type { CameraKind } from '@gradsim/render';
import { addView } from '@gradsim/render';
import type { Size } from '@gradsim/video';
import { MASKS } from '../tuning/masks.ts';
import { addBallOutline } from './ball.ts';
import { outlineBias, outlineCentroidAndSize, outlineDirection, outlineReach } from './fields.ts';
import { DIRECTIONS } from './reach.ts';
import { addSurfaceOutline } from './surface.ts';

/** Options of {@link projectedOutline}. */
export interface ProjectedOutlineOptions extends Size {
  /** Component kind of the scene's only camera. */
  readonly camera: CameraKind;
  /**
   * Field of a ball's centre: `Body.position`, or the position of another component. Without `centre` and `radius`, the
   * outline is that of the surfaces of the scene's plugins.
   */
  readonly centre?: FieldOf<Vec3>;
  /** Radius of the ball, m. To estimate it, use the field `outlineRadius`. */
  readonly radius?: number;
  /** Index of the ball in the domain of `centre`. Default: the only element. */
  readonly element?: number;
}

/**
 * Plugin that computes the outline of a thing in a camera's picture without rendering it, to compare it with a track:
 * the middle and size of the outline, `world.outlineCentroidAndSize`, and its shape, the distance from the middle to the rim in each
 * of 24 directions, `outlineRays.reach`. The comparison needs no overlap of film and model, and costs very little. The
 * scene needs exactly one camera, of the kind `camera`, and no renderer, with which the plugin cannot be combined.
 *
 * The outline of a ball is an ellipse, computed in closed form. Otherwise it is the outline of the scene's closed
 * surface (meshes of bodies and links, soft bodies), no part of which may hide another: a convex one, or a slender,
 * slightly bent one.
 *
 * ```ts
 * const ball = createScene([rigid(), projectedOutline({ ...film.size, camera: LookAtCamera, centre: Body.position, radius: 0.1 })]);
 * const box = createScene([rigid(), projectedOutline({ ...film.size, camera: LookAtCamera })]);
 * ```
 * @throws for a radius that is not above 0, or one of centre and radius without the other; when the scene is built, if
 * it has no or several cameras, or neither a ball nor a surface.
 */
export function projectedOutline(options: ProjectedOutlineOptions): Plugin {
  refuseUnknownOptions<ProjectedOutlineOptions>('projectedOutline', options, {
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
      `projectedOutline has ${centre ? 'a centre and no radius' : 'a radius and no centre'}; a ball has both, and any other thing neither.`,
    );
  if (radius !== undefined && !(radius > 0 && Number.isFinite(radius)))
    throw new GradsimError('film/option-out-of-range', `projectedOutline: radius is ${describeValue(radius)}.`, {
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
            `projectedOutline draws on one ball and one camera; the scene has ${size} ${centre.domain} and ${cameras} cameras.`,
          );
        if (element !== undefined && !(Number.isInteger(element) && element >= 0 && element < size))
          throw new GradsimError(
            'film/option-out-of-range',
            `projectedOutline: element is ${describeValue(element)}.`,
            {
              field: 'element',
              hint: `It must be one of the ${size} ${centre.domain}.`,
            },
          );
      } else if (cameras !== 1)
        throw new GradsimError(
          'film/one-camera',
          `projectedOutline needs one camera; the scene has ${cameras} cameras.`,
        );
      addView(model, camera, { width, height });
      model.addField(outlineBias, { fill: 0 });
      model.addDomain(outlineDirection.domain, DIRECTIONS.length);
      model.addField(outlineDirection, { values: DIRECTIONS.flat() });
      model.addField(outlineCentroidAndSize);
      model.addField(outlineReach);
      if (centre && radius) addBallOutline(model, { width, height, centre, radius, element: element ?? 0 });
      else addSurfaceOutline(model, { width, height });
    },
  });
}

/**
 * Parameters for the error common to all outlines of a film, in x, y and size, px: unknowns beside those of the model.
 * @param sizeBias prior of the pixels by which outlines are larger than the thing. Default: the prior for masks: 0, with
 * a standard deviation of half a pixel.
 */
export const outlineBiasParameters = (sizeBias: ParameterSpec['prior'] = OF_MASKS): ParameterSpec[] =>
  ['right', 'down', 'size'].map((name, component) => {
    const prior = name === 'size' ? sizeBias : OF_MASKS;
    return {
      name: `outline bias, ${name}`,
      field: outlineBias,
      component,
      initial: 0,
      scale: MASKS.shift,
      prior,
    };
  });

const OF_MASKS = { mean: 0, standardDeviation: MASKS.shift };
