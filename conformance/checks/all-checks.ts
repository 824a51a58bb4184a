import { type Check } from '../check';
import { ACTING_USER_CHECKS } from './acting-user';
import { ADDRESS_CHECKS } from './addresses';
import { API_KEY_CHECKS } from './api-keys';
import { BASIC_AUTHENTICATION_CHECKS } from './basic-authentication';
import { CONTENT_OPERATION_CHECKS } from './content-operations';
import { CONTENT_RECORD_CHECKS } from './content-record';
import { ERROR_CHECKS } from './errors';
import { ITEM_CHECKS } from './items';
import { LIFECYCLE_CHECKS } from './lifecycle';
import { RESTORE_CHECKS } from './restore';
import { SCOPE_CHECKS } from './scopes';
import { SECRECY_CHECKS } from './secrecy';
import { TOKEN_CHECKS } from './tokens';
import { TRANSPORT_CHECKS } from './transport';
import { VERSIONING_CHECKS } from './versioning';
import { WEBHOOKS_CHECKS } from './webhooks';

/** Every check, in the order in which they are run. Their names are unique. */
export const ALL_CHECKS: readonly Check[] = [
  ...TRANSPORT_CHECKS,
  ...TOKEN_CHECKS,
  ...ADDRESS_CHECKS,
  ...BASIC_AUTHENTICATION_CHECKS,
  ...SCOPE_CHECKS,
  ...SECRECY_CHECKS,
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
