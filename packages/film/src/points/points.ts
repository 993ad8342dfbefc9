import type { F32, FieldOf, Kernel, Mat33, Model, Plugin, Quat, U32, Vec2, Vec3, Vec4 } from '@gradsim/core';
import {
  abs,
  bind,
  definePlugin,
  f32,
  floor,
  index,
  kernel,
  mat33,
  max,
  min,
  on,
  quat,
  refuseUnknownOptions,
  rotate,
  select,
  vec2,
  vec3,
  vec4,
} from '@gradsim/core';
import type { CameraKind } from '@gradsim/render';
import { distorted, viewKernel } from '@gradsim/render';
import type { Size } from '@gradsim/video';

/** A point that is followed in the picture. */
export interface FollowedPoint {
  /** Element of the field `of`: which body, which particle. */
  readonly element: number;
  /** Where on the body it is, in its axes, m. Default its centre. As an unknown it is `NAMEMarkers.local`. */
  readonly local?: readonly [number, number, number];
  /** Of a ball, m: what is followed is then the middle of its outline, which is not where its centre is seen. Default 0. */
  readonly radius?: number;
}

/** How a camera's shutter works, so that points are seen when their row is exposed. */
export interface ShutterOptions {
  /** Frames a second of the film, and of the problem. */
  readonly frameRate: number;
  /** Exposure as a part of the time from frame to frame. As an unknown it is `cameras.NAMEShutter`. Default 0, a moment. */
  readonly shutter?: number;
  /** Seconds from the first row's exposure to the last row's (rolling shutter). As an unknown it is `cameras.NAMEReadout`. Default 0. */
  readonly readout?: number;
}

/** What {@link points} is told. */
export interface PointsOptions extends Size {
  /** The kind of the scene's cameras; each sees all points. */
  readonly camera: CameraKind;
  /** `Particle.position`, `Body.position`: what the points belong to. */
  readonly of: FieldOf<Vec3>;
  /** `Body.orientation`, where points are fixed to bodies off their origin. */
  readonly turned?: FieldOf<Quat>;
  readonly points: readonly FollowedPoint[];
  /** Default: all points at the moment of the frame. */
  readonly exposure?: ShutterOptions;
  /** How its fields begin, for several in one scene. Default `points`. */
  readonly name?: string;
}

/** Names of the fields that a {@link points} of a name has. */
export const pointFields = (name = 'points') => ({
  /** Pixels from the left and the upper edge, [camera][point]. */
  seen: `${name}.seen`,
  /** m, in the axes of the body, by point. */
  local: `${name}Markers.local`,
  /** Part of the time from frame to frame, by camera. */
  shutter: `cameras.${name}Shutter`,
  /** Seconds from the first row to the last, by camera. */
  readout: `cameras.${name}Readout`,
});

/** An exposure is no shorter than this part of a substep, within which everything goes straight. */
const SHORTEST = 0.1;

/**
 * Where cameras see points of particles and bodies, in pixels, without drawing them: `points.seen`, to be held against tracks of
 * {@link pointObservation}. Cameras may be several, with all of their columns as unknowns.
 *
 * With `exposure` a point is where the picture of it lies in the mean over the time in which its row is exposed: from
 * readout y / height after the frame begins, for shutter / frameRate. Between substeps it goes straight, through contacts too. The
 * exposures of the film's frame f end before frame f + 1: so that is where `points.seen` holds them.
 *
 * ```ts
 * const scene = createScene([rigid(), points({ ...film.size, camera: PinholeCamera, of: Body.position, points: [{ element: 0 }] })]);
 * ```
 * @throws for options that cannot be; when the scene is built, for an element that is not there and a scene without a camera.
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
      if (cameras === 0) throw new Error('points needs a camera in the scene, of the kind that it is told.');
      addDomains(model, options, cameras);
    },
    // After what others move.
    finish: ({ model }) => {
      if (exposure) addExposure(model, options);
      else addMoments(model, options);
    },
  });
}

function checkOptions(options: PointsOptions): void {
  refuseUnknownOptions<PointsOptions>('points', options, {
    width: 0,
    height: 0,
    camera: 0,
    of: 0,
    turned: 0,
    points: 0,
    exposure: 0,
    name: 0,
  });
  const { width, height, turned, points: all, exposure, name = 'points' } = options;
  if (!/^[a-z]\w*$/i.test(name)) throw new Error(`points: name is "${name}"; it must be a word.`);
  for (const [key, value] of Object.entries({ width, height }))
    if (!(Number.isInteger(value) && value > 0))
      throw new Error(`points: ${key} is ${value}; it must be a whole number of pixels.`);
  if (all.length === 0) throw new Error('points names no point: give at least one in `points`.');
  all.forEach((point, k) => {
    const what = `points: point ${k}`;
    refuseUnknownOptions<FollowedPoint>(what, point, { element: 0, local: 0, radius: 0 });
    if (!(Number.isInteger(point.element) && point.element >= 0))
      throw new Error(`${what} has the element ${point.element}; it must be a whole number from 0.`);
    if (point.local?.some((c) => c !== 0) && !turned)
      throw new Error(
        `${what} is off the centre (local), and nothing says how that is turned: give \`turned\`, as Body.orientation.`,
      );
    if (!((point.radius ?? 0) >= 0))
      throw new Error(`${what} has the radius ${point.radius}; it must be at least 0, in metres.`);
  });
  if (!exposure) return;
  refuseUnknownOptions<ShutterOptions>('points: exposure', exposure, {
    frameRate: 0,
    shutter: 0,
    readout: 0,
  });
  const { frameRate, shutter = 0, readout = 0 } = exposure;
  if (!(frameRate > 0 && Number.isFinite(frameRate)))
    throw new Error(`points: exposure.frameRate is ${frameRate}; it must be a number above 0, in frames a second.`);
  if (!(shutter >= 0 && readout >= 0 && shutter + readout * frameRate <= 1))
    throw new Error(
      `points: an exposure of ${shutter} of a frame and a readout of ${readout} s end after the next frame begins; ` +
        'shutter + readout x frameRate is at most 1, and none is below 0.',
    );
}

/** Markers, by point; sights, of each point by each camera. */
function addDomains(
  model: Model,
  { name = 'points', points: all, exposure, of }: PointsOptions,
  cameras: number,
): void {
  const { size } = model.domain(of.domain);
  const beyond = all.find(({ element }) => element >= size);
  if (beyond) throw new Error(`points: element ${beyond.element} is not among the ${size} ${of.domain}.`);
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
    of.domain,
    1,
    each((_, point) => all[point].element),
  );
  if (!exposure) return;
  model.addField(name, 'sums', vec3, { fill: 0 });
  model.addField('cameras', `${name}Shutter`, f32, { fill: exposure.shutter ?? 0 });
  model.addField('cameras', `${name}Readout`, f32, { fill: exposure.readout ?? 0, unit: 's' });
}

/** What of cameras a sight follows from, by the names of ports; the first four are found in `setup` under names of their own. */
const CAMERA = {
  viewPosition: on('cameras', vec3),
  viewAxes: on('cameras', mat33),
  lens: on('cameras', vec4),
  lensEdge: on('cameras', f32),
  distortion: on('cameras', vec2),
  k3: on('cameras', f32),
  tangential: on('cameras', vec2),
};

/** The cameras' view, once a run: under names of its own, so that a renderer can be beside it. */
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

/** Nearer to the plane of the camera than this, m, a point counts as so near: its place stays a number. */
const NEAREST = 1e-4;

/**
 * A kernel over the sights that begins with where each point is seen.
 * @param use what becomes of a place in pixels.
 */
function sightKernel(
  what: string,
  { of, turned, name = 'points', width, height }: PointsOptions,
  rest: { readonly reads?: object; readonly writes: object },
  use: (place: Vec2, fields: never, around: never) => object,
): Kernel {
  const markers = `${name}Markers`;
  const reads = {
    camera: index('cameras'),
    marker: index(markers),
    element: index(of.domain),
    local: on(markers, vec3),
    radius: on(markers, f32),
    position: on(of.domain, vec3),
    ...(turned ? { orientation: on(of.domain, quat) } : {}),
    ...CAMERA,
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
      const far = select(abs(z).gt(NEAREST), z, f32(NEAREST));
      const r = fields.radius.at(marker);
      // The middle of a ball's outline, see `seenBall`: Z (X, Y) / (Z^2 - r^2), of a point (X, Y) / Z.
      const by = far.div(far.mul(far).sub(r.mul(r)));
      const [u, v] = distorted(x.mul(by), y.mul(by), {
        distortion: fields.distortion.at(camera),
        k3: fields.k3.at(camera),
        tangential: fields.tangential.at(camera),
        lensEdge: fields.lensEdge.at(camera),
      });
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
/** Fields as a kernel over sights reads them. */
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

function bindings({ of, turned }: PointsOptions, views: Readonly<Record<string, string>>) {
  return { ...views, position: of, ...(turned ? { orientation: turned } : {}) };
}

/** Points at the moment of each frame. */
function addMoments(model: Model, options: PointsOptions): void {
  const views = addViews(model, options);
  const see = sightKernel('seePoints', options, { writes: { seen: vec2 } }, (place) => ({ seen: place }));
  model.addPass('observe', bind(see, bindings(options, views)));
}

/** Points in the mean over the time in which their row is exposed. */
function addExposure(model: Model, options: PointsOptions): void {
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
      reads: { place: vec2, sums: vec3, shutter: on('cameras', f32), readout: on('cameras', f32) },
      writes: { place: vec2, sums: vec3 },
    },
    (now, fields, around) => {
      const { camera, place: before, sums, shutter, readout } = fields as unknown as Exposed;
      const { dt, substep, frame } = around as unknown as { dt: F32; substep: U32; frame: U32 };
      // Since the frame began, in seconds: whole substeps, so that nothing of long runs is lost to rounding.
      const each = floor(f32(period).div(dt).add(0.5)).toU32();
      const k = substep.sub(frame.mul(each));
      const time = k.toF32().mul(dt);
      const exposed = shutter.at(camera).mul(period);
      const length = max(exposed, dt.mul(SHORTEST));
      const from = exposed.sub(length).mul(0.5);
      // How long after its own row's exposure began, at both ends of the substep, between which all goes straight.
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

interface Exposed {
  readonly camera: U32;
  readonly place: Vec2;
  readonly sums: Vec3;
  readonly shutter: At<F32>;
  readonly readout: At<F32>;
}

/** Before the first frame has ended nothing is exposed: then where points are. */
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
