/** Cell of a line of CSV (RFC 4180): in quotes where its text needs them, or `always`. */
export const csvCell = (text: string, always = false): string =>
  always || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
