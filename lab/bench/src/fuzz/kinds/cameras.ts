import { type Camera, readCamera } from '@gradsim/cameras';
import type { Draw } from '../draw.ts';
import type { Case, Kind } from '../kind.ts';
import { WronglyAccepted } from '../kind.ts';
import type { KnownText, SpoiltValue } from '../text-case.ts';
import { anyText, reading, spoiltText, wholeText } from '../text-case.ts';
import { type CameraFile, drawnFile, seesTheSame } from '../write/camera-files.ts';

/** Camera files of gradsim, OpenCV, ROS, COLMAP and NeRF tools: valid, with one invalid value, or randomly changed. */
export const cameras: Kind = { name: 'cameras', limit: 30, draw };

async function draw(random: Draw): Promise<Case> {
  const file = drawnFile(random);
  const { format } = file;
  const knownBy = (read: KnownText<Camera>['read'], text = file.text): KnownText<Camera> => ({
    description: format,
    text,
    read,
    isSame: (camera) => seesTheSame(camera, file.camera),
  });
  const readWith = (text: string, images: string | undefined): Camera =>
    checked(
      readCamera(text, {
        name: 'drawn.txt',
        up: format === 'transforms' ? 'z' : 'y',
        ...(images === undefined ? {} : { images, picture: 'picture' }),
      }),
    );
  const images = file.images?.();
  const known = knownBy((text) => readWith(text, images));
  const way = random.pick(['none', 'strings', 'spoil', 'spoil', 'spoil', 'change', 'change'] as const);
  if (way === 'none') return wholeText(known, random);
  if (way === 'strings' && isQuoted(file)) {
    for (const [name, value] of file.values)
      file.values.set(name, Array.isArray(value) ? value.map(String) : String(value));
    return { about: `${format}: numbers as strings`, expected: 'valid', read: reading(known, file.text()) };
  }
  if (way !== 'change') {
    const spoilt = spoilCamera(file, random);
    const spoiltImages = file.images?.();
    return spoiltText(
      knownBy((text) => readWith(text, spoiltImages)),
      spoilt,
      random,
    );
  }
  return file.images && random.chance(0.5)
    ? anyText(
        knownBy((text) => readWith(file.text(), text), file.images),
        random,
      )
    : anyText(known, random);
}

/** True for a format in which numbers may be quoted strings; gradsim's own format does not allow that. */
const isQuoted = ({ format }: CameraFile): boolean => format === 'opencv' || format === 'ros';

/** Values that are not valid numbers. */
const NO_NUMBERS: readonly unknown[] = [null, true, '', 'x', 'NaN', '1e999', '0x10', '1,5'];
const isText = ({ format }: CameraFile): boolean => format === 'xml' || format === 'colmap';

/** Makes one value of a file invalid. */
function spoilCamera(file: CameraFile, random: Draw): SpoiltValue {
  const { values, format } = file;
  const ways: (() => SpoiltValue)[] = [];
  const numeric = [...values].filter(([, value]) => typeof value === 'number' || isNumbers(value));
  ways.push(() => {
    const [name, value] = random.pick(numeric);
    // An empty word is no word where words are separated by spaces.
    const bad = random.pick(isText(file) ? NO_NUMBERS.filter((each) => each !== '') : NO_NUMBERS);
    if (Array.isArray(value)) {
      const at = random.whole(0, value.length - 1);
      value[at] = bad;
      // The parameters of COLMAP's models have no names in messages.
      return { about: `${name}[${at}] is ${JSON.stringify(bad)}`, names: namesOf(file, name) };
    }
    values.set(name, bad);
    return { about: `${name} is ${JSON.stringify(bad)}`, names: namesOf(file, name) };
  });
  ways.push(() => {
    const [name] = random.pick(numeric.filter(([key]) => /idth|eight|^[wh]$|WIDTH|HEIGHT/.test(key)));
    const bad = random.pick([0, -640, 1.5, 1e-9]);
    values.set(name, bad);
    return { about: `${name} is ${bad}`, names: [/^w|idth|WIDTH/.test(name) ? 'width' : 'height'] };
  });
  const rotation = rotationOf(file);
  if (rotation)
    ways.push(
      () => rotation(random),
      () => rotation(random),
    );
  if (format === 'opencv' || format === 'ros' || format === 'xml')
    ways.push(() => {
      values.delete('camera_matrix');
      return { about: 'no camera_matrix', names: ['camera_matrix'] };
    });
  return random.pick(ways)();
}

const isNumbers = (value: unknown): value is unknown[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'number');

const namesOf = ({ format }: CameraFile, name: string): readonly string[] =>
  format === 'colmap' ? ['drawn.txt'] : [name.replace(/^fl_\w$/, 'fl_')];

/**
 * Returns a function that turns the file's rotation into something that is not a rotation; undefined if the file has
 * none.
 */
function rotationOf({ format, values }: CameraFile): ((random: Draw) => SpoiltValue) | undefined {
  const spoilMatrix = (m: number[][], random: Draw): string => {
    const way = random.pick(['zeros', 'mirror', 'askew', 'long'] as const);
    const rows = m.slice(0, 3);
    if (way === 'zeros') for (const row of rows) row.fill(0, 0, 3);
    else if (way === 'mirror') for (const row of rows) row[2] *= -1;
    else if (way === 'askew') for (const row of rows) row[1] = row[1] + 0.3 * row[0];
    else for (const row of rows) for (let k = 0; k < 3; k++) row[k] *= 1.5;
    return way;
  };
  if (format === 'opencv' || format === 'xml')
    return (random) => {
      const flat = values.get('R') as number[];
      const m = [flat.slice(0, 3), flat.slice(3, 6), flat.slice(6, 9)];
      const way = spoilMatrix(m, random);
      values.set('R', m.flat());
      return { about: `R: ${way}`, names: ['R is (', 'no rotation'] };
    };
  if (format === 'transforms')
    return (random) => {
      const [frame] = values.get('frames') as { transform_matrix: number[][] }[];
      return {
        about: `transform_matrix: ${spoilMatrix(frame.transform_matrix, random)}`,
        names: ['transform_matrix', 'no rotation'],
      };
    };
  if (format === 'gradsim')
    return (random) => {
      const pose = values.get('pose') as { rotation: unknown };
      const bad = random.pick<unknown>([[0, 0, 0, 0], [2, 0, 0, 0], [0, 0, 0], null, true, 'x', [null, 0, 0, 1]]);
      pose.rotation = bad;
      return { about: `pose.rotation is ${JSON.stringify(bad)}`, names: ['pose.rotation'] };
    };
  if (format === 'colmap')
    return (random) => {
      const pose = values.get('pose') as number[];
      const factor = random.pick([0, 2, 0.5]);
      for (let k = 0; k < 4; k++) pose[k] *= factor;
      return { about: `quaternion times ${factor}`, names: ['quaternion', 'no rotation'] };
    };
  return undefined;
}

/** Returns the camera after checking it. @throws if it violates what the reader guarantees. */
function checked(camera: Camera): Camera {
  const { width, height, focalLength, principalPoint, distortion, pose } = camera;
  const numbers = [width, height, ...focalLength, ...principalPoint, ...distortion];
  const q = pose?.rotation ?? [0, 0, 0, 1];
  numbers.push(...q, ...(pose?.translation ?? []));
  const odd = numbers.find((value) => typeof value !== 'number' || !Number.isFinite(value));
  if (odd !== undefined || Math.abs(Math.hypot(...q) - 1) > 1e-6 || !(Math.min(width, height, ...focalLength) > 0))
    throw new WronglyAccepted(`as ${JSON.stringify(camera)}`);
  return camera;
}
