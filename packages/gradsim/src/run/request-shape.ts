import { anyText, list, object, oneOf, optional, problemOf, record, text, whole } from '../shape.ts';

const file = object({ file: text, sha256: text });

const REQUEST = object({
  format: oneOf(1),
  request: object({
    experiment: text,
    video: optional(text),
    seed: optional(whole(0)),
    iterations: optional(whole(1)),
    starts: optional(whole(1)),
    from: optional(text),
    intervals: optional(oneOf('profile', 'bootstrap')),
    verify: optional(oneOf(true)),
    settings: record(anyText),
    others: optional(list(text)),
    shared: optional(list(text)),
  }),
  from: text,
  device: text,
  threads: optional(whole(1)),
  experiment: file,
  modules: list(file),
  video: optional(file),
  files: optional(list(file)),
  versions: record(anyText),
});

/** Reason why a value is not a request of a run; undefined if it is one. */
export const problemOfRequest = (value: unknown): string | undefined => problemOf(value, REQUEST);
