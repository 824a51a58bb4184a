import { type Violation, violationsIn } from '../violation';
import { ACTING_USER_VIOLATIONS } from './acting-user';
import { API_KEY_VIOLATIONS } from './api-keys';
import { BASIC_AUTHENTICATION_VIOLATIONS } from './basic-authentication';
import { CONTENT_OPERATION_VIOLATIONS } from './content-operations';
import { CONTENT_RECORD_VIOLATIONS } from './content-record';
import { ERROR_VIOLATIONS } from './errors';
import { ITEM_VIOLATIONS } from './items';
import { LIFECYCLE_VIOLATIONS } from './lifecycle';
import { RESTORE_VIOLATIONS } from './restore';
import { SCOPE_VIOLATIONS } from './scopes';
import { TOKEN_VIOLATIONS } from './tokens';
import { TRANSPORT_VIOLATIONS } from './transport';
import { VERSIONING_VIOLATIONS } from './versioning';
import { WEBHOOKS_VIOLATIONS } from './webhooks';

/** Every violation: at least one for each clause that a check shows. */
export const ALL_VIOLATIONS: readonly Violation[] = [
  TRANSPORT_VIOLATIONS,
  TOKEN_VIOLATIONS,
  BASIC_AUTHENTICATION_VIOLATIONS,
  SCOPE_VIOLATIONS,
  WEBHOOKS_VIOLATIONS,
  API_KEY_VIOLATIONS,
  CONTENT_OPERATION_VIOLATIONS,
  CONTENT_RECORD_VIOLATIONS,
  ITEM_VIOLATIONS,
  LIFECYCLE_VIOLATIONS,
  ACTING_USER_VIOLATIONS,
  RESTORE_VIOLATIONS,
  ERROR_VIOLATIONS,
  VERSIONING_VIOLATIONS,
].flatMap(violationsIn);
