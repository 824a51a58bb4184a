import { type Probe } from '../probe';
import { createdDate } from './created-date';
import { organizationPolicy } from './organization-policy';
import { replicatedWithoutValue } from './replicated-without-value';
import { secretWithoutVersion } from './secret-without-version';
import { tokenWithOtherValue } from './token-with-other-value';
import { undeclaredTags } from './undeclared-tags';
import { unlabeledVersion } from './unlabeled-version';
import { versionLimit } from './version-limit';

export const STORE_PROBES: readonly Probe[] = [
  secretWithoutVersion,
  replicatedWithoutValue,
  tokenWithOtherValue,
  unlabeledVersion,
  versionLimit,
  createdDate,
  organizationPolicy,
  undeclaredTags,
];
