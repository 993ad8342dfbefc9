import { type Camera, cameraPosition, formatCamera, projectPoint } from '@gradsim/cameras';
import type { Draw } from '../draw.ts';

/** Formats of camera files. */
export const FORMATS = ['gradsim', 'opencv', 'xml', 'ros', 'colmap', 'transforms'] as const;

/** A camera file as values, so that one of them can be made invalid before the text is written. */
export interface CameraFile {
  readonly format: (typeof FORMATS)[number];
  readonly camera: Camera;
  /** Numbers or lists of numbers, by the name that error messages use. */
  readonly values: Map<string, unknown>;
  /** Writes the text from the current values. */
  readonly text: () => string;
  /** Content of COLMAP's second file, `images.txt`, which holds the camera's pose. */
  readonly images?: () => string;
}

/** Draws a camera about 2 m from the origin and looking at it. */
export function drawnCamera(random: Draw): Camera {
  const about = (mean: number, by: number): number => mean + by * (2 * random.next() - 1);
  const q = [about(0, 0.2), about(0, 0.2), about(0, 0.2), 1];
  const length = Math.hypot(...q);
  const [width, height] = random.pick([
    [640, 480],
    [1280, 720],
    [720, 1280],
  ]);
  return {
    width,
    height,
    focalLength: [about(900, 200), about(900, 200)],
    principalPoint: [about(width / 2, 20), about(height / 2, 20)],
    distortion: [about(0, 0.1), about(0, 0.05), about(0, 1e-3), about(0, 1e-3), about(0, 0.01)],
    pose: {
      rotation: q.map((c) => c / length) as unknown as readonly [number, number, number, number],
      translation: [about(0, 0.1), about(0, 0.1), about(2, 0.2)],
    },
  };
}

/** Draws a camera and a format, and returns the file as gradsim writes it. */
export function drawnFile(random: Draw): CameraFile {
  const format = random.pick(FORMATS);
  const camera = drawnCamera(random);
  if (format === 'opencv' || format === 'xml') return openCv(format, camera);
  if (format === 'colmap') return colmap(camera);
  if (format === 'ros') return ros(camera);
  const json = JSON.parse(formatCamera(camera, format)) as Record<string, unknown>;
  const values = new Map(Object.entries(json));
  return {
    format,
    camera,
    values,
    text: () => JSON.stringify(Object.fromEntries(values), null, 1),
  };
}

/** OpenCV's matrices and numbers for a camera, as gradsim writes them. */
function openCv(format: 'opencv' | 'xml', camera: Camera): CameraFile {
  const values = new Map<string, unknown>();
  const written = formatCamera(camera, 'opencv');
  for (const [, name, text] of written.matchAll(/^(image_\w+): (\d+)$/gm)) values.set(name, Number(text));
  for (const [, name, text] of written.matchAll(/^(\w+): !!opencv-matrix\n[\s\S]*?data: \[ ([^\]]*) \]/gm))
    values.set(name, text.split(', ').map(Number));
  const yaml = (value: unknown): string =>
    Array.isArray(value)
      ? ` !!opencv-matrix\n   rows: ${value.length}\n   cols: 1\n   dt: d\n   data: [ ${value.map((v) => JSON.stringify(v)).join(', ')} ]`
      : ` ${JSON.stringify(value)}`;
  const xml = (value: unknown): string =>
    Array.isArray(value)
      ? `<rows>${value.length}</rows><cols>1</cols><dt>d</dt><data>${value.map(String).join(' ')}</data>`
      : String(value);
  const text = (): string =>
    format === 'opencv'
      ? `%YAML:1.0\n---\n${Array.from(values, ([name, value]) => `${name}:${yaml(value)}\n`).join('')}`
      : `<?xml version="1.0"?>\n<opencv_storage>\n${Array.from(values, ([name, value]) => `<${name}${Array.isArray(value) ? ' type_id="opencv-matrix"' : ''}>${xml(value)}</${name}>\n`).join('')}</opencv_storage>\n`;
  return { format, camera, values, text };
}

/** Content of a ROS camera file, which has no pose. */
function ros(camera: Camera): CameraFile {
  const { pose: _, ...lens } = camera;
  const { width, height, focalLength, principalPoint, distortion } = camera;
  const values = new Map<string, unknown>([
    ['image_width', width],
    ['image_height', height],
    ['camera_matrix', [focalLength[0], 0, principalPoint[0], 0, focalLength[1], principalPoint[1], 0, 0, 1]],
    ['distortion_model', 'plumb_bob'],
    ['distortion_coefficients', [...distortion]],
  ]);
  const text = (): string =>
    Array.from(values, ([name, value]) =>
      Array.isArray(value)
        ? `${name}:\n  rows: 1\n  cols: ${value.length}\n  data: [${value.map((v) => JSON.stringify(v)).join(', ')}]\n`
        : `${name}: ${JSON.stringify(value)}\n`,
    ).join('');
  return { format: 'ros', camera: lens, values, text };
}

function colmap(camera: Camera): CameraFile {
  const { pose, width, height, focalLength, principalPoint, distortion } = camera;
  const [x, y, z, w] = pose!.rotation;
  const values = new Map<string, unknown>([
    ['WIDTH', width],
    ['HEIGHT', height],
    ['parameters', [...focalLength, ...principalPoint.map((c) => c + 0.5), ...distortion, 0, 0, 0]],
    ['pose', [w, x, y, z, ...pose!.translation]],
  ]);
  const list = (name: string): string => (values.get(name) as unknown[]).map(String).join(' ');
  return {
    format: 'colmap',
    camera,
    values,
    text: () => `# Camera list\n1 FULL_OPENCV ${values.get('WIDTH')} ${values.get('HEIGHT')} ${list('parameters')}\n`,
    images: () => `# Image list\n1 ${list('pose')} 1 picture.png\n1 2 -1\n`,
  };
}

/** True if two cameras give the same picture, within the rounding of a file. */
export function seesTheSame(a: Camera, b: Camera): boolean {
  if (a.width !== b.width || a.height !== b.height || (a.pose === undefined) !== (b.pose === undefined)) return false;
  const isNear = (u: readonly number[], v: readonly number[]): boolean =>
    u.every((value, k) => Math.abs(value - v[k]) < 1e-6 * (1 + Math.abs(v[k])));
  if (!isNear(a.focalLength, b.focalLength) || !isNear(a.principalPoint, b.principalPoint)) return false;
  if (!isNear(a.distortion, b.distortion)) return false;
  if (!a.pose || !b.pose) return true;
  return (
    isNear(cameraPosition(a.pose), cameraPosition(b.pose)) &&
    isNear(projectPoint(a, [0.1, 0.05, 0.1]), projectPoint(b, [0.1, 0.05, 0.1]))
  );
}
