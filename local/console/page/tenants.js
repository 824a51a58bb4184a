import { act } from './actions.js';
import { element, setText, show, stateWord } from './dom.js';
import { Meter } from './meters.js';
import { credentialReading, renewalMark, tokenReading } from './readings.js';
import { dateOf, span } from './time.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('../console-state').DeploymentView} DeploymentView */
/** @typedef {import('../console-state').FindingView} FindingView */
/** @typedef {import('../console-state').TenantView} TenantView */
/** @typedef {(state: ConsoleState, nowMs: number) => void} Update */

const CREDENTIAL_NAMES = { 'client-credentials': 'client credential', 'api-key': 'API key' };
const TONES = { critical: 'bad', warning: 'warn', info: 'idle' };

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
    const findings = element('ul', { class: 'findings' });
    this.#updates.push((now) =>
      show(findings, now.deployments[index]?.findings ?? [], (found) => found.map(finding)),
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
      findings,
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
    const findings = element('ul', { class: 'findings' });
    const rows = element('ul', { class: 'rows' });
    tokens.forEach((token, at) => {
      const name = `${token.interface} ${token.scope}`;
      const button = actionButton('Refresh', `Refresh ${name} of ${tenantId}`, 'refresh-token', {
        ...place,
        interface: token.interface,
        scope: token.scope,
      });
      const meter = new Meter('token', name, 'time to expiry', { mark: renewalMark(state), action: button });
      rows.append(meter.row);
      this.#updates.push((now, nowMs) => {
        const current = now.deployments[deploymentAt]?.tenants[tenantAt]?.tokens[at];
        if (current) meter.show(tokenReading(current, now, nowMs));
      });
    });
    credentials.forEach(({ kind }, at) => {
      const end = element('span', { class: 'end dim' });
      const meter = new Meter('credential', CREDENTIAL_NAMES[kind], 'age', { action: end });
      rows.append(meter.row);
      this.#updates.push((now, nowMs) => {
        const deployment = now.deployments[deploymentAt];
        const current = deployment?.tenants[tenantAt]?.credentials[at];
        if (!deployment || !current) return;
        meter.show(credentialReading(current, deployment.maxAgeMs, nowMs));
        setText(end, endText(current.validUntilMs, nowMs));
        end.title = current.validUntilMs === undefined ? '' : dateOf(current.validUntilMs);
      });
    });
    this.#updates.push((now) =>
      show(findings, now.deployments[deploymentAt]?.tenants[tenantAt]?.findings ?? [], (found) =>
        found.map(finding),
      ),
    );
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
      findings,
    );
  }
}

/**
 * @param {number | undefined} validUntilMs
 * @param {number} nowMs
 */
function endText(validUntilMs, nowMs) {
  if (validUntilMs === undefined) return '';
  const leftMs = validUntilMs - nowMs;
  return leftMs > 0 ? `expires in ${span(leftMs)}` : `expired ${span(-leftMs)} ago`;
}

/** @param {FindingView} found */
function finding({ severity, message, meaning, remedy, command }) {
  return element(
    'li',
    {},
    stateWord(TONES[severity], severity),
    element('p', {}, message, ' ', element('span', { class: 'dim' }, meaning), remedy && ` ${remedy}`),
    command && element('code', {}, command),
  );
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
