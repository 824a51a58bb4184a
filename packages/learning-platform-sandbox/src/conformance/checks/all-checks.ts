import { type Check } from '../check';
import { ACTING_USER_CHECKS } from './acting-user-checks';
import { API_KEY_CHECKS } from './api-keys-checks';
import { BASIC_AUTHENTICATION_CHECKS } from './basic-authentication-checks';
import { CONTENT_OPERATION_CHECKS } from './content-operations-checks';
import { CONTENT_RECORD_CHECKS } from './content-record-checks';
import { ERROR_CHECKS } from './errors-checks';
import { ITEM_CHECKS } from './items-checks';
import { LIFECYCLE_CHECKS } from './lifecycle-checks';
import { RESTORE_CHECKS } from './restore-checks';
import { SCOPE_CHECKS } from './scopes-checks';
import { TOKEN_CHECKS } from './tokens-checks';
import { TRANSPORT_CHECKS } from './transport-checks';
import { VERSIONING_CHECKS } from './versioning-checks';
import { WEBHOOKS_CHECKS } from './webhooks-checks';

/** All checks, in the order in which they run. Names are unique. */
export const ALL_CHECKS: readonly Check[] = [
  ...TRANSPORT_CHECKS,
  ...TOKEN_CHECKS,
  ...BASIC_AUTHENTICATION_CHECKS,
  ...SCOPE_CHECKS,
  ...WEBHOOKS_CHECKS,
  ...API_KEY_CHECKS,
  ...CONTENT_OPERATION_CHECKS,
  ...CONTENT_RECORD_CHECKS,
  ...ITEM_CHECKS,
  ...LIFECYCLE_CHECKS,
  ...ACTING_USER_CHECKS,
  ...RESTORE_CHECKS,
  ...ERROR_CHECKS,
  ...VERSIONING_CHECKS,
];
