import { byId, element, placeNames, show, stateWord } from './dom.js';
import { TONES } from './overview.js';
import { credentialReading, tokenReading } from './readings.js';
import { timeOfDay } from './time.js';

/** @typedef {import('../console-state').AvailabilityView} AvailabilityView */
/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('./readings.js').Reading} Reading */

/**
 * Every deployment with its tenants. A tenant's rows are built again only when they change.
 * @param {Element} parent
 * @param {ConsoleState} state
 */
export function showDeployments(parent, state) {
  const outlines = state.deployments.map(({ tenants, ...deployment }) => ({
    names: placeNames(deployment),
    stack: deployment.stack,
    tenantIds: tenants.map(({ tenantId }) => tenantId),
  }));
  show(parent, outlines, (each) => each.map(section));
  for (const [at, { restore, tenants }] of state.deployments.entries()) {
    show(byId(`restore-${at}`), restore, (found) => (found ? availability(found) : []));
    for (const [tenantAt, { tokens, credentials }] of tenants.entries()) {
      const readings = [
        ...tokens.map((token) => tokenReading(token, state)),
        ...credentials.map(credentialReading),
      ];
      show(byId(`rows-${at}-${tenantAt}`), readings, (each) => each.map(row));
    }
  }
}

/**
 * @param {{ names: string[], stack: string, tenantIds: string[] }} outline
 * @param {number} at
 */
function section({ names, stack, tenantIds }, at) {
  const id = `deployment-${at}`;
  return element(
    'section',
    { 'aria-labelledby': id },
    element(
      'header',
      { class: 'heading' },
      element(
        'h2',
        { id },
        ...names.flatMap((name, index) =>
          index === 0 ? [name] : [element('span', { class: 'dim' }, ' · '), name],
        ),
      ),
      element('span', { class: 'dim' }, stack),
    ),
    element('p', { class: 'availability', id: `restore-${at}` }),
    ...tenantIds.map((tenantId, tenantAt) =>
      element(
        'article',
        { class: 'tenant', 'aria-label': tenantId },
        element('h3', {}, tenantId),
        element('ul', { class: 'rows', id: `rows-${at}-${tenantAt}` }),
      ),
    ),
  );
}

/** @param {Reading} reading */
function row({ kind, name, text, tone, word }) {
  return element(
    'li',
    { class: `row ${kind}` },
    element('span', {}, name),
    element('span', { class: 'dim' }, text),
    stateWord(tone, word),
  );
}

/** @param {AvailabilityView} found */
function availability({ text, foundAtMs, severity }) {
  return [
    stateWord(severity === undefined ? 'idle' : TONES[severity], 'Restore'),
    ` ${text}`,
    foundAtMs === undefined
      ? undefined
      : element('span', { class: 'dim' }, `, found out at ${timeOfDay(foundAtMs)}`),
  ];
}
