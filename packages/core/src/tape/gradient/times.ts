/** Formats a factor with two digits. */
export const times = (factor: number): string => {
  if (!Number.isFinite(factor)) return 'by more than can be computed';
  const value = Number(factor.toPrecision(factor < 10 ? 3 : 2));
  return `${value >= 1e4 ? value.toExponential() : value} times`;
};
