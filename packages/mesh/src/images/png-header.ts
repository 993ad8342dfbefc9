import { GradsimError } from '@gradsim/base';

/** Maximum number of output bytes per input byte of deflate. */
const MAX_EXPANSION = 1032;

/**
 * Refuses a PNG without a header, or whose header declares more pixels than the file can hold, for which a decoder
 * would allocate memory.
 *
 * @param checkSize called first with width and height; throws to refuse them.
 */
export function checkPngHeader(bytes: Uint8Array, checkSize?: (width: number, height: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || String.fromCharCode(...bytes.subarray(12, 16)) !== 'IHDR')
    throw new GradsimError('mesh/image-damaged', 'The PNG has no header.');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  checkSize?.(width, height);
  // The smallest pixels have one bit.
  if (height * (1 + Math.ceil(width / 8)) > MAX_EXPANSION * bytes.length)
    throw new GradsimError(
      'mesh/image-damaged',
      `The header says ${width} x ${height} pixels, which ${bytes.length} bytes cannot hold.`,
    );
}
