import { type Probe } from '../probe';
import { auditedDenials } from './audited-denials';
import { auditedReads } from './audited-reads';
import { createdDate } from './created-date';
import { dateHeader } from './date-header';
import { eventPatternWildcards } from './event-pattern-wildcards';
import { keyChange } from './key-change';
import { missingSecret } from './missing-secret';
import { organizationPolicy } from './organization-policy';
import { putWithKey } from './put-with-key';
import { replicatedWithoutValue } from './replicated-without-value';
import { retainExceptOnCreate } from './retain-except-on-create';
import { secretWithoutVersion } from './secret-without-version';
import { tokenWithOtherValue } from './token-with-other-value';
import { undeclaredTags } from './undeclared-tags';
import { unlabeledVersion } from './unlabeled-version';
import { versionLimit } from './version-limit';

export const STORE_PROBES: readonly Probe[] = [
  secretWithoutVersion,
  replicatedWithoutValue,
  missingSecret,
  tokenWithOtherValue,
  unlabeledVersion,
  versionLimit,
  createdDate,
  dateHeader,
  putWithKey,
  organizationPolicy,
  keyChange,
  undeclaredTags,
  retainExceptOnCreate,
  eventPatternWildcards,
  auditedReads,
  auditedDenials,
];
