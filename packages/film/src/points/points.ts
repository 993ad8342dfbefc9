import type { Model, Plugin } from '@gradsim/core';
import { definePlugin, f32, GradsimError, vec3 } from '@gradsim/core';
import { checkOptions, type PointsOptions } from './options.ts';
import { addMoments, addPointExposure } from './sights.ts';

/**
 * Plugin that computes the positions of points of particles and bodies in the pictures of cameras, px, without
 * rendering: `points.seen`, to compare with tracks by `pointObservation`. There may be several cameras, and all their
 * fields can be unknowns.
 *
 * With `exposure` the position is the mean over the time in which the point's row is exposed: it begins readout y /
 * height after the frame's time, and lasts shutter / frameRate. Between substeps motion is taken as linear, through
 * contacts too. The exposures of the film's frame f end before frame f + 1, so frame f + 1 of `points.seen` holds them.
 *
 * ```ts
 * const scene = createScene([rigid(), points({ ...film.size, camera: PinholeCamera, of: Body.position, points: [{ element: 0 }] })]);
 * ```
 * @throws for invalid options; when the scene is built, for an element that is not there and a scene without a camera.
 */
export function points(options: PointsOptions): Plugin {
  checkOptions(options);
  const { camera, name = 'points', exposure } = options;
  return definePlugin({
    name: `@gradsim/film/${name}`,
    contract: 1,
    components: [camera],
    build: ({ model, entities }) => {
      const cameras = entities(camera).length;
      if (cameras === 0)
        throw new GradsimError('film/no-camera', 'points needs a camera in the scene, of the kind that it is told.');
      addDomains(model, options, cameras);
    },
    // After all passes that move things.
    finish: ({ model }) => {
      if (exposure) addPointExposure(model, options);
      else addMoments(model, options);
    },
  });
}

/** Adds the domains: markers, one per point; and sights, one per point and camera. */
function addDomains(
  model: Model,
  { name = 'points', points: all, exposure, position }: PointsOptions,
  cameras: number,
): void {
  const { size } = model.domain(position.domain);
  const beyond = all.find(({ element }) => element >= size);
  if (beyond)
    throw new GradsimError(
      'film/no-such-element',
      `points: element ${beyond.element} is not among the ${size} ${position.domain}.`,
    );
  const markers = `${name}Markers`;
  model.addDomain(markers, all.length);
  model.addField(markers, 'local', vec3, {
    values: all.flatMap(({ local = [0, 0, 0] }) => [...local]),
    unit: 'm',
  });
  model.addField(markers, 'radius', f32, { values: all.map(({ radius = 0 }) => radius), unit: 'm' });
  const count = cameras * all.length;
  const each = (of_: (camera: number, point: number) => number): Uint32Array =>
    Uint32Array.from({ length: count }, (_, k) => of_(Math.floor(k / all.length), k % all.length));
  model.addDomain(name, count);
  model.addIndex(
    name,
    'camera',
    'cameras',
    1,
    each((camera) => camera),
  );
  model.addIndex(
    name,
    'marker',
    markers,
    1,
    each((_, point) => point),
  );
  model.addIndex(
    name,
    'element',
    position.domain,
    1,
    each((_, point) => all[point].element),
  );
  if (!exposure) return;
  model.addField(name, 'sums', vec3, { fill: 0 });
  model.addField('cameras', `${name}Shutter`, f32, { fill: exposure.shutter ?? 0 });
  model.addField('cameras', `${name}Readout`, f32, { fill: exposure.readout ?? 0, unit: 's' });
}
