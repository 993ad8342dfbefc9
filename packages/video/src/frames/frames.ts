import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/base';
import { allocate } from './allocate.ts';
import { copyRegion } from './patches.ts';
import type { Region } from './region.ts';
import type { Channels, Frames } from './shape.ts';
import { TiledFrames } from './tiled.ts';

export type { Channels, Frames };

/** Returns the number of values of one frame: width times height times channels. */
export function frameLength(frames: Pick<Frames, 'width' | 'height' | 'channels'>): number {
  return frames.width * frames.height * frames.channels;
}

/** Returns the number of frames of a film. */
export function frameCount(frames: Frames): number {
  return frames instanceof TiledFrames ? frames.count : frames.data.length / frameLength(frames);
}

/**
 * Returns the time of a frame from that of frame 0, s.
 *
 * @example
 * const seconds = timeOf(film, 12);
 */
export const timeOf = ({ times, frameRate }: Pick<Frames, 'times' | 'frameRate'>, frame: number): number =>
  times ? times[frame] : frame / frameRate;

/**
 * Returns the values of one frame as a view into the film: writing to it changes the film. Of a large film that is
 * stored in tiles it is a copy, and {@link valuesInRegion} is faster.
 *
 * @throws GradsimError when there is no such frame.
 */
export function frameAt(frames: Frames, index: number): Float32Array {
  const count = frameCount(frames);
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    throw new GradsimError(
      'video/no-such-frame',
      `There is no frame ${index}: the film has ${count} frames, 0 to ${count - 1}.`,
    );
  }
  if (frames instanceof TiledFrames) return frames.copyOfRegion(index, wholeRegion(frames));
  const length = frameLength(frames);
  return frames.data.subarray(index * length, (index + 1) * length);
}

/** Region of the whole picture. */
const wholeRegion = ({ width, height }: Pick<Frames, 'width' | 'height'>): Region => ({ x: 0, y: 0, width, height });

/**
 * Returns the values of a region of one frame, to be read only.
 *
 * @throws GradsimError when there is no such frame.
 */
export function valuesInRegion(frames: Frames, index: number, region: Region): Float32Array {
  if (frames instanceof TiledFrames) return frames.copyOfRegion(index, region);
  const picture = frameAt(frames, index);
  const isWhole = region.width === frames.width && region.height === frames.height;
  return isWhole ? picture : copyRegion(picture, frames, region, frames.channels);
}

/** Part of one frame in a region, as a film of its own, to be read only. @throws GradsimError when there is no such frame. */
export function pictureInRegion(frames: Frames, index: number, region: Region): Frames {
  const { channels, frameRate } = frames;
  return {
    width: region.width,
    height: region.height,
    channels,
    frameRate,
    data: valuesInRegion(frames, index, region),
  };
}

/** Returns the region in which a frame of masks can differ from 0; undefined if there is none. */
export function regionAt(frames: Frames, index: number): Region | undefined {
  return frames instanceof TiledFrames ? frames.regionOf(index) : wholeRegion(frames);
}

/**
 * Creates a black film of a given shape. It has `times` if the shape has one for each of its frames.
 *
 * @example
 * const film = createFrames({ width: 64, height: 48, channels: 3, frameRate: 30 }, 60);
 *
 * @throws GradsimError for a size that is not a whole positive number, a frame rate that is not positive, or more
 * values than one array can hold.
 */
export function createFrames(shape: Omit<Frames, 'data'>, count: number): Frames {
  const { width, height, channels, frameRate, times } = shape;
  for (const [name, value] of [
    ['width', width],
    ['height', height],
    ['frame count', count],
  ] as const) {
    if (!Number.isInteger(value) || value < 1) {
      throw new GradsimError(
        'video/option-out-of-range',
        `The ${name} of a film is a whole number of at least 1, not ${value}.`,
      );
    }
  }
  if (channels !== 1 && channels !== 3 && channels !== 4) {
    throw new GradsimError(
      'video/wrong-channels',
      `A film has 1 (grey), 3 (colour) or 4 (colour and alpha) channels, not ${channels}.`,
    );
  }
  if (!(frameRate > 0 && Number.isFinite(frameRate))) {
    throw new GradsimError(
      'video/option-out-of-range',
      `The frame rate of a film (frameRate) is positive, in frames a second, not ${frameRate}.`,
    );
  }
  const data = allocate(width, height, channels, count);
  return { width, height, channels, frameRate, ...(times?.length === count ? { times } : {}), data };
}

/**
 * Checks that a film's array has the length of its shape, and that all values are finite.
 *
 * @param label names the film in the message, such as a file name.
 * @throws GradsimError naming the frame, pixel, channel and value at fault.
 */
export function checkFrames(frames: Frames, label = 'the film'): void {
  // Its values are bytes.
  if (frames instanceof TiledFrames) return;
  const length = frameLength(frames);
  if (frames.data.length === 0 || frames.data.length % length !== 0) {
    throw new GradsimError(
      'video/wrong-size',
      `${label}: ${frames.data.length} values are not a whole number of frames of ${frames.width} x ${frames.height} x ${frames.channels} = ${length} values.`,
    );
  }
  const index = frames.data.findIndex((value) => !Number.isFinite(value));
  if (index >= 0) {
    const pixel = Math.floor((index % length) / frames.channels);
    throw new GradsimError(
      'video/value-out-of-range',
      `${label}: frame ${Math.floor(index / length)}, pixel (${pixel % frames.width}, ${Math.floor(pixel / frames.width)}), channel ${index % frames.channels} is ${frames.data[index]}; every value must be a finite number in [0, 1].`,
    );
  }
}

/** Required shape of a film; properties that are left out are not checked. */
export interface FrameRequirements {
  width?: number;
  height?: number;
  channels?: Channels;
  /** Minimum number of frames. */
  count?: number;
  /** Required frames per second; a relative difference of up to 1 % is accepted. */
  frameRate?: number;
}

/**
 * Checks a film's size, channels, frame rate and minimum number of frames.
 *
 * @example
 * requireFrames(target, { width: 64, height: 64, count: 60, frameRate: 30 }, 'toss.webm');
 *
 * @throws GradsimError naming the film, what was found, what is needed and what to do.
 */
export function requireFrames(frames: Frames, requirements: FrameRequirements, label = 'the film'): void {
  refuseUnknownOptions('requireFrames', requirements, {
    width: true,
    height: true,
    channels: true,
    count: true,
    frameRate: true,
  });
  for (const [name, value] of Object.entries(requirements))
    if (value !== undefined && !(value > 0 && Number.isFinite(value)))
      throw new GradsimError('video/option-out-of-range', `requireFrames: ${name} is ${describeValue(value)}.`, {
        field: name,
        hint: 'It must be a number above 0.',
      });
  checkFrames(frames, label);
  const { width = frames.width, height = frames.height, channels = frames.channels, count = 1 } = requirements;
  if (frames.width !== width || frames.height !== height) {
    throw new GradsimError(
      'video/other-shape',
      `${label} is ${frames.width} x ${frames.height} pixels, but ${width} x ${height} are needed: resize or crop it (readFrames has size and crop), or change the size in the experiment.`,
    );
  }
  if (frames.channels !== channels) {
    throw new GradsimError(
      'video/wrong-channels',
      `${label} has ${frames.channels} channels, but ${channels} are needed.`,
    );
  }
  const { frameRate = frames.frameRate } = requirements;
  if (Math.abs(frames.frameRate / frameRate - 1) > 0.01) {
    const every = frames.frameRate / frameRate;
    const isMultiple = Math.abs(every - Math.round(every)) < 0.01 * every && every > 1;
    throw new GradsimError(
      'video/other-frame-rate',
      `${label} has ${Number(frames.frameRate.toPrecision(5))} frames a second, but ${frameRate} are needed: ${isMultiple ? `take one of every ${Math.round(every)} frames (every: ${Math.round(every)}), or ` : ''}film or convert it at that rate. If the file's clock is wrong, as in slow motion, give the true rate (frameRate).`,
    );
  }
  if (frameCount(frames) < count) {
    throw new GradsimError(
      'video/too-few-frames',
      `${label} has ${frameCount(frames)} frames, but ${count} are needed.`,
      { hint: 'Give a longer video or a shorter experiment.' },
    );
  }
}
