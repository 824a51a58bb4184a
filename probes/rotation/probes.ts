import { type Probe } from '../probe';
import { lastRotatedDate } from './last-rotated-date';
import { pendingAfterSuccess } from './pending-after-success';
import { rotateAsConfigured } from './rotate-as-configured';
import { rotationGivenUp } from './rotation-given-up';

export const ROTATION_PROBES: readonly Probe[] = [
  rotateAsConfigured,
  pendingAfterSuccess,
  lastRotatedDate,
  rotationGivenUp,
];
