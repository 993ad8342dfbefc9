import { expect, it } from 'vitest';
import { TiledFrames } from '../../src/frames/tiled.ts';
import { frameAt, frameCount, regionAt, valuesInRegion } from '../../src/index.ts';

const SHAPE = { width: 7, height: 5, channels: 1 as const, frameRate: 10, levels: 255 as const };

it('TiledFrames shows the common picture where no tile is stored, in whole frames, regions and data', () => {
  const behind = Float32Array.from({ length: 35 }, (_, p) => p / 51);
  const film = new TiledFrames({ ...SHAPE, count: 3, tile: 4 }, behind);
  // The lower right tile is 3 x 1 pixels large; what lies beyond the picture is ignored.
  film.store(1, Uint32Array.of(3), new Uint8Array(16).fill(255));
  expect(frameCount(film)).toBe(3);
  expect([...frameAt(film, 0)]).toEqual([...behind]);
  const shown = behind.slice();
  shown.fill(1, 4 * 7 + 4);
  expect([...frameAt(film, 1)]).toEqual([...shown]);
  expect([...valuesInRegion(film, 1, { x: 3, y: 3, width: 3, height: 2 })]).toEqual([
    ...shown.slice(24, 27),
    ...shown.slice(31, 34),
  ]);
  expect([...film.data]).toEqual([...behind, ...shown, ...behind]);
  expect([0, 1].map((frame) => regionAt(film, frame))).toEqual([undefined, { x: 4, y: 4, width: 3, height: 1 }]);
  expect(() => frameAt(film, 3)).toThrowCode('video/no-such-frame');
});

it('TiledFrames stores only the tiles in which a region differs, to half of 1 / 255', () => {
  const film = new TiledFrames({ ...SHAPE, count: 2, tile: 2 }, new Float32Array(35));
  const values = Float32Array.from({ length: 12 }, (_, k) => (k === 5 ? 0.337 : 0));
  film.storeRegion(0, { x: 1, y: 1, width: 4, height: 3 }, values);
  expect(film.byteLength).toBe(4);
  expect(frameAt(film, 0).filter((value) => value !== 0)).toHaveLength(1);
  expect(Math.abs(frameAt(film, 0)[2 * 7 + 2] - 0.337)).toBeLessThan(0.5 / 255);
  expect(film.withoutTiles().byteLength).toBe(0);
});
