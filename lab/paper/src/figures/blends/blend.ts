import type { Device, FieldKey, Model } from '@gradsim/core';
import { recordOf } from '@gradsim/core';
import type { FilmTimeline } from '@gradsim/film';
import { layoutOf, Pixel, toRows } from '@gradsim/render';
import { encodePngRows } from '@gradsim/video';

/** Number of moments that a blend shows, evenly spaced from the first frame to the last. */
const BLENDED_MOMENTS = 7;
/** Colours of the first and last moment, red, green, blue, 0 to 1; those between are mixed. */
const EARLY_COLOUR = [0.16, 0.44, 0.92];
const LATE_COLOUR = [0.93, 0.35, 0.1];
const BACKGROUND = 0.97;
/** Enlargement of a picture, so that pixels stay sharp where pages scale it. */
const ENLARGEMENT = 3;

/**
 * Films a model, and blends moments of it into one picture, coloured by time. Returns a PNG as a data URL.
 *
 * @param count number of moments; of 1 it is the last.
 */
export async function blendOf(
  model: Model,
  timeline: FilmTimeline,
  values: Readonly<Record<string, ArrayLike<number>>>,
  device: Device,
  count = BLENDED_MOMENTS,
): Promise<string> {
  const rgba = await recordOf(model, Pixel.rgba, { device, ...timeline, values, onWarning: () => {} });
  const layout = layoutOf(model);
  const { width, height } = layout;
  const rows = toRows(layout, rgba, 4);
  const shown = new Float64Array(3 * width * height).fill(BACKGROUND);
  const moments = Math.min(count, timeline.frames);
  for (let moment = 0; moment < moments; moment++) {
    const time = moments === 1 ? 1 : moment / (moments - 1);
    const from = Math.round(time * (timeline.frames - 1)) * 4 * width * height;
    for (let pixel = 0; pixel < width * height; pixel++) {
      const [red, green, blue, alpha] = rows.subarray(from + 4 * pixel, from + 4 * pixel + 4);
      const light = 0.45 + 0.55 * Math.min((red + green + blue) / 3, 1);
      for (let c = 0; c < 3; c++) {
        const color = light * (EARLY_COLOUR[c] + time * (LATE_COLOUR[c] - EARLY_COLOUR[c]));
        shown[3 * pixel + c] += 0.85 * Math.min(Math.max(alpha, 0), 1) * (color - shown[3 * pixel + c]);
      }
    }
  }
  const row = 3 * width * ENLARGEMENT;
  const bytes = Uint8Array.from({ length: row * height * ENLARGEMENT }, (_, k) => {
    const y = Math.floor(k / row / ENLARGEMENT);
    const x = Math.floor((k % row) / 3 / ENLARGEMENT);
    return Math.round(255 * shown[3 * (y * width + x) + (k % 3)]);
  });
  const png = await encodePngRows({ width: width * ENLARGEMENT, height: height * ENLARGEMENT, channels: 3 }, [bytes]);
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}

/** The same value for all elements of a field, by the name under which a run takes it. */
export function filled(model: Model, field: FieldKey, value: number): [name: string, values: Float64Array] {
  const { key, domain, components } = model.field(field);
  return [key, new Float64Array(model.domain(domain).size * components).fill(value)];
}
