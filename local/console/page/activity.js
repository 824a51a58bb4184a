import { element, show, stateWord } from './dom.js';
import { timeOfDay } from './time.js';

/** @typedef {import('../console-state').FaultView} FaultView */
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
 * @param {Element} body
 * @param {readonly RequestView[]} requests
 */
export function showRequests(body, requests) {
  show(body, requests, (each) =>
    orNone(
      each.map(({ atMs, target, method, path, status }) =>
        row(
          atMs,
          [
            element('span', { class: 'dim' }, `${target} ${method} `),
            element('code', {}, ...breakable(path)),
          ],
          status,
        ),
      ),
    ),
  );
}

/**
 * @param {Element} body
 * @param {readonly RestoreView[]} restores
 */
export function showRestores(body, restores) {
  show(body, restores, (each) =>
    orNone(
      each.map(
        ({ atMs, environment, platformRegion, tenantId = 'unknown tenant', contentId, status, code }) =>
          row(
            atMs,
            [
              element('code', {}, contentId ?? '…'),
              element('br'),
              element('span', { class: 'dim' }, `${environment} ${platformRegion} ${tenantId}`),
            ],
            status,
            code?.replaceAll('_', ' '),
          ),
      ),
    ),
  );
}

/**
 * @param {number} atMs
 * @param {Node[]} what
 * @param {number} status
 * @param {string} [code]
 */
function row(atMs, what, status, code) {
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return element(
    'tr',
    {},
    element('td', { class: 'time' }, timeOfDay(atMs)),
    element('td', {}, ...what),
    element(
      'td',
      { class: 'status' },
      stateWord(tone, status === 0 ? 'broken' : String(status)),
      code && element('span', { class: 'dim' }, ` ${code}`),
    ),
  );
}

/** @param {HTMLElement[]} rows */
function orNone(rows) {
  if (rows.length > 0) return rows;
  return [element('tr', {}, element('td', { colspan: '3', class: 'dim' }, 'None yet'))];
}

/**
 * A path that can wrap at its slashes.
 * @param {string} path
 */
function breakable(path) {
  return path.split('/').flatMap((part, index) => (index === 0 ? [part] : [element('wbr'), `/${part}`]));
}
