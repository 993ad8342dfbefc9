import type { FieldOf, Plugin, Vec3 } from '@gradsim/core';
import {
  bind,
  definePlugin,
  dot,
  f32,
  field,
  kernel,
  mat33,
  on,
  refuseUnknownOptions,
  sqrt,
  vec2,
  vec3,
  vec4,
} from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import type { CameraKind } from '@gradsim/render';
import { addView } from '@gradsim/render';
import type { Size } from '@gradsim/video';

/** What {@link outlines} is told. */
export interface OutlinesOptions extends Size {
  /** The kind of the scene's only camera. */
  readonly camera: CameraKind;
  /** Where the ball's centre is: `Body.position`, or that of any component of which the scene has one. */
  readonly centre: FieldOf<Vec3>;
  /** Of the ball, m. As an unknown it is `world.outlineRadius`. */
  readonly radius: number;
}

/** The middle of the outline's area, pixels from the left and the upper edge, and the root of its area over pi. */
export const outline = field('world', 'outline', vec3, { unit: 'px' });
/** Pixels that the film's outlines are off by, all of them alike. */
export const outlineShift = field('world', 'outlineShift', vec3, { unit: 'px' });
const outlineRadius = field('world', 'outlineRadius', f32, { unit: 'm' });

/** Outlines may be off by so much in all frames alike, by what masks take of rims, shading and shadows. Pixels. */
const SHIFT_DOUBT = 0.5;

/**
 * What a camera sees of a ball without drawing it: the middle and the size of its outline, `world.outline`, to be held
 * against a track. It needs no overlap of film and model, and a run costs next to nothing. The scene needs a camera of the
 * kind that is named; another renderer is not needed, and cannot be beside it.
 *
 * The outline is an ellipse, see `seenBall`: with (X, Y, Z) the centre in the camera's axes, r the radius and q = Z^2 - r^2, it
 * lies about Z (X, Y) / q, with half axes r / sqrt(q) and r sqrt(X^2 + Y^2 + q) / q on the plane of depth 1.
 *
 * ```ts
 * const scene = createScene([rigid(), outlines({ ...film.size, camera: LookAtCamera, centre: Body.position, radius: 0.1 })]);
 * ```
 * @throws for a radius that is not above 0; when the scene is built, where it has not one ball and one camera.
 */
export function outlines(options: OutlinesOptions): Plugin {
  refuseUnknownOptions<OutlinesOptions>('outlines', options, {
    ...{ width: 0, height: 0, camera: 0, centre: 0, radius: 0 },
  });
  const { width, height, camera, centre, radius } = options;
  if (!(radius > 0 && Number.isFinite(radius)))
    throw new Error(`outlines: radius is ${radius}; it must be a number above 0, in metres.`);
  const draw = kernel(
    'drawOutline',
    {
      domain: 'world',
      reads: {
        ...{ position: on(centre.domain, vec3), outlineShift, outlineRadius },
        ...{ viewPosition: on('cameras', vec3), viewAxes: on('cameras', mat33) },
        ...{ lens: on('cameras', vec4), distortion: on('cameras', vec2) },
      },
      writes: { outline },
    },
    ({ position, outlineShift: shift, outlineRadius: r, viewPosition, viewAxes, lens, distortion }) => {
      const away = position.at(0).sub(viewPosition.at(0));
      const { x, y, z } = viewAxes.at(0).mul(away);
      const q = z.mul(z).sub(r.mul(r));
      const [across, up] = [x.mul(z).div(q), y.mul(z).div(q)];
      const s = across.mul(across).add(up.mul(up));
      const [k1, k2] = [distortion.at(0).x, distortion.at(0).y];
      const f = s.mul(k2).add(k1).mul(s).add(1);
      // Of areas, where a radius a goes to a f(a^2): f (f + 2 s f').
      const stretched = f.mul(f.add(s.mul(2).mul(k1.add(s.mul(k2).mul(2)))));
      const at = lens.at(0);
      const area = stretched
        .mul(at.x.mul(at.y).mul((width * height) / 4))
        .mul(r.mul(r))
        .mul(sqrt(dot(vec2(x, y), vec2(x, y)).add(q)).div(q.mul(sqrt(q))));
      return {
        outline: vec3(
          at.x
            .mul(f)
            .mul(across)
            .add(at.z)
            .add(1)
            .mul(width / 2),
          f32(1)
            .sub(at.y.mul(f).mul(up).add(at.w))
            .mul(height / 2),
          sqrt(area),
        ).add(shift),
      };
    },
  );
  return definePlugin({
    ...{ name: '@gradsim/film', contract: 1, components: [camera] },
    build: ({ model, entities }) => {
      const seen = model.domain(centre.domain).size;
      const cameras = entities(camera).length;
      if (seen !== 1 || cameras !== 1)
        throw new Error(
          `outlines sees one ball by one camera; the scene has ${seen} ${centre.domain} and ${cameras} cameras.`,
        );
      addView(model, camera, { width, height });
      model.addField(outlineShift, { fill: 0 });
      model.addField(outlineRadius, { fill: radius });
      model.addPass('observe', bind(draw, { position: centre }));
    },
  });
}

/** What the outlines of a film are off by, all of them alike, in x, y and size: unknowns beside those that are looked for. */
export const outlineShifts = (): ParameterSpec[] =>
  ['right', 'down', 'size'].map((name, component) => ({
    ...{ name: `outlines off, ${name}`, field: outlineShift, component, initial: 0, scale: SHIFT_DOUBT },
    prior: { mean: 0, standardDeviation: SHIFT_DOUBT },
  }));
