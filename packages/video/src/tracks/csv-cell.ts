/** Formats one cell of CSV, with quotes where needed. */
export const csvCell = (value: string | number | undefined): string =>
  /["\n\r,]/.test(String(value ?? '')) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? '');
