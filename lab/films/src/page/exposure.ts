import type { WebGLRenderer } from 'three';
import { FloatType, NearestFilter, WebGLRenderTarget } from 'three';
import type { Shot } from '../shot.ts';
import type { Studio } from './studio.ts';

/** Rectangle of pixels; x from the left and y from the bottom edge. */
interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Margin around moving objects that is rendered again in every frame, px: the reach of soft shadows. */
const BLUR_RADIUS = 8;

/**
 * A sensor without noise: averages linear light over instants of the exposure, subpixel positions and points of the
 * lamp.
 */
export class Exposure {
  readonly #renderer: WebGLRenderer;
  readonly #studio: Studio;
  readonly #target: WebGLRenderTarget;
  readonly #shot: Shot;
  /** Picture of the scene without actors; regions that actors and their shadows do not reach are copied from it. */
  readonly #still: Float32Array;

  constructor(renderer: WebGLRenderer, studio: Studio, shot: Shot) {
    const { width, height } = shot.camera;
    this.#renderer = renderer;
    this.#studio = studio;
    this.#shot = shot;
    this.#target = new WebGLRenderTarget(width, height, {
      type: FloatType,
      magFilter: NearestFilter,
      minFilter: NearestFilter,
    });
    this.#target.scissorTest = true;
    this.#still = new Float32Array(4 * width * height);
    this.#expose(null, { x: 0, y: 0, width, height }, this.#still);
  }

  /** Returns red, green, blue and 1 for every pixel, rows from the bottom; null gives the empty scene. */
  take(frame: number | null): Float32Array {
    const light = Float32Array.from(this.#still);
    if (frame !== null) {
      const changed = this.#changed(frame);
      if (changed.width > 0 && changed.height > 0) this.#expose(frame, changed, light);
    }
    return light;
  }

  /** Renders a rectangle at all instants and writes the mean into `light`. */
  #expose(frame: number | null, part: Rectangle, light: Float32Array): void {
    const { instants, camera } = this.#shot;
    const { x, y, width, height } = part;
    const drawn = new Float32Array(4 * width * height);
    const sum = new Float32Array(4 * width * height);
    this.#target.scissor.set(x, y, width, height);
    for (let instant = 0; instant < instants; instant++) {
      this.#studio.act(frame, instant);
      this.#studio.aim([vanDerCorput(instant, 2) - 0.5, vanDerCorput(instant, 3) - 0.5], this.#subpixel(instant));
      this.#renderer.setRenderTarget(this.#target);
      this.#renderer.render(this.#studio.scene, this.#studio.camera);
      this.#renderer.readRenderTargetPixels(this.#target, x, y, width, height, drawn);
      for (let k = 0; k < sum.length; k++) sum[k] += drawn[k] / instants;
    }
    for (let row = 0; row < height; row++) {
      const from = 4 * width * row;
      light.set(sum.subarray(from, from + 4 * width), 4 * ((y + row) * camera.width + x));
    }
  }

  /**
   * Subpixel offset of an instant; the mean over all instants is the pixel's centre, and the order is unrelated to
   * time.
   */
  #subpixel(instant: number): number[] {
    const { instants } = this.#shot;
    const middle = (base: number): number => {
      const all = Array.from({ length: instants }, (_, k) => vanDerCorput(k, base));
      return all.reduce((sum, value) => sum + value / instants, 0);
    };
    return [5, 7].map((base) => vanDerCorput(instant, base) - middle(base));
  }

  /** Rectangle that actors and their shadows cover in a frame, with a margin. */
  #changed(frame: number): Rectangle {
    const { width, height } = this.#shot.camera;
    const points = Array.from({ length: this.#shot.instants }, (_, instant) => {
      this.#studio.act(frame, instant);
      return this.#studio.bounds();
    }).flat();
    const range = (values: readonly number[], size: number): [number, number] => {
      const pixels = values.map((value) => ((value + 1) / 2) * size);
      const from = Math.max(Math.floor(Math.min(...pixels)) - BLUR_RADIUS, 0);
      return [from, Math.min(Math.ceil(Math.max(...pixels)) + BLUR_RADIUS, size) - from];
    };
    const [x, across] = range(
      points.map((point) => point.x),
      width,
    );
    const [y, up] = range(
      points.map((point) => point.y),
      height,
    );
    return { x, y, width: across, height: up };
  }
}

/** Van der Corput's low-discrepancy sequence in [0, 1): the digits of the index in reversed order. */
function vanDerCorput(index: number, base: number): number {
  let value = 0;
  let part = 1 / base;
  for (let rest = index + 1; rest > 0; rest = Math.floor(rest / base)) {
    value += (rest % base) * part;
    part /= base;
  }
  return value;
}
