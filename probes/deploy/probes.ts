import { type Probe } from '../probe';
import { executionPolicy } from './execution-policy';
import { policiesOnlyUpdate } from './policies-only-update';
import { privateApiKeepsId } from './private-api-keeps-id';
import { revertDrift } from './revert-drift';
import { usagePlanOfOthers } from './usage-plan-of-others';

export const DEPLOY_PROBES: readonly Probe[] = [
  usagePlanOfOthers,
  privateApiKeepsId,
  policiesOnlyUpdate,
  executionPolicy,
  revertDrift,
];
