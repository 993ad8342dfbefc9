import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

/** Link that opens the studio with what is entered, to be copied. */
export function Template({ linkOf }: { readonly linkOf: () => string }): JSX.Element {
  const [link, setLink] = useState('');
  return (
    <details class="template">
      <summary>A link for your class</summary>
      <p class="what">
        It opens this page with the kind of motion and all that is entered here, but no film. Whoever has it drops a
        film of their own.
      </p>
      <button
        type="button"
        onClick={() => {
          const next = linkOf();
          setLink(next);
          void navigator.clipboard?.writeText(next).catch(() => {});
        }}
      >
        {link === '' ? 'Copy the link' : 'Copied'}
      </button>
      {link !== '' && (
        <input
          type="text"
          readOnly
          value={link}
          aria-label="The link"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
    </details>
  );
}
