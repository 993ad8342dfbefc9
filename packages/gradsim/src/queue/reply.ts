/** True for an error of reading a job that others have written to: broken JSON, or values of other types. */
export const isOfContent = (error: unknown): boolean =>
  error instanceof SyntaxError || error instanceof TypeError || /^WRONGTYPE/.test(messageOf(error));

/** True for an error that the server itself replied, such as `OOM command not allowed`. */
export const isReply = (error: unknown): boolean => /^[A-Z]{3,} /.test(messageOf(error));

/**
 * First sentence of an error; after it, the message is about the script that BullMQ runs on the server. Of a reply that no
 * Redis gives, BullMQ makes errors of JavaScript, which say nothing to people.
 */
export const replyOf = (error: unknown): string => {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
    return 'its replies are not those of Redis';
  const [sentence] = messageOf(error).split(/\. | script: /);
  return sentence.replace(/\.$/, '') || 'it does not say why';
};

const messageOf = (error: unknown): string => String((error as Error | undefined)?.message ?? error);
