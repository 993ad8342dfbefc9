export type { PngRows, PngShape } from '@gradsim/mesh/images';
export { encodePngRows } from '@gradsim/mesh/images';
export { backgroundSteps, medianBackground } from './background/background.ts';
export { colourDistance } from './background/departure.ts';
export { cropFrames } from './edit/crop.ts';
export { cutFrames, type FrameRange } from './edit/cut.ts';
export { averageInstants } from './edit/exposure.ts';
export { resizeFrames, type Size } from './edit/resize.ts';
export {
  cameraShifts,
  type Shift,
  type ShiftOptions,
  shiftSteps,
  stabiliseFrames,
  stabiliseSteps,
} from './edit/stabilise.ts';
export { turnFrames } from './edit/turn.ts';
export { regionBeforeTurn } from './edit/turned-back.ts';
export { encodePng, type PngOptions } from './formats/png.ts';
export { fromLinear, type Transfer, toLinear } from './frames/color.ts';
export {
  type Channels,
  checkFrames,
  createFrames,
  type FrameRequirements,
  type Frames,
  frameAt,
  frameCount,
  frameLength,
  pictureInRegion,
  regionAt,
  requireFrames,
  timeOf,
  valuesInRegion,
} from './frames/frames.ts';
export { fillHoles, patchesOf } from './frames/patches.ts';
export type { Region } from './frames/region.ts';
export type { QuarterTurn } from './frames/upright.ts';
export { coverageMasks, coverageSteps } from './masks/coverage.ts';
export { type MaskOptions, type ObjectMasks, objectMaskSteps, objectMasks } from './masks/mask.ts';
export { outlinesOf } from './masks/outline.ts';
export { changeMasks, masksOf } from './masks/write-part.ts';
export { type MovingFilm, type MovingOptions, readMoving, readOverview } from './moving/moving.ts';
export { filmFiles } from './read/files.ts';
export { inspectFilm, prepareDecoder } from './read/open.ts';
export { type ReadOptions, readFrames } from './read/read.ts';
export type { FilmInfo } from './source/footage.ts';
export type { FileLike, FilmSource } from './source/material.ts';
export { type Stamps, stampsOf } from './source/stamps.ts';
export { runSteps, runStepsWithPauses, type WorkSteps } from './steps.ts';
export { type Blob2D, type BlobOptions, findBlobs } from './tracks/blobs.ts';
export { type CornerOptions, trackCorners } from './tracks/corners.ts';
export { formatTracks, type ReadTracksOptions, readTracks } from './tracks/csv.ts';
export { type Track, type TrackOptions, type TrackPoint, trackBlobs, trackSteps } from './tracks/track.ts';
export type { VideoOptions } from './write/video.ts';
export {
  type EncodeOptions,
  encodeFrames,
  type FilmFormat,
  type WriteOptions,
  writeFrames,
} from './write/write.ts';
