import { act } from './actions.js';
import { element, setAttribute, setText, show, stateWord } from './dom.js';
import { Meter } from './meters.js';
import { TONES } from './overview.js';
import { credentialReading, dateWords, renewalMark, tokenReading } from './readings.js';
import { dateOf, timeOfDay } from './time.js';

/** @typedef {import('../console-state').AvailabilityView} AvailabilityView */
/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('../console-state').DeploymentView} DeploymentView */
/** @typedef {import('../console-state').TenantView} TenantView */
/** @typedef {(state: ConsoleState, nowMs: number) => void} Update */

const CREDENTIAL_NAMES = { 'client-credentials': 'client credential', 'api-key': 'API key' };

/** Every deployment with its tenants. Elements are created once and then updated, so that focus stays where it is. */
export class Tenants {
  #parent;
  #outline = '';
  /** @type {Update[]} */
  #updates = [];

  /** @param {Element} parent */
  constructor(parent) {
    this.#parent = parent;
  }

  /** @type {Update} */
  show(state, nowMs) {
    const outline = JSON.stringify(
      state.deployments.map(({ stack, tenants }) => [stack, tenants.map(({ tenantId }) => tenantId)]),
    );
    if (outline !== this.#outline) {
      this.#outline = outline;
      this.#updates = [];
      this.#parent.replaceChildren(
        ...state.deployments.map((each, index) => this.#deployment(state, each, index)),
      );
    }
    for (const update of this.#updates) update(state, nowMs);
  }

  /**
   * @param {ConsoleState} state
   * @param {DeploymentView} deployment
   * @param {number} index
   */
  #deployment(state, deployment, index) {
    const { environment, platformRegion, stack, tenants } = deployment;
    const id = `deployment-${index}`;
    const restore = element('p', { class: 'availability' });
    this.#updates.push((now) =>
      show(restore, now.deployments[index]?.restore, (found) => (found ? availability(found) : [])),
    );
    return element(
      'section',
      { 'aria-labelledby': id },
      element(
        'header',
        { class: 'heading' },
        element('h2', { id }, environment, element('span', { class: 'dim' }, ' · '), platformRegion),
        element('span', { class: 'dim' }, stack),
      ),
      restore,
      ...tenants.map((tenant, at) => this.#tenant(state, index, at, tenant)),
    );
  }

  /**
   * @param {ConsoleState} state
   * @param {number} deploymentAt
   * @param {number} tenantAt
   * @param {TenantView} tenant
   */
  #tenant(state, deploymentAt, tenantAt, { tenantId, tokens, credentials }) {
    const { environment, platformRegion, hasRestoreApi } = /** @type {DeploymentView} */ (
      state.deployments[deploymentAt]
    );
    const place = { environment, platformRegion, tenantId };
    const rows = element('ul', { class: 'rows' });
    tokens.forEach((token, at) => {
      const name = `${token.interface} ${token.scope}`;
      const button = actionButton('Refresh', `Refresh ${name} of ${tenantId}`, 'refresh-token', {
        ...place,
        interface: token.interface,
        scope: token.scope,
      });
      const meter = new Meter('token', name, 'time left', { mark: renewalMark(state), action: button });
      rows.append(meter.row);
      this.#updates.push((now, nowMs) => {
        const current = now.deployments[deploymentAt]?.tenants[tenantAt]?.tokens[at];
        if (current) meter.show(tokenReading(current, now, nowMs));
      });
    });
    credentials.forEach(({ kind }, at) => {
      const end = element('span', { class: 'end dim' });
      const meter = new Meter('credential', CREDENTIAL_NAMES[kind], 'time left', { action: end });
      rows.append(meter.row);
      this.#updates.push((now, nowMs) => {
        const current = now.deployments[deploymentAt]?.tenants[tenantAt]?.credentials[at];
        if (!current) return;
        meter.show(credentialReading(current, nowMs));
        const dates = current.dates ?? [];
        setText(end, dates[0] === undefined ? '' : dateWords(dates[0]));
        setAttribute(
          end,
          'title',
          dates.map((date) => `${dateWords(date)} (${dateOf(date.atMs)})`).join(', '),
        );
      });
    });
    const restore = actionButton(
      'Restore a record',
      `Restore a record of ${tenantId}`,
      'restore-record',
      place,
    );
    return element(
      'article',
      { class: 'tenant', 'aria-label': tenantId },
      element('header', {}, element('h3', {}, tenantId), hasRestoreApi ? restore : undefined),
      rows,
    );
  }
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

/**
 * @param {string} text
 * @param {string} label begins with `text`, so that people who use voice control can say what they see
 * @param {string} action
 * @param {object} input
 */
function actionButton(text, label, action, input) {
  const button = element('button', { type: 'button', 'aria-label': label }, text);
  button.addEventListener('click', () => void act(button, action, input));
  return button;
}
