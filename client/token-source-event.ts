import { type TokenKey } from '../contract/token-key';
import { type TokenUnavailableCode } from './token-unavailable-error';

/** What happens behind the callers' backs. Holds nothing secret, and is fit for logs and metrics. */
export type TokenSourceEvent =
  /** The token is served on while a better one is looked for. */
  | { readonly type: 'renewing'; readonly key: TokenKey; readonly lifeLeftSec: number }
  /** That search failed; the token is served on. */
  | {
      readonly type: 'renewal_failed';
      readonly key: TokenKey;
      readonly lifeLeftSec: number;
      readonly code: TokenUnavailableCode;
      readonly message: string;
    }
  /** A token that this process did not have before is served from now on. */
  | { readonly type: 'token_changed'; readonly key: TokenKey; readonly expiresAt: string }
  /** A token was reported as refused by the platform; it is not served again. */
  | { readonly type: 'token_refused'; readonly key: TokenKey };
