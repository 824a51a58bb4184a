import { sha256Hex } from '../../../core/secrets/sha256';

describe('sha256Hex', () => {
  test('is taken over the UTF-8 bytes', () => {
    expect(sha256Hex('é')).toBe('4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c');
  });
});
