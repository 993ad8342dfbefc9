// Makes fall.gif, a film of known truth: a ball of radius 0.1 m that is thrown and falls by 9.81 m/s^2, 3 m before a camera
// with a field of view of 40 degrees. Film your own in its place.
import { writeFileSync } from 'node:fs';
import { createFrames, encodeFrames, frameAt } from 'gradsim/video';

const [SIZE, RATE, COUNT] = [160, 30, 12];
const [RADIUS, GRAVITY, DISTANCE] = [0.1, 9.81, 3];
/** Focal length, px. */
const FOCAL = SIZE / 2 / Math.tan((20 * Math.PI) / 180);

/** Stored value (sRGB) of linear light. @param {number} value */
const stored = (value) => (value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055);

const frames = createFrames({ width: SIZE, height: SIZE, channels: 3, frameRate: RATE }, COUNT);
for (let k = 0; k < COUNT; k++) {
  const t = k / RATE;
  const middle = [-0.4 + 1.5 * t, 0.6 + 0.5 * t - (GRAVITY / 2) * t ** 2, -DISTANCE];
  const frame = frameAt(frames, k);
  for (let p = 0; p < SIZE * SIZE; p++) {
    // Distance of the pixel's ray from the middle of the ball, in pixels at its depth.
    const ray = [((p % SIZE) + 0.5 - SIZE / 2) / FOCAL, (SIZE / 2 - Math.floor(p / SIZE) - 0.5) / FOCAL, -1];
    const along = (ray[0] * middle[0] + ray[1] * middle[1] + ray[2] * middle[2]) / Math.hypot(...ray) ** 2;
    const away = Math.hypot(...middle.map((value, axis) => value - along * ray[axis]));
    const covered = Math.min(Math.max(((RADIUS - away) * FOCAL) / DISTANCE + 0.5, 0), 1);
    [0.02, 0.04, 0.8].forEach((blue, channel) => {
      frame[3 * p + channel] = stored(covered * blue + (1 - covered) * (0.3 + 0.1 * Math.sin(p / 1900)));
    });
  }
}
writeFileSync('fall.gif', await encodeFrames(frames, 'gif'));
