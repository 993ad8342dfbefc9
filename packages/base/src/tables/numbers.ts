/** A number as programs write it, with a decimal point. */
const POINT_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$/;
/** The same with a decimal comma. */
const COMMA_NUMBER = /^[+-]?(?:\d+,?\d*|,\d+)(?:[eEdD][+-]?\d+)?$/;
/** What programs write where there is no value. */
const ABSENT_VALUE = /^(?:|[+-]?nan(?:\(ind\))?|na|n\/a)$/i;

/** True for an empty cell and for one that says that there is no value. */
export const isAbsent = (cell: string): boolean => ABSENT_VALUE.test(cell);

/** True for a number with a decimal comma or point, or without decimals. */
export const looksNumeric = (cell: string): boolean => {
  const plain = plainSigns(cell);
  return POINT_NUMBER.test(plain) || COMMA_NUMBER.test(plain);
};

/** True for a number that has a decimal comma. */
export const hasComma = (cell: string): boolean => cell.includes(',') && COMMA_NUMBER.test(plainSigns(cell));

/** True for a number that has a decimal point. */
export const hasPoint = (cell: string): boolean => cell.includes('.') && POINT_NUMBER.test(plainSigns(cell));

/** Number of a cell, or NaN for what is none. */
export function numberOf(cell: string, decimalComma: boolean): number {
  const plain = plainSigns(cell);
  if (!(decimalComma ? COMMA_NUMBER : POINT_NUMBER).test(plain)) return Number.NaN;
  return Number(plain.replace(',', '.').replace(/[dD]/, 'e'));
}

/** Word processors write a minus sign (U+2212) for a hyphen. */
const plainSigns = (cell: string): string => (cell.charCodeAt(0) === 0x2212 ? `-${cell.slice(1)}` : cell);
