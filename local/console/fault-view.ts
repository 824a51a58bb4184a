import { type SandboxFault } from '../sandbox-control';
import { type FaultView } from './console-state';

/**
 * A fault as the page tells it.
 * @param known what may be shown of a tenant's id: somebody may have put a secret there
 */
export function faultView(
  { target, match, times, ...fault }: SandboxFault,
  known: ReadonlySet<string>,
): FaultView {
  return {
    target,
    effect: effectOf(fault),
    ...(times !== undefined && { times }),
    ...(match && { place: placeOf(match, known) }),
  };
}

function placeOf(
  { environment, platformRegion, tenantId }: NonNullable<SandboxFault['match']>,
  known: ReadonlySet<string>,
): NonNullable<FaultView['place']> {
  return {
    ...(environment && { environment }),
    ...(platformRegion && { platformRegion }),
    ...(tenantId !== undefined && { tenantId: known.has(tenantId) ? tenantId : '…' }),
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
