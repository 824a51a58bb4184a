import { type SandboxFault } from '../sandbox-control';
import { type FaultView } from './console-state';

/** A fault as the page tells it. */
export function faultView({ target, match, times, ...fault }: SandboxFault): FaultView {
  return {
    target,
    effect: effectOf(fault),
    ...(times !== undefined && { times }),
    ...(match && { place: placeOf(match) }),
  };
}

function placeOf({
  environment,
  platformRegion,
  tenantId,
}: NonNullable<SandboxFault['match']>): NonNullable<FaultView['place']> {
  return {
    ...(environment && { environment }),
    ...(platformRegion && { platformRegion }),
    ...(tenantId !== undefined && { tenantId }),
  };
}

/** Such as `waits 2 s, then answers 503`. */
function effectOf({ status, delayMs, reset }: Pick<SandboxFault, 'status' | 'delayMs' | 'reset'>): string {
  const parts = [
    ...(delayMs === undefined ? [] : [`waits ${delayMs / 1000} s`]),
    ...(status === undefined ? [] : [`answers ${status}`]),
    ...(reset === undefined ? [] : [`breaks the connection ${reset} it does the work`]),
  ];
  return parts.join(', then ') || 'answers something else';
}
