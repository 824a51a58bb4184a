import { byId, copyable, element, placeNames, setText, show, stateWord, withCode } from './dom.js';
import { credentialReading, tokenReading } from './readings.js';
import { timeOfDay } from './time.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('../console-state').FaultView} FaultView */
/** @typedef {import('../console-state').FindingView} FindingView */

export const TONES = /** @type {const} */ ({ critical: 'bad', warning: 'warn', info: 'idle' });
const TARGETS = {
  token: 'token endpoint',
  content: 'content interface',
  tenants: 'tenant service',
  webhooks: 'webhooks interface',
  resource: 'API of the issuer',
};

/**
 * Four numbers that say whether anything needs attention.
 * @param {Element} parent
 * @param {ConsoleState} state
 */
export function showSummary(parent, state) {
  const tenants = state.deployments.flatMap((deployment) => deployment.tenants);
  const tokens = tenants.flatMap((tenant) => tenant.tokens.map((token) => tokenReading(token, state).tone));
  const credentials = tenants.flatMap((tenant) =>
    tenant.credentials.map((credential) => credentialReading(credential).tone),
  );
  const { alarm, ok, insufficientData } = state.alarms.counts;
  const [fresh, sound] = [tokens, credentials].map((tones) => tones.filter((tone) => tone === 'good').length);
  const alarms = alarm + ok + insufficientData;
  const unknown = insufficientData === 0 ? '' : `, ${insufficientData} no data`;
  const faults = state.faults.length;
  /** @type {[name: string, count: string, what: string, tone: string][]} */
  const rows = [
    ['Tokens', `${fresh} of ${tokens.length}`, 'fresh', worst(tokens)],
    ['Credentials', `${sound} of ${credentials.length}`, 'healthy', worst(credentials)],
    ['Alarms', `${alarm} of ${alarms}`, `in alarm${unknown}`, alarm === 0 ? 'good' : 'bad'],
    ['Sandbox', `${faults}`, faults === 1 ? 'active fault' : 'active faults', faults === 0 ? 'good' : 'warn'],
  ];
  show(parent, rows, (each) =>
    each.map(([name, count, what, tone]) =>
      element(
        'div',
        {},
        element('dt', {}, stateWord(tone, name)),
        element('dd', {}, element('strong', {}, count), ` ${what}`),
      ),
    ),
  );
}

/** @param {string[]} tones */
function worst(tones) {
  return ['bad', 'warn', 'idle'].find((tone) => tones.includes(tone)) ?? 'good';
}

/**
 * The findings by cause; notices, which need no action, folded.
 * @param {readonly FindingView[]} findings
 */
export function showFindings(findings) {
  const notices = findings.filter(({ severity }) => severity === 'info');
  byId('attention').hidden = findings.length === 0;
  byId('notices').hidden = notices.length === 0;
  const count = `${notices.length} ${notices.length === 1 ? 'notice' : 'notices'}, nothing wrong`;
  setText(byId('notice-count'), count);
  const render = (/** @type {readonly FindingView[]} */ each) => each.map(finding);
  show(
    byId('finding-list'),
    findings.filter(({ severity }) => severity !== 'info'),
    render,
  );
  show(byId('notice-list'), notices, render);
}

/** @param {FindingView} found */
function finding({ severity, message, meaning, remedy, command, ...place }) {
  return element(
    'li',
    {},
    stateWord(TONES[severity], severity),
    element('h3', {}, placeNames(place).join(' · ')),
    element('p', {}, message, ' ', element('span', { class: 'dim' }, meaning), remedy && ` ${remedy}`),
    command && copyable(command),
  );
}

/**
 * The alarms in state ALARM, with their advice.
 * @param {HTMLElement} section
 * @param {Element} list
 * @param {ConsoleState['alarms']} alarms
 */
export function showAlarms(section, list, { inAlarm: alarms, counts }) {
  section.hidden = alarms.length === 0;
  const unlisted = counts.alarm - alarms.length;
  setText(byId('alarms-more'), unlisted === 0 ? '' : `And ${unlisted.toLocaleString('en-US')} more.`);
  show(list, alarms, (each) =>
    each.map(({ name, sinceMs, notifies, advice, ...place }) =>
      element(
        'li',
        {},
        element(
          'header',
          {},
          element('h3', {}, name),
          element('span', {}, placeNames(place).join(' · ')),
          element('span', { class: 'dim' }, `since ${timeOfDay(sinceMs)}`),
          stateWord('bad', notifies ? 'in alarm, notified' : 'in alarm'),
        ),
        element('p', {}, ...withCode(advice)),
      ),
    ),
  );
}

/**
 * The active faults of the sandbox.
 * @param {HTMLElement} section
 * @param {Element} list
 * @param {readonly FaultView[]} faults
 */
export function showFaults(section, list, faults) {
  section.hidden = faults.length === 0;
  show(list, faults, (each) =>
    each.map(({ target, effect, times, place = {} }) => {
      const where = placeNames(place).join(' ');
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
