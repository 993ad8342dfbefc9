export type { PngRows, PngShape } from '@gradsim/mesh/images';
export { encodePngRows } from '@gradsim/mesh/images';
export { medianBackground, medianSteps } from './background.ts';
export { type Blob2D, type BlobOptions, findBlobs } from './blobs.ts';
export { fromLinear, type Transfer, toLinear } from './color.ts';
export { type CornerOptions, trackCorners } from './corners.ts';
export { coverageMasks, coverageSteps } from './coverage.ts';
export { cropFrames } from './crop.ts';
export { cutFrames, type FrameRange } from './cut.ts';
export { colourDistance } from './departure.ts';
export type { VideoOptions } from './encode-video.ts';

export { averageInstants } from './exposure.ts';
export { filmFiles } from './files.ts';
export type { FilmInfo } from './footage.ts';
export {
  type Channels,
  checkFrames,
  createFrames,
  type FrameRequirements,
  type Frames,
  frameAt,
  frameCount,
  frameLength,
  partAt,
  regionAt,
  requireFrames,
  timeOf,
} from './frames.ts';
export { type MaskOptions, type ObjectMasks, objectMaskSteps, objectMasks } from './mask.ts';
export type { FileLike, FilmSource } from './material.ts';
export { type MovingFilm, type MovingOptions, readMoving, readOverview } from './moving.ts';
export { inspectFilm, prepareDecoder } from './open.ts';
export { outlinesOf } from './outline.ts';
export { patchesOf, withoutHoles } from './patches.ts';
export { encodePng, type PngOptions } from './png.ts';
export { type ReadOptions, readFrames } from './read.ts';
export type { Region } from './region.ts';
export { resizeFrames, type Size } from './resize.ts';
export {
  cameraShifts,
  type Shift,
  type ShiftOptions,
  shiftSteps,
  stabiliseFrames,
  stabiliseSteps,
} from './stabilise.ts';
export { type Stamps, stampsOf } from './stamps.ts';
export { atOnce, type Steps, withPauses } from './steps.ts';
export { type Track, type TrackOptions, type TrackPoint, trackBlobs, trackSteps } from './track.ts';
export { formatTracks, type ReadTracksOptions, readTracks } from './tracks-csv.ts';
export { turnFrames } from './turn.ts';
export { turnedBack } from './turned.ts';
export type { Rotation } from './upright.ts';
export {
  type EncodeOptions,
  encodeFrames,
  type FilmFormat,
  type WriteOptions,
  writeFrames,
} from './write.ts';
export { changeMasks, masksOf } from './write-part.ts';
