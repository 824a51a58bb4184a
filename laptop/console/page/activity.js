import { element, placeNames, show, stateWord } from './dom.js';
import { timeOfDay } from './time.js';

/** @typedef {import('../console-state').RequestView} RequestView */
/** @typedef {import('../console-state').RestoreView} RestoreView */
/** @typedef {import('./dom.js').Child} Child */

/**
 * @param {Element} list
 * @param {readonly RequestView[]} requests latest first
 */
export function showRequests(list, requests) {
  show(list, requests, (each) =>
    each.map(({ atMs, target, method, path, status, durationMs, tenantId, fault }) =>
      entry(atMs, status, [
        element('span', { class: 'dim' }, `${target} ${method} `),
        element('code', {}, ...breakable(path)),
        line('', tenantId, `${durationMs} ms`),
        line('injected fault:', fault),
      ]),
    ),
  );
}

/**
 * @param {Element} list
 * @param {readonly RestoreView[]} restores latest first
 */
export function showRestores(list, restores) {
  show(list, restores, (each) =>
    each.map((restore) => {
      const { atMs, status, tenantId = 'unknown tenant', contentId, durationMs } = restore;
      return entry(atMs, status, [
        element('code', {}, contentId ?? '…'),
        line(
          '',
          restore.code?.replaceAll('_', ' '),
          durationMs === undefined ? undefined : `${durationMs} ms`,
        ),
        line('', placeNames({ ...restore, tenantId }).join(' ')),
        line('by', restore.caller, restore.scheme, restore.callerVersion),
        line('for', restore.authorRef, restore.collaborationId),
        line('request', restore.requestId),
        line('trace', restore.traceId),
      ]);
    }),
  );
}

/**
 * @param {number} atMs
 * @param {number} status 0 if the connection broke
 * @param {Child[]} what
 */
function entry(atMs, status, what) {
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  return element(
    'li',
    {},
    element('span', { class: 'time' }, timeOfDay(atMs)),
    element('span', {}, ...what),
    stateWord(tone, status === 0 ? 'broken' : String(status)),
  );
}

/**
 * For example `by content api/write, bearer`; nothing if there is none of the values.
 * @param {string} name
 * @param {...(string | undefined)} values
 */
function line(name, ...values) {
  const given = values.filter((value) => value !== undefined);
  return given.length === 0 ? undefined : element('div', { class: 'dim' }, `${name} ${given.join(', ')}`);
}

/**
 * A path that can wrap at its slashes.
 * @param {string} path
 */
function breakable(path) {
  return path.split('/').flatMap((part, index) => (index === 0 ? [part] : [element('wbr'), `/${part}`]));
}
