import { randomBytes } from 'node:crypto';

import { findCanaries, formsOf } from './canaries';

/** Contains characters that every encoding writes differently. */
const VALUE = `${randomBytes(9).toString('base64url')}"/ü+& =`;
const canary = { name: 'canary', value: VALUE };

describe('the search for canaries', () => {
  const found = (text: string) => findCanaries([canary], [{ place: 'here', text }]);

  it.each<[string, (value: string) => string]>([
    ['as it is', (value) => `key ${value}.`],
    ['cut after 10 characters', (value) => `Unexpected token, "${value.slice(0, 10)}"... is not valid JSON`],
    ['in JSON', (value) => JSON.stringify({ value })],
    ['in JSON within a JSON log line', (value) => JSON.stringify({ body: JSON.stringify({ value }) })],
    ['in JSON of ASCII', (value) => JSON.stringify({ value }).replaceAll('ü', '\\u00fc')],
    ['in hexadecimal digits', (value) => `id-${Buffer.from(value).toString('hex')}`],
    ['in an id of 24 hexadecimal digits', (value) => Buffer.from(value).toString('hex').slice(0, 24)],
    ['in HTML', (value) => `<td>${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</td>`],
    ['backwards', (value) => [...value].reverse().join('')],
    ['in a path', (value) => `/contents/${encodeURIComponent(value)}/restore`],
    ['in a form', (value) => new URLSearchParams({ grant: 'a b', value }).toString()],
    ...['', 'a', 'ab', 'abc', 'tenant:'].flatMap((before) =>
      (['base64', 'base64url'] as const).map(
        (encoding) =>
          [
            `in ${encoding} after "${before}"`,
            (value: string) => Buffer.from(`${before}${value}:after`).toString(encoding),
          ] as [string, (value: string) => string],
      ),
    ),
  ])('finds one %s', (_, write) => {
    expect(found(write(VALUE))).toEqual([expect.objectContaining({ canary: 'canary', place: 'here' })]);
    expect(found(write('something else that is as long'))).toEqual([]);
  });

  it('ignores encoded forms that are too short to be unique', () => {
    const lengths = [...formsOf(VALUE).values()].map(({ length }) => length);

    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(8);
  });
});
