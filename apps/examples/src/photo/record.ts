import { readFile } from 'node:fs/promises';
import { describeValue } from '@gradsim/base';
import type { TriangleMesh } from '@gradsim/mesh';
import type { ContactMaterial, Toss } from '../scenes/tossed.ts';
import { PUSH_SECONDS, TOSS_FIELD_OF_VIEW, TOSS_TIMELINE } from '../scenes/tossed.ts';
import type { Shutter } from './poses.ts';
import type { Look, Shot } from './shot.ts';

/** Record stored beside a film, as JSON: how the film was made. */
export interface TossRecord {
  readonly timeline: {
    readonly frames: number;
    readonly frameRate: number;
    readonly substeps: number;
    /** Shutter of the exposures; that of frame k is centred at time k / frameRate. */
    readonly shutter: Shutter;
  };
  /** Values of an `OrbitCamera`: angles in rad, including the vertical field of view; distance in m. */
  readonly camera: Toss['camera'] & { readonly fieldOfView: number; readonly size: number };
  /** Mesh with a colour for every triangle, red, green, blue in linear light. */
  readonly mesh: Shot['mesh'];
  /** Initial state at time 0, in world axes; the orientation as a quaternion (x, y, z, w). */
  readonly initial: Pick<Toss, 'position' | 'orientation' | 'velocity' | 'angularVelocity'>;
  /**
   * Impulse of the push, N s, its duration, s, over which the force is constant, and the point where it acts, in body
   * axes.
   */
  readonly push: {
    readonly impulse: readonly number[];
    readonly point: readonly number[];
    readonly seconds: number;
  };
  /** True mass and contact material, with which an estimate is compared and which it must not use. */
  readonly truth: ContactMaterial & { readonly mass: number };
  /** Light and materials of the film, which an estimate must not use. */
  readonly look: Look;
}

export function recordOf(toss: Toss, look: Look, shutter: Shutter): TossRecord {
  const { mesh, camera, size, position, orientation, velocity, angularVelocity } = toss;
  return {
    timeline: { ...TOSS_TIMELINE, shutter },
    camera: { ...camera, fieldOfView: TOSS_FIELD_OF_VIEW, size },
    mesh: {
      positions: Array.from(mesh.positions),
      triangles: Array.from(mesh.triangles),
      colors: Array.from(mesh.colors ?? []),
    },
    initial: { position, orientation, velocity, angularVelocity },
    push: { impulse: toss.impulse, point: toss.pushPoint, seconds: PUSH_SECONDS },
    truth: { mass: toss.mass, ...toss.material },
    look,
  };
}

/** Toss described by a record, truth included, seen in pictures of `size` x `size` pixels. */
export function tossOf({ mesh, camera, initial, push, truth }: TossRecord, size: number): Toss {
  const { mass, ...material } = truth;
  const { target, distance, elevation, azimuth } = camera;
  const surface: TriangleMesh = {
    positions: Float64Array.from(mesh.positions),
    triangles: Uint32Array.from(mesh.triangles),
    colors: Float64Array.from(mesh.colors),
    colorsOn: 'triangles',
  };
  return {
    mesh: surface,
    mass,
    material,
    ...initial,
    impulse: push.impulse,
    pushPoint: push.point,
    camera: { target, distance, elevation, azimuth },
    size,
  };
}

/**
 * Paths of the record and the plate beside a film `toss.webm` or a folder of images `toss`: `toss.json` and
 * `toss.plate.png`.
 */
export function besideFilm(film: string): { readonly record: string; readonly plate: string } {
  const base = film.replace(/[\\/]+([^\\/]*%0?\d*d[^\\/]*)?$/, '').replace(/\.(mp4|webm|gif|png)$/i, '');
  return { record: `${base}.json`, plate: `${base}.plate.png` };
}

/**
 * Required entries of a record, with the number of values of each: 0 for a single number, n for a list of n numbers,
 * `triples` for a list of a multiple of three.
 */
const RECORD_ENTRIES = {
  'timeline.frames': 0,
  'timeline.frameRate': 0,
  'timeline.substeps': 0,
  'camera.target': 3,
  'camera.distance': 0,
  'camera.elevation': 0,
  'camera.azimuth': 0,
  'camera.fieldOfView': 0,
  'camera.size': 0,
  'mesh.positions': 'triples',
  'mesh.triangles': 'triples',
  'mesh.colors': 'triples',
  'initial.position': 3,
  'initial.orientation': 4,
  'initial.velocity': 3,
  'initial.angularVelocity': 3,
  'push.impulse': 3,
  'push.point': 3,
  'push.seconds': 0,
  'truth.mass': 0,
  'truth.ke': 0,
  'truth.kd': 0,
  'truth.kf': 0,
  'truth.mu': 0,
} as const;
/** Entries of a record that must have the values for which the model of a toss is built. */
const FIXED_ENTRIES = {
  'timeline.frames': TOSS_TIMELINE.frames,
  'timeline.frameRate': TOSS_TIMELINE.frameRate,
  'timeline.substeps': TOSS_TIMELINE.substeps,
  'camera.fieldOfView': TOSS_FIELD_OF_VIEW,
  'push.seconds': PUSH_SECONDS,
} as const;

/**
 * Reads the record of a film.
 * @throws if the file is missing or not JSON, or an entry is missing, not a number, or not that of a toss.
 */
export async function readRecord(path: string): Promise<TossRecord> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${path} cannot be read (${error.code}): it is to tell camera, mesh and push of the film beside it, as \`npm run film\` writes it.`,
    );
  });
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is no JSON: ${(error as Error).message}`);
  }
  for (const [entry, count] of Object.entries(RECORD_ENTRIES)) checkEntry(path, record, entry, count);
  for (const [entry, value] of Object.entries(FIXED_ENTRIES)) {
    if (valueAt(record, entry) !== value)
      throw new Error(`${path}: ${entry} is ${valueAt(record, entry)}; tosses have ${value}.`);
  }
  return record as TossRecord;
}

const valueAt = (record: unknown, entry: string): unknown =>
  entry.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown> | undefined)?.[name], record);

function checkEntry(path: string, record: unknown, entry: string, count: number | 'triples'): void {
  const value = valueAt(record, entry);
  const isWhole = (length: number): boolean => (count === 'triples' ? length % 3 === 0 : length === count);
  const fits =
    count === 0
      ? Number.isFinite(value)
      : Array.isArray(value) && value.length > 0 && isWhole(value.length) && value.every(Number.isFinite);
  if (fits) return;
  const must = { 0: 'a number', triples: 'numbers, three by three' }[String(count)] ?? `${count} numbers`;
  throw new Error(`${path}: ${entry} is ${describeValue(value)}; it must be ${must}.`);
}
