import { type SandboxFault, type SandboxRequest } from '../sandbox-control';
import { type FaultView, type RequestView } from './console-state';
import { shownPath } from './shown-path';

/**
 * A request to the platform as the page shows it.
 * @param known the words and ids that may be shown
 */
export function requestView(
  { at, target, method, path, status, durationMs, tenantId, fault }: SandboxRequest,
  known: ReadonlySet<string>,
): RequestView {
  return {
    atMs: Date.parse(at),
    target,
    method,
    path: shownPath(path, known),
    status,
    durationMs,
    ...(tenantId !== undefined && known.has(tenantId) && { tenantId }),
    ...(fault && { fault: effectOf(fault) }),
  };
}

/**
 * A fault as the page shows it.
 * @param known the words and ids that may be shown; anything else could be a secret in the wrong field
 */
export function faultView(
  { target, match, times, ...fault }: SandboxFault,
  known: ReadonlySet<string>,
): FaultView {
  return {
    target,
    effect: effectOf(fault),
    ...(times !== undefined && { times }),
    ...(match && { place: shownMatch(match, known) }),
  };
}

function shownMatch(
  { environment, platformRegion, issuer, tenantId }: NonNullable<SandboxFault['match']>,
  known: ReadonlySet<string>,
): NonNullable<FaultView['place']> {
  const shown = (text: string) => (known.has(text) ? text : '…');
  return {
    ...(environment && { environment }),
    ...(platformRegion && { platformRegion }),
    ...(issuer !== undefined && { issuer: shown(issuer) }),
    ...(tenantId !== undefined && { tenantId: shown(tenantId) }),
  };
}

/** For example `waits 2 s, then returns 503`. */
function effectOf({
  status,
  delayMs,
  reset,
  dependency,
}: Pick<SandboxFault, 'status' | 'delayMs' | 'reset' | 'dependency'>): string {
  const parts = [
    ...(delayMs === undefined ? [] : [`waits ${delayMs / 1000} s`]),
    ...(status === undefined ? [] : [`returns ${status}`]),
    ...(dependency === undefined ? [] : [`fails at the ${dependency}`]),
    ...(reset === undefined ? [] : [`breaks the connection ${reset} processing`]),
  ];
  return parts.join(', then ') || 'returns a different response';
}
