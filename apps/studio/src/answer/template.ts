import { readSession, type Session, sessionText } from './session.ts';

/** Part of an address behind which a template stands; it never leaves the device. */
const MARK = '#template=';

/** Address that opens the studio with a kind and with texts of its fields: a teacher's template for a class. */
export function templateLink({ kind, fields }: Omit<Session, 'film'>): string {
  const filled = Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== ''));
  const text = sessionText({ film: '', kind, fields: filled });
  const here = new URL(location.href);
  here.searchParams.delete('film');
  here.hash = '';
  return `${here.href}${MARK}${encodeURIComponent(JSON.stringify(JSON.parse(text)))}`;
}

/** Template of the page's address; undefined if it has none. @throws for one that is wrong. */
export const templateHere = (): Session | undefined =>
  location.hash.startsWith(MARK) ? readSession(decodeURIComponent(location.hash.slice(MARK.length))) : undefined;
