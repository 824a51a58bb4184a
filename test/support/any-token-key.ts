import fc from 'fast-check';

import { type TokenKey } from '../../core/tokens/token-key';

/** Token keys of arbitrary text, which may contain separators. */
export const anyTokenKey = fc.record({
  environment: fc.string(),
  platformRegion: fc.string(),
  tenantId: fc.string(),
  interface: fc.string(),
  scope: fc.string(),
}) as fc.Arbitrary<TokenKey>;
