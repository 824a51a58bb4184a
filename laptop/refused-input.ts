import { HostError } from 'cdk-on-loopback';

/** The error for a field of a configuration or an assembly that a run cannot use. */
export function refused(file: string, field: string, found: string, allowed: string): HostError {
  return unusable(file, `${field}: found ${found}; allowed: ${allowed}`);
}

/** The error for a whole file that a run cannot use. */
export function unusable(file: string, reason: string): HostError {
  return new HostError('configuration_unreadable', `${file} cannot be used:\n  ${reason}`);
}
