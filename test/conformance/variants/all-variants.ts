import { type Variant } from '../variant';
import { ACTING_USER_VARIANTS } from './acting-user';
import { ADDRESS_VARIANTS } from './addresses';
import { API_KEY_VARIANTS } from './api-keys';
import { BASIC_AUTHENTICATION_VARIANTS } from './basic-authentication';
import { CONTENT_OPERATION_VARIANTS } from './content-operations';
import { CONTENT_RECORD_VARIANTS } from './content-record';
import { ERROR_VARIANTS } from './errors';
import { ITEM_VARIANTS } from './items';
import { LIFECYCLE_VARIANTS } from './lifecycle';
import { RESTORE_VARIANTS } from './restore';
import { SCOPE_VARIANTS } from './scopes';
import { SECRECY_VARIANTS } from './secrecy';
import { TOKEN_VARIANTS } from './tokens';
import { TRANSPORT_VARIANTS } from './transport';
import { VERSIONING_VARIANTS } from './versioning';
import { WEBHOOKS_VARIANTS } from './webhooks';

/** Every variant: at least one for each clause that a check shows. */
export const ALL_VARIANTS: readonly Variant[] = [
  ...TRANSPORT_VARIANTS,
  ...TOKEN_VARIANTS,
  ...ADDRESS_VARIANTS,
  ...BASIC_AUTHENTICATION_VARIANTS,
  ...SCOPE_VARIANTS,
  ...SECRECY_VARIANTS,
  ...WEBHOOKS_VARIANTS,
  ...API_KEY_VARIANTS,
  ...CONTENT_OPERATION_VARIANTS,
  ...CONTENT_RECORD_VARIANTS,
  ...ITEM_VARIANTS,
  ...LIFECYCLE_VARIANTS,
  ...ACTING_USER_VARIANTS,
  ...RESTORE_VARIANTS,
  ...ERROR_VARIANTS,
  ...VERSIONING_VARIANTS,
];
