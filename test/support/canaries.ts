/** A value that must not be seen anywhere, and what it is. */
export interface Canary {
  name: string;
  /** At least 16 characters, the first 8 of which occur nowhere else. */
  value: string;
}

/** A text that somebody may see, and where. */
export interface VisibleText {
  place: string;
  text: string;
}

/** A canary that was seen. */
export interface Sighting {
  canary: string;
  place: string;
  form: string;
}

/**
 * Every form in which a value may appear in a text, by its name.
 * Messages of JSON.parse, among others, quote only the beginning of what they could not read.
 */
export function formsOf(value: string): ReadonlyMap<string, string> {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inUrl = encodeURIComponent(value);
  return new Map([
    ['raw', value],
    ['the beginning', value.slice(0, 8)],
    ['JSON', inJson],
    ['JSON within JSON', JSON.stringify(inJson).slice(1, -1)],
    ['JSON of ASCII', inJson.replaceAll(/[^\x20-\x7e]/g, unicodeEscape)],
    ['URL-encoded', inUrl],
    ['URL-encoded in lower case', inUrl.replaceAll(/%../g, (escape) => escape.toLowerCase())],
    ['form-encoded', new URLSearchParams({ v: value }).toString().slice(2)],
    ...(['base64', 'base64url'] as const).flatMap((encoding) =>
      [0, 1, 2].map(
        (offset) => [`${encoding} at offset ${offset}`, encodedAt(offset, value, encoding)] as const,
      ),
    ),
  ]);
}

/** Every canary in every text in which it is, once each, in the first form that was found. */
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
 * The characters that a value always comes to within the Base64 of a longer text, when that many bytes (modulo 3) come
 * before it. The characters at its edges depend on the neighbours, and are left out.
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
