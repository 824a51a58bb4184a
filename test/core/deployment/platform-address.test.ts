import fc from 'fast-check';

import { addressFault, normalizeAddress, showAddress } from '../../../core/deployment/platform-address';
import { HOSTILE_ADDRESSES } from '../../support/lib/hostile-addresses';

describe('an address of the platform', () => {
  const rows = Object.entries(HOSTILE_ADDRESSES).flatMap(([kind, urls]) =>
    urls.map((url) => [kind, url] as const),
  );

  it.each(rows)('is refused with %s: %j', (_, url) => {
    expect(addressFault(url, false)).toEqual(expect.any(String));
  });

  it.each([
    ['https://api.platform.example/rest/v1', 'https://api.platform.example/rest/v1'],
    ['https://API.Platform.example/Rest', 'https://api.platform.example/Rest'],
    ['HTTPS://api.platform.example', 'https://api.platform.example'],
    ['https://xn--pltform-8wa.example/a-b_c.d~e', 'https://xn--pltform-8wa.example/a-b_c.d~e'],
    ['https://1.2.3.4.platform.example', 'https://1.2.3.4.platform.example'],
  ])('%s is accepted and used as %s', (url, used) => {
    expect(addressFault(url, false)).toBeUndefined();
    expect(normalizeAddress(url)).toBe(used);
  });

  it('means the same to the parser as to a reader, whatever text is accepted', () => {
    const piece = fc.constantFrom(
      ...['https', 'http', ':', '/', '//', '\\', '@', '.', '..', '?', '#', '%2e', '%00', ' ', '\t', '\0'],
      ...['a', 'B', 'api.platform.example', 'localhost', '127.1', '0x7f', '[::1]', ':443', '443', 'rest'],
      ...['\u00ad', 'ä', '。'],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 9 }).map((pieces) => `https://${pieces.join('')}`),
      fc.array(piece, { maxLength: 9 }).map((pieces) => `https://api.platform.example${pieces.join('')}`),
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join('')),
      fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true, withFragments: true }),
    );
    let accepted = 0;

    fc.assert(
      fc.property(text, (address) => {
        if (addressFault(address, false) !== undefined) return;
        accepted++;
        const url = new URL(address);
        expect(address).toMatch(/^https:\/\//i);
        expect(url).toMatchObject({
          protocol: 'https:',
          username: '',
          password: '',
          port: '',
          search: '',
          hash: '',
        });
        expect(url.hostname).toMatch(/^([a-z0-9-]+\.)+[a-z0-9-]*[a-z-][a-z0-9-]*$/);
        // Exactly as written, except for case in the host and a trailing slash.
        const [, host, path] = /^https:\/\/([^/]*)(.*)$/i.exec(address)!;
        expect(`${url.hostname}${url.pathname}`).toBe(`${host!.toLowerCase()}${path === '' ? '/' : path!}`);
      }),
      { numRuns: 5000 },
    );
    expect(accepted).toBeGreaterThan(50);
  });
});

describe('an address in a configuration marked local', () => {
  it.each([
    'https://127.0.0.1:8443/staging/global/auth',
    'https://localhost:8443',
    'https://[::1]:8443/auth',
  ])('%s is accepted', (url) => expect(addressFault(url, true)).toBeUndefined());

  it.each([
    'https://api.platform.example',
    'https://127.0.0.2:8443',
    'https://0.0.0.0:8443',
    'https://[::ffff:127.0.0.1]:8443',
    'https://api.localhost:8443',
    'https://localhost.:8443',
    'http://127.0.0.1:8443',
    'https://user:password@127.0.0.1:8443',
    'https://127.0.0.1/auth',
    'https://localhost:443',
  ])('%s is refused', (url) => expect(addressFault(url, true)).toEqual(expect.any(String)));
});

describe('showAddress', () => {
  it.each([
    'https:/user:pass-word@api.platform.example',
    'https:\\\\user:pass-word@api.platform.example',
    'https://user:pass-word/x@api.platform.example',
    'https://user:x@pass-word@api.platform.example',
    'user:pass-word@api.platform.example',
    'https://api.platform.example/#access_token=pass-word',
    'https://api.platform.example?a=b@pass-word',
    'https://user:pass-word?x@api.platform.example',
    'https://user:pass-word\n@api.platform.example',
  ])('leaves out what could be a password: %j', (address) => {
    expect(showAddress(address)).not.toContain('pass-word');
  });

  it('shows an address without them unchanged', () => {
    expect(showAddress('http://api.platform.example:80/rest')).toBe('http://api.platform.example:80/rest');
  });
});
