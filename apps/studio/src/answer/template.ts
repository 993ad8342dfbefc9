import { defaultText } from '../form/texts.ts';
import { kindOf } from '../kinds.ts';
import { readSession, type Session, sessionText } from './session.ts';

/** Part of an address behind which a template stands: its kind, then texts of fields. It never leaves the device. */
const MARK = 'template';

/** Address that opens the studio with a kind and with texts of its fields: a teacher's template for a class. */
export function templateLink({ kind, fields }: Omit<Session, 'film'>): string {
  const { measures } = kindOf(kind);
  // An emptied field that has a default, such as gravity that is to be found, is no empty one.
  const filled = Object.entries(fields).filter(
    ([name, text]) => text !== (measures[name] ? defaultText(measures[name]) : ''),
  );
  const here = new URL(location.href);
  here.searchParams.delete('film');
  here.hash = new URLSearchParams([[MARK, kind], ...filled]).toString();
  return here.href;
}

/** Template of the page's address; undefined if it has none. @throws for one that is wrong. */
export function templateHere(): Session | undefined {
  const { [MARK]: kind, ...fields } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  return kind === undefined ? undefined : readSession(sessionText({ film: '', kind, fields }));
}
