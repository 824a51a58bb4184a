/** A value that must not be visible anywhere, with its description. */
export interface Canary {
  name: string;
  /** At least 16 characters; the first 8 must not occur elsewhere. */
  value: string;
}

/** A text that others may see, and where. */
export interface VisibleText {
  place: string;
  text: string;
}

/** A canary found in a visible text. */
export interface Sighting {
  canary: string;
  place: string;
  form: string;
}

const HTML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * All forms in which a value may appear in a text, by name. Some have only the value's beginning, since messages such as
 * those of JSON.parse quote no more, and an id has no room for more.
 */
export function formsOf(value: string): ReadonlyMap<string, string> {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inUrl = encodeURIComponent(value);
  const beginning = value.slice(0, 8);
  const hexadecimal = Buffer.from(beginning).toString('hex');
  return new Map([
    ['raw', value],
    ['the beginning', beginning],
    ['JSON', inJson],
    ['JSON within JSON', JSON.stringify(inJson).slice(1, -1)],
    ['JSON of ASCII', inJson.replaceAll(/[^\x20-\x7e]/g, unicodeEscape)],
    ['URL-encoded', inUrl],
    ['URL-encoded in lower case', inUrl.replaceAll(/%../g, (escape) => escape.toLowerCase())],
    ['form-encoded', new URLSearchParams({ v: value }).toString().slice(2)],
    ['HTML', value.replaceAll(/[&<>"']/g, (character) => HTML_ESCAPES[character]!)],
    ['hexadecimal', hexadecimal],
    ['hexadecimal in upper case', hexadecimal.toUpperCase()],
    ['reversed', [...value].reverse().join('')],
    ...(['base64', 'base64url'] as const).flatMap((encoding) =>
      [0, 1, 2].map(
        (offset) => [`${encoding} at offset ${offset}`, encodedAt(offset, value, encoding)] as const,
      ),
    ),
  ]);
}

/** Finds every canary in every text, reported once per text in the first form found. */
export function findCanaries(canaries: readonly Canary[], texts: readonly VisibleText[]): Sighting[] {
  return canaries.flatMap(({ name, value }) => {
    const forms = [...formsOf(value)];
    return texts.flatMap(({ place, text }) => {
      const found = forms.find(([, form]) => text.includes(form));
      return found === undefined ? [] : [{ canary: name, place, form: found[0] }];
    });
  });
}

/**
 * The part of the Base64 encoding that does not depend on the value's neighbors, when it follows `offset`
 * bytes (modulo 3). Characters at the edges are left out.
 * @see RFC 4648, section 4
 */
function encodedAt(offset: number, value: string, encoding: 'base64' | 'base64url'): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((bytes.length * 8) / 6);
  return bytes.toString(encoding).slice(first, end);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
