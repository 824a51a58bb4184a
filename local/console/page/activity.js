import { element, show, stateWord } from './dom.js';

/** @typedef {import('../console-state').FaultView} FaultView */
/** @typedef {import('./log.js').LogEntry} LogEntry */
/** @typedef {import('../console-state').RequestView} RequestView */
/** @typedef {import('../console-state').RestoreView} RestoreView */

const TARGETS = {
  token: 'token endpoint',
  content: 'content interface',
  tenants: 'tenant service',
  webhooks: 'webhooks interface',
};

/**
 * @param {Element} list
 * @param {readonly FaultView[]} faults
 */
export function showFaults(list, faults) {
  show(list, faults, (each) =>
    each.map(({ target, effect, times, place = {} }) => {
      const where = [place.environment, place.platformRegion, place.tenantId].filter(Boolean).join(' ');
      const often =
        times === undefined ? 'until cleared' : times === 1 ? '1 more time' : `${times} more times`;
      return element(
        'li',
        {},
        stateWord('warn', 'active'),
        element('span', {}, `The ${TARGETS[target]} ${effect}`, where && ` for ${where}`, `, ${often}`),
      );
    }),
  );
}

/**
 * A request to the platform as an entry of its log.
 * @param {RequestView} request
 * @returns {LogEntry}
 */
export function requestEntry({ atMs, target, method, path, status, durationMs, tenantId, fault }) {
  return {
    atMs,
    status,
    what: [
      element('span', { class: 'dim' }, `${target} ${method} `),
      element('code', {}, ...breakable(path)),
    ],
    note: fault && 'injected fault',
    details: [
      ['Request', `${method} ${path}`],
      ['Part', TARGETS[target]],
      ['Tenant', tenantId],
      ['Status', status === 0 ? 'broken: no answer was sent' : String(status)],
      ['Duration', `${durationMs} ms`],
      ['Fault', fault === undefined ? 'none injected' : `injected: ${fault}`],
    ],
  };
}

/**
 * A request to a restore API as an entry of its log.
 * @param {RestoreView} restore
 * @returns {LogEntry}
 */
export function restoreEntry(restore) {
  const { atMs, environment, platformRegion, tenantId = 'unknown tenant', contentId, status, code } = restore;
  const { scheme, caller, callerVersion, authorRef, collaborationId } = restore;
  const user = [authorRef, collaborationId].filter(Boolean).join(', ');
  return {
    atMs,
    status,
    what: [
      element('code', {}, contentId ?? '…'),
      element('br'),
      element('span', { class: 'dim' }, `${environment} ${platformRegion} ${tenantId}`),
      ...(caller === undefined ? [] : [element('br'), element('span', { class: 'dim' }, `by ${caller}`)]),
      ...(user === '' ? [] : [element('span', { class: 'dim' }, `, for ${user}`)]),
    ],
    note: code?.replaceAll('_', ' '),
    details: [
      ['Deployment', `${environment} ${platformRegion}`],
      ['Tenant', tenantId],
      ['Content', contentId],
      ['Status', `${status}${code === undefined ? '' : ` ${code}`}`],
      ['Duration', restore.durationMs === undefined ? undefined : `${restore.durationMs} ms`],
      ['Scheme', scheme],
      ['Caller', caller],
      ['Credential', callerVersion],
      ['Author', authorRef],
      ['Collaboration', collaborationId],
      ['Request id', restore.requestId],
      ['Trace id', restore.traceId],
    ],
  };
}

/**
 * A path that can wrap at its slashes.
 * @param {string} path
 */
function breakable(path) {
  return path.split('/').flatMap((part, index) => (index === 0 ? [part] : [element('wbr'), `/${part}`]));
}
