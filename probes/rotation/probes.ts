import { type Probe } from '../probe';
import { firstValueBesidePending } from './first-value-beside-pending';
import { labelsOnEmptyVersion } from './labels-on-empty-version';
import { lastRotatedDate } from './last-rotated-date';
import { ownLabelDuringRotation } from './own-label-during-rotation';
import { pendingAfterSuccess } from './pending-after-success';
import { permissionWithWildcard } from './permission-with-wildcard';
import { repeatedRotation } from './repeated-rotation';
import { rotateAsConfigured } from './rotate-as-configured';
import { rotationGivenUp } from './rotation-given-up';
import { rotationInvocation } from './rotation-invocation';
import { rotationOfEmptySecret } from './rotation-of-empty-secret';
import { sameTokenTwice } from './same-token-twice';
import { scheduleExpression } from './schedule-expression';
import { scheduleUpdateDuringRotation } from './schedule-update-during-rotation';
import { scheduleWithoutRules } from './schedule-without-rules';
import { scheduleWithoutVersion } from './schedule-without-version';
import { valueByHandDuringRotation } from './value-by-hand-during-rotation';

export const ROTATION_PROBES: readonly Probe[] = [
  scheduleWithoutVersion,
  scheduleWithoutRules,
  scheduleExpression,
  scheduleUpdateDuringRotation,
  permissionWithWildcard,
  rotationInvocation,
  rotateAsConfigured,
  rotationOfEmptySecret,
  firstValueBesidePending,
  labelsOnEmptyVersion,
  ownLabelDuringRotation,
  pendingAfterSuccess,
  lastRotatedDate,
  valueByHandDuringRotation,
  sameTokenTwice,
  rotationGivenUp,
  repeatedRotation,
];
