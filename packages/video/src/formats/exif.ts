import type { QuarterTurn } from '../frames/upright.ts';

/** Turn of a picture as it is shown, by the tag Orientation of Exif: clockwise, then mirrored left to right. */
const EXIF_ORIENTATIONS: readonly (readonly [QuarterTurn, boolean])[] = [
  [0, false],
  [0, true],
  [180, false],
  [180, true],
  [90, true],
  [90, false],
  [270, true],
  [270, false],
];
/** Markers of a JPEG's segment of applications, in which Exif stands, and of the start of its scan. */
const [APP1, SCAN] = [0xe1, 0xda];
/** The tag Orientation. */
const ORIENTATION_TAG = 0x0112;

/** Returns how a JPEG is shown by its Exif data, upright as it is stored where there are none. */
export function orientationOf(bytes: Uint8Array): { readonly rotation: QuarterTurn; readonly isMirrored: boolean } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== SCAN; ) {
    const length = view.getUint16(at + 2);
    if (bytes[at + 1] === APP1) {
      const segment = new DataView(
        bytes.buffer,
        bytes.byteOffset + at + 4,
        Math.min(length - 2, bytes.length - at - 4),
      );
      const [rotation, isMirrored] = EXIF_ORIENTATIONS[(orientationIn(segment) ?? 1) - 1] ?? EXIF_ORIENTATIONS[0];
      if (rotation !== 0 || isMirrored) return { rotation, isMirrored };
    }
    at += 2 + length;
  }
  return { rotation: 0, isMirrored: false };
}

/** Value of the tag Orientation in a segment of Exif, a TIFF file after six bytes; undefined without one. */
function orientationIn(segment: DataView): number | undefined {
  if (segment.byteLength < 16 || segment.getUint32(0) !== 0x45786966) return undefined;
  const isLittle = segment.getUint16(6) === 0x4949;
  const table = 6 + segment.getUint32(10, isLittle);
  if (table + 2 > segment.byteLength) return undefined;
  const count = segment.getUint16(table, isLittle);
  for (let at = table + 2, k = 0; k < count && at + 12 <= segment.byteLength; at += 12, k++)
    if (segment.getUint16(at, isLittle) === ORIENTATION_TAG) return segment.getUint16(at + 8, isLittle);
  return undefined;
}
