import { type Probe } from '../probe';
import { permissionWithWildcard } from './permission-with-wildcard';
import { rotateAsConfigured } from './rotate-as-configured';
import { rotationInvocation } from './rotation-invocation';
import { scheduleExpression } from './schedule-expression';
import { scheduleUpdateDuringRotation } from './schedule-update-during-rotation';
import { scheduleWithoutRules } from './schedule-without-rules';
import { scheduleWithoutVersion } from './schedule-without-version';

export const ROTATION_PROBES: readonly Probe[] = [
  scheduleWithoutVersion,
  scheduleWithoutRules,
  scheduleExpression,
  scheduleUpdateDuringRotation,
  permissionWithWildcard,
  rotationInvocation,
  rotateAsConfigured,
];
