import type { F32, Kernel, Mat33, Model, Quat, Surroundings, U32, Vec2, Vec3, Vec4 } from '@gradsim/core';
import { abs, bind, f32, fieldOn, index, kernel, max, min, quat, rotate, select, vec2, vec3 } from '@gradsim/core';
import { CAMERA_PORTS, distorted, lensTermsOf, viewKernel } from '@gradsim/render';
import type { PointsOptions } from './options.ts';

/** Minimum exposure time, as a fraction of a substep, within which motion is taken as linear. */
const MIN_EXPOSURE = 0.1;

/**
 * Adds the computation of the cameras' views, once per run, under the plugin's own field names, so that a renderer can
 * be used beside it. Returns these names.
 */
function addViews(model: Model, { camera, width, height, name = 'points' }: PointsOptions): Record<string, string> {
  const names = Object.fromEntries(
    ['viewPosition', 'viewAxes', 'lens', 'lensEdge'].map((field) => [
      field,
      `${name}${field[0].toUpperCase()}${field.slice(1)}`,
    ]),
  );
  model.addPass('setup', bind(viewKernel(camera, { width, height }), names));
  return names;
}

/**
 * Minimum depth of a point in front of the camera's plane, m: smaller depths are replaced by it, so that positions stay
 * finite.
 */
const MIN_DEPTH = 1e-4;

/**
 * Kernel over the sights that begins with the projection of each point to its position in the picture.
 * @param use computes the kernel's outputs from that position, px.
 */
function sightKernel(
  what: string,
  { position, orientation, name = 'points', width, height }: PointsOptions,
  rest: { readonly reads?: object; readonly writes: object },
  use: (place: Vec2, fields: never, around: never) => object,
): Kernel {
  const markers = `${name}Markers`;
  const reads = {
    camera: index('cameras'),
    marker: index(markers),
    element: index(position.domain),
    local: fieldOn(markers, vec3),
    radius: fieldOn(markers, f32),
    position: fieldOn(position.domain, vec3),
    ...(orientation ? { orientation: fieldOn(position.domain, quat) } : {}),
    ...CAMERA_PORTS,
  };
  return kernel(
    what,
    { domain: name, reads: { ...reads, ...rest.reads }, writes: rest.writes } as never,
    ((fields: Sighted, around: never) => {
      const { camera, marker, element } = fields;
      const centre = fields.position.at(element);
      const local = fields.local.at(marker);
      const point = fields.orientation ? centre.add(rotate(fields.orientation.at(element), local)) : centre;
      const away = point.sub(fields.viewPosition.at(camera));
      const { x, y, z } = fields.viewAxes.at(camera).mul(away);
      const far = select(abs(z).gt(MIN_DEPTH), z, f32(MIN_DEPTH));
      const r = fields.radius.at(marker);
      // The middle of a ball's outline, see `seenBall`: Z (X, Y) / (Z^2 - r^2), of a point (X, Y) / Z.
      const by = far.div(far.mul(far).sub(r.mul(r)));
      const [u, v] = distorted(x.mul(by), y.mul(by), lensTermsOf(fields, camera));
      const lens = fields.lens.at(camera);
      const place = vec2(
        lens.x
          .mul(u)
          .add(lens.z)
          .add(1)
          .mul(width / 2),
        f32(1)
          .sub(lens.y.mul(v).add(lens.w))
          .mul(height / 2),
      );
      return use(place, fields as never, around);
    }) as never,
  );
}

type At<T> = { at(element: U32): T };
/** Values that a kernel over sights reads. */
interface Sighted {
  readonly camera: U32;
  readonly marker: U32;
  readonly element: U32;
  readonly local: At<Vec3>;
  readonly radius: At<F32>;
  readonly position: At<Vec3>;
  readonly orientation?: At<Quat>;
  readonly viewPosition: At<Vec3>;
  readonly viewAxes: At<Mat33>;
  readonly lens: At<Vec4>;
  readonly lensEdge: At<F32>;
  readonly distortion: At<Vec2>;
  readonly k3: At<F32>;
  readonly tangential: At<Vec2>;
}

function bindings({ position, orientation }: PointsOptions, views: Readonly<Record<string, string>>) {
  return { ...views, position, ...(orientation ? { orientation } : {}) };
}

/** Adds the positions of points at the instant of each frame. */
export function addMoments(model: Model, options: PointsOptions): void {
  const views = addViews(model, options);
  const see = sightKernel('seePoints', options, { writes: { seen: vec2 } }, (place) => ({ seen: place }));
  model.addPass('observe', bind(see, bindings(options, views)));
}

/** Adds the positions of points averaged over the time in which their row is exposed. */
export function addPointExposure(model: Model, options: PointsOptions): void {
  const { name = 'points', height, exposure } = options;
  const views = addViews(model, options);
  const own = bindings(options, views);
  const begin = sightKernel('beginPoints', options, { writes: { place: vec2 } }, (place) => ({ place }));
  model.addPass('setup', bind(begin, own));
  const period = 1 / exposure!.frameRate;
  const expose = sightKernel(
    'exposePoints',
    options,
    {
      reads: { place: vec2, sums: vec3, shutter: fieldOn('cameras', f32), readout: fieldOn('cameras', f32) },
      writes: { place: vec2, sums: vec3 },
    },
    (now, fields, around) => {
      const { camera, place: before, sums, shutter, readout } = fields as unknown as ExposedPoint;
      const { dt, substepOfFrame: k } = around as unknown as Pick<Surroundings, 'dt' | 'substepOfFrame'>;
      // Since the frame began, in seconds: whole substeps, so that long runs lose nothing to rounding.
      const time = k.toF32().mul(dt);
      const exposed = shutter.at(camera).mul(period);
      const length = max(exposed, dt.mul(MIN_EXPOSURE));
      const from = exposed.sub(length).mul(0.5);
      // Time since its own row's exposure began, at both ends of the substep, between which motion is linear.
      const rowTime = readout.at(camera).div(height);
      const start = time.sub(rowTime.mul(before.y));
      const end = time.add(dt).sub(rowTime.mul(now.y));
      const span = max(end.sub(start), dt.mul(0.01));
      const part = (when: F32): F32 => min(max(when.sub(start).div(span), f32(0)), f32(1));
      const [a, b] = [part(from), part(from.add(length))];
      const weight = b.sub(a);
      const middle = before.add(now.sub(before).mul(a.add(b).mul(0.5)));
      const kept = select(k.eq(0), f32(0), f32(1));
      return {
        place: now,
        sums: sums.mul(kept).add(vec3(middle.x.mul(weight), middle.y.mul(weight), weight)),
      };
    },
  );
  model.addPass('integrate', bind(expose, { ...own, shutter: `${name}Shutter`, readout: `${name}Readout` }));
  model.addPass('observe', seenInMean(name));
}

interface ExposedPoint {
  readonly camera: U32;
  readonly place: Vec2;
  readonly sums: Vec3;
  readonly shutter: At<F32>;
  readonly readout: At<F32>;
}

/**
 * Divides the sums over the exposure. Before the end of the first frame there are none: then the initial positions of
 * the points.
 */
const seenInMean = (name: string): Kernel =>
  kernel(
    'meanOfPoints',
    { domain: name, reads: { sums: vec3, place: vec2 }, writes: { seen: vec2 } },
    ({ sums, place }) => {
      const isLit = sums.z.gt(1e-6);
      const by = f32(1).div(select(isLit, sums.z, f32(1)));
      return { seen: select(isLit, vec2(sums.x, sums.y).mul(by), place) };
    },
  );
