import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Camera } from '../src/index.ts';
import {
  cameraFor,
  cameraOfLength,
  cameraPosition,
  fittedTo,
  formatCamera,
  pixelOf,
  projectPoint,
  readCamera,
} from '../src/index.ts';

const CAMERA: Camera = {
  width: 1280,
  height: 720,
  focalLength: [1010, 1006],
  principalPoint: [641.5, 352.25],
  distortion: [-0.31, 0.12, 0.0009, -0.0013, -0.02],
  pose: { rotation: [0.1, -0.2, 0.05, Math.sqrt(1 - 0.01 - 0.04 - 0.0025)], translation: [0.1, -0.2, 2] },
};
const POINTS = [
  [0.1, 0.05, 0.2],
  [-0.2, 0.1, -0.1],
  [0.05, 0.3, 0.4],
] as const;
/**
 * Reference pixels by OpenCV's projectPoints with the camera of the fixtures, rvec (0.2, -0.3, 0.1) and tvec (0.1,
 * -0.2, 0.9).
 */
const SEEN_BY_OPENCV = [
  [758.2924461267427, 187.9496478909236],
  [543.6748734134978, 228.04417930676053],
  [638.5401846962196, 361.168888317534],
];

const fixture = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8');

function expectSeen(
  camera: Camera,
  seen: readonly (readonly number[])[],
  points: readonly (readonly number[])[] = POINTS,
): void {
  points.forEach((p, k) => {
    const [x, y] = projectPoint(camera, p as [number, number, number]);
    expect(Math.hypot(x - seen[k][0], y - seen[k][1])).toBeLessThan(1e-6);
  });
}

describe('readCamera', () => {
  it.each(['opencv.yml', 'opencv.xml'])('reads %s, projecting points to the pixels of OpenCV', (name) => {
    const camera = readCamera(fixture(name), { name });
    expect({ width: camera.width, height: camera.height }).toEqual({ width: 1280, height: 720 });
    expectSeen(camera, SEEN_BY_OPENCV);
    // Where the file's world has z upwards, ours has y: (x, y, z) is its (x, -z, y).
    const turned = readCamera(fixture(name), { name, up: 'z' });
    expectSeen(
      turned,
      SEEN_BY_OPENCV,
      POINTS.map(([x, y, z]) => [x, z, -y]),
    );
  });

  it.each(['gradsim', 'opencv', 'ros', 'colmap', 'transforms'] as const)(
    'reads back a camera written as %s, with its pose if the format has poses',
    (format) => {
      const text = formatCamera(CAMERA, format);
      const back = readCamera(text);
      for (const name of ['focalLength', 'principalPoint', 'distortion'] as const)
        back[name].forEach((value, k) => {
          expect(value).toBeCloseTo(CAMERA[name][k], 9);
        });
      expect([back.width, back.height]).toEqual([1280, 720]);
      if (format === 'ros' || format === 'colmap') expect(back.pose).toBeUndefined();
      else
        expectSeen(
          back,
          POINTS.map((p) => projectPoint(CAMERA, p)),
        );
    },
  );

  it("reads camera and pose of a named picture from COLMAP's files; refuses a missing or unknown name", () => {
    const cameras =
      '# Camera list\n# Number of cameras: 2\n1 SIMPLE_RADIAL 640 480 500 320 240 -0.1\n2 PINHOLE 1280 720 1010 1006 640 360\n';
    const images =
      '# Image list\n1 0.9238795325112867 0 0.3826834323650898 0 0.1 0.2 3 2 a/IMG_1.jpg\n10 20 -1 30 40 7\n2 1 0 0 0 0 0 1 1 IMG_2.jpg\n\n';
    const [windows, ...others] = [cameras, images].map((text) => text.replaceAll('\n', '\r\n'));
    expect(readCamera(windows, { images: others[0], picture: 'IMG_1' })).toEqual(
      readCamera(cameras, { images, picture: 'IMG_1' }),
    );
    expect(() => readCamera('1 PINHOLE -4 4 1 1 2 2\n')).toThrowCode({
      code: 'cameras/value-out-of-range',
      values: [-4],
    });
    const camera = readCamera(cameras, { images, picture: 'IMG_1' });
    expect(camera.focalLength).toEqual([1010, 1006]);
    // COLMAP has the middle of the first pixel at 0.5.
    expect(camera.principalPoint).toEqual([639.5, 359.5]);
    // 45 degrees about y: the world's z axis is at (1, 0, 1) / sqrt 2.
    const [x] = projectPoint(camera, [0, 0, 1]);
    expect(x).toBeCloseTo(639.5 + (1010 * (0.1 + Math.SQRT1_2)) / (3 + Math.SQRT1_2), 9);
    const other = readCamera(cameras, { images, picture: 'IMG_2' });
    expect(other.distortion).toEqual([-0.1, 0, 0, 0, 0]);
    expect(() => readCamera(cameras)).toThrowCode({ code: 'cameras/picture-not-named', values: [2] });
    expect(() => readCamera(cameras, { images, picture: 'IMG' })).toThrowCode({
      code: 'cameras/picture-not-named',
      values: ['"IMG"', 2],
    });
  });

  it("reads Blender's transforms.json: a camera at (0, -4, 1), z upwards, is at (0, 1, 4) with y upwards", () => {
    // Camera right is x, up is z, backwards is -y.
    const transform_matrix = [
      [1, 0, 0, 0],
      [0, 0, -1, -4],
      [0, 1, 0, 1],
      [0, 0, 0, 1],
    ];
    const text = JSON.stringify({
      camera_angle_x: 0.6911,
      frames: [{ file_path: './train/r_0', transform_matrix }],
    });
    const camera = readCamera(text, { width: 800, height: 800 });
    const f = 400 / Math.tan(0.6911 / 2);
    // y upwards: (x, y, z) of Blender is (x, z, -y) here. Where it is, and a point half a metre above, and 1 m right.
    cameraPosition(camera.pose!).forEach((c, k) => {
      expect(c).toBeCloseTo([0, 1, 4][k], 9);
    });
    const [x, y] = projectPoint(camera, [1, 1.5, 0]);
    expect(x).toBeCloseTo(399.5 + f / 4, 6);
    expect(y).toBeCloseTo(399.5 - (0.5 * f) / 4, 6);
    expect(() => readCamera(text)).toThrowCode({
      code: 'cameras/size-missing',
      values: ['does not say how large the pictures are (w, h)'],
    });
  });

  it.each([
    ['an ordinary text', 'hello', 'cameras/not-a-camera'],
    ['JSON of something else', '{"a": 1}', { code: 'cameras/not-a-camera', values: ['JSON'] }],
    ['JSON that is broken', '{"a"', { code: 'cameras/file-invalid', values: ['JSON'] }],
    [
      'a misspelt entry of a gradsim camera',
      '{"format": "gradsim camera 1", "focallength": [1, 1]}',
      { code: 'cameras/unknown-entry', values: ['"focallength"'] },
    ],
    ['YAML without a matrix', 'image_width: 3\n', { code: 'cameras/entry-missing', values: ['camera_matrix'] }],
    [
      'no size',
      'camera_matrix: {data: [1,0,2,0,1,2,0,0,1]}\n',
      { code: 'cameras/size-missing', values: ['Give width and height'] },
    ],
    ['skew', 'camera_matrix: {data: [1,0.1,2,0,1,2,0,0,1]}\n', { code: 'cameras/model-not-supported', values: [0.1] }],
    [
      'a rational model',
      'image_width: 4\nimage_height: 4\nK: [1,0,2,0,1,2,0,0,1]\nD: [0,0,0,0,0,0.3,0,0]\n',
      { code: 'cameras/model-not-supported', values: [6, 0.3] },
    ],
    [
      'a fisheye',
      'image_width: 4\nimage_height: 4\ncamera_matrix: {data: [1,0,2,0,1,2,0,0,1]}\ndistortion_model: equidistant\n',
      { code: 'cameras/model-not-supported', values: ['equidistant'] },
    ],
    [
      'a model of COLMAP that is not known',
      '1 OPENCV_FISHEYE 4 4 1 1 2 2 0 0 0 0\n',
      { code: 'cameras/model-not-supported', values: ['OPENCV_FISHEYE'] },
    ],
    [
      'a focal length of 0',
      'image_width: 4\nimage_height: 4\nK: [0,0,2,0,1,2,0,0,1]\n',
      { code: 'cameras/value-out-of-range', values: ['(0, 1)', 'focalLength'] },
    ],
    ['a document type', '<!DOCTYPE a><a/>', { code: 'cameras/file-invalid', values: ['a document type is refused'] }],
  ])('refuses %s', (_, text, expected) => {
    expect(() => readCamera(text)).toThrowCode(expected);
  });
});

it('a camera for a cropped and halved picture projects to the corresponding pixels; crops outside are refused', () => {
  const region = { x: 200, y: 100, width: 800, height: 600 };
  const small = cameraFor(CAMERA, { region, size: { width: 400, height: 300 } });
  for (const p of POINTS) {
    const [x, y] = projectPoint(CAMERA, p);
    const [u, v] = projectPoint(small, p);
    expect(u + 0.5).toBeCloseTo((x + 0.5 - 200) / 2, 9);
    expect(v + 0.5).toBeCloseTo((y + 0.5 - 100) / 2, 9);
  }
  expect(() => cameraFor(CAMERA, { region: { ...region, x: 600 } })).toThrowCode('cameras/region-outside');
  expect(() => fittedTo(CAMERA, { width: 640, height: 480 })).toThrowCode('cameras/other-shape');
});

it('a length in metres between two pixels determines metres per pixel and how far its plane is from the camera', () => {
  const lens = {
    ...CAMERA,
    pose: undefined,
    distortion: [0, 0, 0, 0, 0] as const,
    focalLength: [1000, 1000] as const,
  };
  const camera = cameraOfLength(
    lens,
    [
      [400, 300],
      [900, 300],
    ],
    0.5,
  );
  expect(camera.metresPerPixel).toBeCloseTo(0.001, 12);
  expect(camera.pose.translation[2]).toBeCloseTo(1, 12);
  const [left, right] = [-0.1, 0.2].map((x) => projectPoint(camera, [x, 0.1, 0]));
  expect(right[0] - left[0]).toBeCloseTo(300, 9);
  // The middle of the picture is the origin; up is up.
  expect(projectPoint(camera, [0, 0, 0])[0]).toBeCloseTo(639.5, 9);
  expect(left[1]).toBeCloseTo(359.5 - 100, 9);
  expect(pixelOf(lens, [0, 0])[0]).toBe(641.5);
  expect(() =>
    cameraOfLength(
      lens,
      [
        [400, 300],
        [400, 300],
      ],
      0.5,
    ),
  ).toThrowCode('cameras/length-too-short');
});

describe('readCamera refuses', () => {
  const matrices = (more: string): string =>
    `image_width: 4\nimage_height: 4\ncamera_matrix: {data: [1,0,2,0,1,2,0,0,1]}\n${more}`;
  const own = (more: object): string =>
    JSON.stringify({
      format: 'gradsim camera 1',
      width: 4,
      height: 4,
      focalLength: [1, 1],
      principalPoint: [2, 2],
      ...more,
    });
  const transforms = (matrix: unknown, more: object = {}): string =>
    JSON.stringify({ w: 4, h: 4, fl_x: 1, frames: [{ file_path: 'a', transform_matrix: matrix }], ...more });
  const turned = (...rows: number[][]): string => transforms([...rows.map((row, k) => [...row, k]), [0, 0, 0, 1]]);
  const colmap = '1 PINHOLE 4 4 1 1 2 2\n';

  it.each([
    ['R = 0', matrices('R: [0,0,0,0,0,0,0,0,0]\nT: [0,0,1]'), { code: 'cameras/not-a-rotation', values: [0, 1, 'R'] }],
    ['mirror R', matrices('R: [1,0,0,0,1,0,0,0,-1]\nT: [0,0,1]'), { code: 'cameras/not-a-rotation', values: [0, -1] }],
    [
      'a rotation matrix whose rows are not orthogonal',
      matrices('R: [1,0,0,0.6,0.8,0,0,0,1]\nT: [0,0,1]'),
      { code: 'cameras/not-a-rotation', values: [1, 2] },
    ],
    [
      'a frame with a rotation matrix of zeros',
      turned([0, 0, 0], [0, 0, 0], [0, 0, 0]),
      { code: 'cameras/not-a-rotation', values: ['transform_matrix', 1, 0] },
    ],
    [
      'a frame with a rotation matrix that mirrors',
      turned([1, 0, 0], [0, 1, 0], [0, 0, -1]),
      { code: 'cameras/not-a-rotation', values: ['transform_matrix'] },
    ],
    [
      'a frame whose transform_matrix has one row',
      transforms([[1, 0, 0, 0]]),
      { code: 'cameras/file-invalid', values: ['transform_matrix', '1, 0, 0, 0'] },
    ],
    ['a frame that is null', transforms([], { frames: [null] }), { code: 'cameras/file-invalid', values: [1, 'null'] }],
    [
      'a quaternion of zeros',
      own({ pose: { rotation: [0, 0, 0, 0], translation: [0, 0, 1] } }),
      { code: 'cameras/value-out-of-range', values: ['pose.rotation', 0] },
    ],
    [
      'a quaternion of length 2',
      own({ pose: { rotation: [2, 0, 0, 0], translation: [0, 0, 1] } }),
      { code: 'cameras/value-out-of-range', values: ['pose.rotation', 2, 0] },
    ],
    [
      'a pose that is true',
      own({ pose: true }),
      { code: 'cameras/value-out-of-range', values: ['pose is true. It must be a rotation and a translation'] },
    ],
    ['a pose that is ""', own({ pose: '' }), { code: 'cameras/value-out-of-range', values: ['pose is . It must be'] }],
    ['a pose that is null', own({ pose: null }), { code: 'cameras/value-out-of-range', values: ['null'] }],
    [
      'metresPerPixel that is true',
      own({ metresPerPixel: true }),
      { code: 'cameras/file-invalid', values: ['metresPerPixel', 'true'] },
    ],
    [
      'a calibration whose rms is null',
      own({ calibration: { rms: null, views: 3, standardErrors: {} } }),
      { code: 'cameras/file-invalid', values: ['null', 'rms'] },
    ],
    [
      'a focal length that is a word',
      own({ focalLength: 'ab' }),
      { code: 'cameras/value-out-of-range', values: ['focalLength'] },
    ],
    [
      'a width that is true',
      matrices('').replace('width: 4', 'width: true'),
      { code: 'cameras/file-invalid', values: ['image_width'] },
    ],
    [
      'a width that is null',
      matrices('').replace('width: 4', 'width: null'),
      { code: 'cameras/file-invalid', values: ['image_width', 'null'] },
    ],
    [
      'a width that is ""',
      matrices('').replace('width: 4', 'width: ""'),
      { code: 'cameras/file-invalid', values: ['""', 'image_width'] },
    ],
    ['a coefficient that is null', matrices('D: [0.1, null]'), { code: 'cameras/file-invalid', values: [2, 'null'] }],
    ['a coefficient that is true', matrices('D: [true]'), { code: 'cameras/file-invalid', values: [1] }],
    ['a coefficient that is ""', matrices('D: [""]'), { code: 'cameras/file-invalid', values: ['""', 1] }],
    [
      'no data in XML',
      '<o><camera_matrix><data></data></camera_matrix></o>',
      { code: 'cameras/file-invalid', values: [0, 'camera_matrix'] },
    ],
    [
      'a transposed camera matrix',
      matrices('').replace('1,0,2,0,1,2,0,0,1', '1,0,0,0,1,0,2,2,1'),
      { code: 'cameras/file-invalid', values: ['camera_matrix', 1, 0, 2] },
    ],
    [
      'a distortion term that is null',
      transforms(
        [
          [1, 0, 0, 0],
          [0, 1, 0, 0],
          [0, 0, 1, 0],
          [0, 0, 0, 1],
        ],
        { k1: null },
      ),
      { code: 'cameras/file-invalid', values: ['k1', 'null'] },
    ],
    ['a rotation without a translation', matrices('rvec: [0,0,0]'), { code: 'cameras/half-pose', values: ['rvec'] }],
    ['a YAML name given twice', matrices('D: [0.1]\nD: [0.2]'), { code: 'cameras/file-invalid', values: ['D'] }],
    [
      'a bracket in YAML that is not closed',
      matrices('D: [0.1'),
      { code: 'cameras/file-invalid', values: [': this is no YAML'] },
    ],
    [
      '5,000 nested lists in YAML',
      matrices(`a: ${'['.repeat(5_000)}`),
      { code: 'cameras/file-invalid', values: ['nested too deep'] },
    ],
    [
      '1,200 lists in each other in YAML, closed again, of which the stack of a process would end',
      matrices(`a: ${'['.repeat(1_200)}${']'.repeat(1_200)}`),
      { code: 'cameras/file-invalid', values: ['nested too deep'] },
    ],
    [
      '1,200 lists in each other in YAML, by hyphens',
      matrices(`${'- '.repeat(1_200)}1`),
      { code: 'cameras/file-invalid', values: ['nested too deep'] },
    ],
    [
      '12,000 mappings in one line of YAML',
      matrices('a: '.repeat(12_000)),
      { code: 'cameras/file-invalid', values: ['this is no YAML'] },
    ],
    [
      'YAML of more than 500,000 characters',
      matrices('# \n'.repeat(200_000)),
      { code: 'cameras/file-invalid', values: [500000, 'YAML', /6000\d\d/] },
    ],
  ])('%s', (_, text, expected) => {
    expect(() => readCamera(text)).toThrowCode(expected);
  });

  it('YAML whose nested aliases expand exponentially, or with more than 100 aliases', () => {
    const levels = Array.from(
      { length: 12 },
      (_, k) => `a${k}: &a${k} [${k === 0 ? '1' : `*a${k - 1}${`, *a${k - 1}`.repeat(7)}`}]`,
    );
    expect(() => readCamera(matrices(levels.join('\n')))).toThrowCode({
      code: 'cameras/file-invalid',
      values: ['cannot be read: Excessive alias count'],
    });
    const many = matrices(`a: &a 1\nb: [${'*a, '.repeat(200)}1]`);
    expect(() => readCamera(many)).toThrowCode({ code: 'cameras/file-invalid', values: [200, 100] });
  });

  it.each([
    ['0 0 0 0 1 2 3', { code: 'cameras/not-a-rotation', values: ['the pose of p.png', '0, 0, 0, 0'] }],
    ['2 0 0 0 1 2 3', { code: 'cameras/not-a-rotation', values: [2, 1] }],
    ['1 0 0 x 1 2 3', { code: 'cameras/file-invalid', values: ['"x"', 'p.png', 'QZ'] }],
  ])('a pose of COLMAP (qw qx qy qz tx ty tz): %s', (pose, expected) => {
    expect(() => readCamera(colmap, { images: `1 ${pose} 1 p.png\n\n`, picture: 'p.png' })).toThrowCode(expected);
  });

  it('400,000 characters of blanks, letters or numbers as not a camera, within a minute', () => {
    for (const text of ['\n'.repeat(400_000), 'a'.repeat(400_000), `${' '.repeat(400_000)}a`, '1 '.repeat(200_000)])
      expect(() => readCamera(`-${text}`)).toThrowCode('cameras/not-a-camera');
  }, 60_000);
});

describe('readCamera reads', () => {
  it('numbers written as strings, after a byte order mark, and YAML aliases', () => {
    const text =
      '\uFEFFimage_width: "1280"\nimage_height: "720"\ncamera_matrix: {data: [&f "1010", 0, 641.5, 0, *f, 352.25, 0, 0, 1]}\n';
    const camera = readCamera(text);
    expect([camera.width, camera.height, ...camera.focalLength]).toEqual([1280, 720, 1010, 1010]);
  });

  it('a rotation matrix of three digits, as a unit quaternion', () => {
    const text = `image_width: 4\nimage_height: 4\nK: [1,0,2,0,1,2,0,0,1]\nR: [0.866,-0.5,0,0.5,0.866,0,0,0,1]\nT: [0,0,1]\n`;
    const { pose } = readCamera(text);
    expect(Math.hypot(...pose!.rotation)).toBeCloseTo(1, 12);
    expect(pose!.rotation[2]).toBeCloseTo(Math.sin(Math.PI / 12), 4);
  });
});

describe('what robots and their tools print', () => {
  const numbers = {
    k: [610, 0, 322.5, 0, 611, 239.5, 0, 0, 1],
    d: [0.11, -0.22, 0.001, -0.002, 0.05],
    r: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  };
  const expected = {
    width: 640,
    height: 480,
    focalLength: [610, 611],
    principalPoint: [322.5, 239.5],
    distortion: numbers.d,
  };
  const inline = (of: readonly number[]): string => `[${of.join(', ')}]`;
  const list = (of: readonly number[]): string => of.map((x) => `\n- ${x}`).join('');
  const echo = (names: 'upper' | 'lower', roi = 0, bins = 0): string => {
    const written = names === 'upper' ? inline : list;
    const entries = Object.entries(numbers).map(
      ([name, of]) => `${names === 'upper' ? name.toUpperCase() : name}: ${written(of)}`,
    );
    return `header: \n  frame_id: "cam"\nheight: 480\nwidth: 640\ndistortion_model: "plumb_bob"\n${entries.join('\n')}\nbinning_x: ${bins}\nroi: \n  height: ${roi}\n  width: ${roi}\n---\n`;
  };
  it.each(['upper', 'lower'] as const)('reads messages of topic echo, names in %s case, one or many', (names) => {
    for (const text of [echo(names), `---\n${echo(names)}`, echo(names).repeat(3), echo(names).repeat(9000)])
      expect(readCamera(text)).toMatchObject(expected);
    expect(readCamera(echo(names)).pose).toBeUndefined();
  });

  it('refuses messages of a part of the picture, or of fewer pixels', () => {
    for (const text of [echo('upper', 100), echo('lower', 0, 2)])
      expect(() => readCamera(text)).toThrowCode('cameras/model-not-supported');
  });

  it('reads the chain of one camera of Kalibr, and refuses several, and other models', () => {
    const camera = (k: number, model = 'radtan'): string =>
      `cam${k}:\n  camera_model: pinhole\n  distortion_model: ${model}\n  distortion_coeffs: [0.11, -0.22, 0.001, -0.002]\n  intrinsics: [610, 611, 322.5, 239.5]\n  resolution: [640, 480]\n  rostopic: /cam${k}/image_raw\n`;
    expect(readCamera(camera(0))).toMatchObject({ ...expected, distortion: [0.11, -0.22, 0.001, -0.002, 0] });
    expect(() => readCamera(camera(0) + camera(1))).toThrowCode({
      code: 'cameras/file-invalid',
      values: ['cam0, cam1'],
    });
    expect(() => readCamera(camera(0, 'equidistant'))).toThrowCode('cameras/model-not-supported');
  });
});
