import { readMarkers } from '@gradsim/recordings/markers';
import { describe, expect, it } from 'vitest';

interface Written {
  readonly markers: readonly string[];
  readonly frames: readonly (readonly (readonly number[] | null)[])[];
  readonly rate: number;
  readonly units: string;
  /** Above 0: whole numbers of that many units; below: numbers of 32 bits. */
  readonly scale: number;
  readonly order?: 'intel' | 'mips' | 'dec';
}

/** A C3D file, by the format's description: header, parameters, points with a residual each. */
function c3d({ markers, frames, rate, units, scale, order = 'intel' }: Written): Uint8Array {
  const bytes = new Uint8Array(512 * 40);
  const view = new DataView(bytes.buffer);
  const little = order !== 'mips';
  const float = (at: number, value: number): void => {
    if (order !== 'dec') {
      view.setFloat32(at, value, little);
      return;
    }
    const own = new DataView(new ArrayBuffer(4));
    own.setFloat32(0, value * 4);
    const bits = value === 0 ? 0 : own.getUint32(0);
    view.setUint16(at, bits >>> 16, true);
    view.setUint16(at + 2, bits & 0xffff, true);
  };
  bytes.set([2, 0x50]);
  view.setUint16(2, markers.length, little);
  view.setUint16(6, 1, little);
  view.setUint16(8, frames.length, little);
  float(12, scale);
  view.setUint16(16, 4, little);
  float(20, rate);
  bytes.set([0, 0, 2, { intel: 84, dec: 85, mips: 86 }[order]], 512);
  let at = 516;
  const put = (id: number, name: string, body: (at: number) => number): void => {
    bytes[at] = name.length;
    view.setInt8(at + 1, id);
    for (let k = 0; k < name.length; k++) bytes[at + 2 + k] = name.charCodeAt(k);
    const next = at + 2 + name.length;
    const end = body(next + 2);
    view.setUint16(next, end - next, little);
    at = end;
  };
  const text = (name: string, texts: readonly string[]): void => {
    const width = Math.max(...texts.map(({ length }) => length)) + 2;
    put(1, name, (p) => {
      view.setInt8(p, -1);
      bytes.set([2, width, texts.length], p + 1);
      texts.forEach((own, t) => {
        for (let k = 0; k < width; k++) bytes[p + 4 + t * width + k] = own.padEnd(width).charCodeAt(k);
      });
      bytes[p + 4 + texts.length * width] = 0;
      return p + 5 + texts.length * width;
    });
  };
  put(-1, 'POINT', (p) => p + 1);
  text('LABELS', markers);
  text('UNITS', [units]);
  put(1, 'RATE', (p) => {
    bytes.set([4, 0], p);
    float(p + 2, rate);
    return p + 7;
  });
  at = 512 * 3;
  for (const frame of frames)
    for (const place of frame) {
      const [x, y, z] = place ?? [0, 0, 0];
      const residual = place ? 0 : -1;
      if (scale < 0) {
        [x, y, z, residual].forEach((value, k) => float(at + 4 * k, value));
        at += 16;
      } else {
        [x, y, z].forEach((value, k) => view.setInt16(at + 2 * k, Math.round(value / scale), little));
        view.setInt16(at + 6, residual, little);
        at += 8;
      }
    }
  return bytes.slice(0, Math.max(at, 512 * 3 + 1));
}

const frames = [
  [
    [100, 200, 300],
    [-50.5, 0, 12.25],
  ],
  [[101, 200, 300], null],
  [
    [102, 200, 300],
    [-50.5, 1, 12.25],
  ],
];

describe('C3D', () => {
  it.each([
    ['intel', -1],
    ['mips', -1],
    ['dec', -1],
    ['intel', 0.05],
    ['mips', 0.05],
  ] as const)('is read: order of bytes %s, scale %d', (order, scale) => {
    const bytes = c3d({ markers: ['subject:tip', 'side'], frames, rate: 120, units: 'mm', scale, order });
    const { markers, frameRate, positions, readingNotes, frames: count } = readMarkers(bytes, { name: 'a.c3d' });
    expect([markers, frameRate, count]).toEqual([['tip', 'side'], 120, 3]);
    expect(readingNotes).toBe('C3D; x y z in mm; 120 frames a second');
    const expected = frames
      .flat()
      .flatMap((place) => place?.map((x) => x / 1000) ?? [Number.NaN, Number.NaN, Number.NaN]);
    expected.forEach((x, k) => {
      if (Number.isNaN(x)) expect(positions[k]).toBeNaN();
      else expect(Math.abs(positions[k] - x)).toBeLessThan(scale < 0 ? 1e-7 : 3e-5);
    });
  });

  it('is refused when it is cut short, or in no unit of length', () => {
    const bytes = c3d({ markers: ['a', 'b'], frames, rate: 120, units: 'mm', scale: -1 });
    expect(() => readMarkers(bytes.slice(0, -20), { name: 'a.c3d' })).toThrowCode('markers/file-damaged');
    const volts = c3d({ markers: ['a', 'b'], frames, rate: 120, units: 'V', scale: -1 });
    expect(() => readMarkers(volts)).toThrowCode('tables/unit-unknown');
  });
});
