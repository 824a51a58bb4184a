import { type Probe } from '../probe';
import { deniedParameter } from './denied-parameter';
import { describeMissingSecret } from './describe-missing-secret';
import { frozenProcess } from './frozen-process';
import { keyThroughSecretsManager } from './key-through-secrets-manager';

export const FUNCTIONS_PROBES: readonly Probe[] = [
  describeMissingSecret,
  deniedParameter,
  keyThroughSecretsManager,
  frozenProcess,
];
