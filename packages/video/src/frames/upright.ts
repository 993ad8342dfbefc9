/** Clockwise rotation by which a stored picture becomes upright, in degrees. */
export type QuarterTurn = 0 | 90 | 180 | 270;

/**
 * Linear map from an upright pixel (x, y) to its position in the stored picture: `column = columnAt + x * columnByX + y
 * * columnByY`, `row` likewise.
 */
export interface StoredPosition {
  columnAt: number;
  columnByX: number;
  columnByY: number;
  rowAt: number;
  rowByX: number;
  rowByY: number;
}

/**
 * Returns the map from upright pixels to a picture stored as `width` x `height` pixels with a clockwise rotation tag,
 * after which it is mirrored left to right if `isMirrored`.
 */
export function storedPosition(
  rotation: QuarterTurn,
  width: number,
  height: number,
  isMirrored = false,
): StoredPosition {
  const turned = turnedPosition(rotation, width, height);
  if (!isMirrored) return turned;
  const last = (rotation % 180 === 0 ? width : height) - 1;
  return {
    ...turned,
    columnAt: turned.columnAt + last * turned.columnByX,
    columnByX: -turned.columnByX,
    rowAt: turned.rowAt + last * turned.rowByX,
    rowByX: -turned.rowByX,
  };
}

function turnedPosition(rotation: QuarterTurn, width: number, height: number): StoredPosition {
  const at = (c: number, cx: number, cy: number, r: number, rx: number, ry: number): StoredPosition => ({
    columnAt: c,
    columnByX: cx,
    columnByY: cy,
    rowAt: r,
    rowByX: rx,
    rowByY: ry,
  });
  if (rotation === 90) return at(0, 0, 1, height - 1, -1, 0);
  if (rotation === 180) return at(width - 1, -1, 0, height - 1, 0, -1);
  if (rotation === 270) return at(width - 1, 0, -1, 0, 1, 0);
  return at(0, 1, 0, 0, 0, 1);
}
