import fc from 'fast-check';

import { type TokenKey } from '../../contract/token-key';

/** Keys of any text, so that separators in a field show. */
export const anyTokenKey = fc.record({
  environment: fc.string(),
  platformRegion: fc.string(),
  tenantId: fc.string(),
  interface: fc.string(),
  scope: fc.string(),
}) as fc.Arbitrary<TokenKey>;
