import { sha256Hex } from '../../../core/secrets/sha256';

describe('sha256Hex', () => {
  // FIPS 180-2, appendix B.1 ("abc"); RFC 6234, section 8.5 names the same vector
  test('is the lower-case hex of SHA-256', () => {
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  test('is taken over the UTF-8 bytes', () => {
    expect(sha256Hex('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  });
});
