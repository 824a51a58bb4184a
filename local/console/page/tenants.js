import { act } from './actions.js';
import { byId, element, setAttribute, setText, show, stateWord } from './dom.js';
import { Meter } from './meters.js';
import { TONES } from './overview.js';
import { credentialReading, dateWords, renewalMark, tokenReading } from './readings.js';
import { dateOf, timeOfDay } from './time.js';

/** @typedef {import('../console-state').AvailabilityView} AvailabilityView */
/** @typedef {import('../console-state').ConsoleState} ConsoleState */
/** @typedef {import('../console-state').DeploymentView} DeploymentView */
/** @typedef {import('../console-state').TenantView} TenantView */

const CREDENTIAL_NAMES = { 'client-credentials': 'client credential', 'api-key': 'API key' };
/** With more tenants, there is a filter, those with problems come first, and only those near the window are drawn. */
const MANY = 20;
/** Height of a tenant that was never drawn, in rem: without rows, and of a row. */
const [CARD_REM, ROW_REM] = [4.5, 2.125];

/** Every deployment with its tenants. Elements are created once and then updated, so that focus stays where it is. */
export class Tenants {
  #parent;
  #search = /** @type {HTMLInputElement} */ (byId('tenants-search'));
  #outline = '';
  /** @type {ConsoleState | undefined} */
  #state;
  #nowMs = 0;
  /** @type {Section[]} */
  #sections = [];
  /** @type {WeakMap<Element, Card>} */
  #cardOf = new WeakMap();
  #observer = new IntersectionObserver((entries) => this.#near(entries), { rootMargin: '50% 0px' });

  /** @param {Element} parent */
  constructor(parent) {
    this.#parent = parent;
    this.#search.addEventListener('input', () => this.#arrange());
    parent.addEventListener('focusout', () => setTimeout(() => this.#arrange()));
  }

  /**
   * @param {ConsoleState} state
   * @param {number} nowMs
   */
  show(state, nowMs) {
    const isNew = this.#state !== state;
    this.#state = state;
    this.#nowMs = nowMs;
    if (isNew) this.#outlineOf(state);
    for (const [index, section] of this.#sections.entries()) {
      show(section.restore, state.deployments[index]?.restore, (found) => (found ? availability(found) : []));
      for (const card of section.cards) card.update(state, nowMs);
    }
    if (isNew) this.#arrange();
  }

  get #isMany() {
    return this.#sections.reduce((sum, { cards }) => sum + cards.length, 0) > MANY;
  }

  /** @param {ConsoleState} state */
  #outlineOf(state) {
    const outline = JSON.stringify(
      state.deployments.map(({ stack, tenants }) => [stack, tenants.map(({ tenantId }) => tenantId)]),
    );
    if (outline === this.#outline) return;
    this.#outline = outline;
    this.#observer.disconnect();
    this.#sections = state.deployments.map((each, index) => new Section(each, index));
    this.#parent.replaceChildren(...this.#sections.map(({ root }) => root));
    byId('tenants-filter').hidden = !this.#isMany;
    for (const card of this.#sections.flatMap(({ cards }) => cards)) {
      this.#cardOf.set(card.article, card);
      if (this.#isMany) this.#observer.observe(card.article);
      else card.draw(state);
    }
  }

  /** @param {IntersectionObserverEntry[]} entries */
  #near(entries) {
    if (this.#state === undefined) return;
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      const card = this.#cardOf.get(target);
      if (isIntersecting) card?.draw(this.#state);
      else card?.clear(boundingClientRect.height);
      if (isIntersecting) card?.update(this.#state, this.#nowMs);
    }
  }

  /** Shows the tenants that contain every word of the search, and of many those with problems first. */
  #arrange() {
    const state = this.#state;
    const isMany = this.#isMany;
    if (state === undefined || !isMany) return setText(byId('tenants-count'), '');
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let [shown, all] = [0, 0];
    for (const section of this.#sections) {
      for (const card of section.cards) {
        const text = words.length === 0 ? '' : card.textOf(state, this.#nowMs);
        card.article.hidden = !words.every((word) => text.includes(word));
        all += 1;
        if (!card.article.hidden) shown += 1;
      }
      section.sort(state, this.#nowMs);
    }
    const [some, total] = [shown, all].map((count) => count.toLocaleString('en-US'));
    setText(
      byId('tenants-count'),
      words.length === 0 ? `${total} tenants, those with problems first` : `${some} of ${total} tenants`,
    );
  }
}

/** A deployment. */
class Section {
  restore = element('p', { class: 'availability' });
  /** @type {Card[]} */
  cards;
  #list = element('div', {});
  /** @type {HTMLElement} */
  root;

  /**
   * @param {DeploymentView} deployment
   * @param {number} index
   */
  constructor(deployment, index) {
    const { environment, platformRegion, stack, tenants } = deployment;
    const id = `deployment-${index}`;
    this.cards = tenants.map((tenant, at) => new Card(deployment, index, at, tenant));
    this.#list.append(...this.cards.map(({ article }) => article));
    this.root = element(
      'section',
      { 'aria-labelledby': id },
      element(
        'header',
        { class: 'heading' },
        element('h2', { id }, environment, element('span', { class: 'dim' }, ' · '), platformRegion),
        element('span', { class: 'dim' }, stack),
      ),
      this.restore,
      this.#list,
    );
  }

  /**
   * Moves as few elements as it can, and none while the focus is in the list: an element that moves would lose it.
   * @param {ConsoleState} state
   * @param {number} nowMs
   */
  sort(state, nowMs) {
    if (this.#list.contains(document.activeElement)) return;
    const ranks = new Map(this.cards.map((card) => [card, card.rank(state, nowMs)]));
    const wanted = [...this.cards].sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    let child = this.#list.firstElementChild;
    for (const { article } of wanted) {
      if (child !== article && child?.nextElementSibling === article) {
        child.remove();
        child = article;
      }
      if (child === article) child = child.nextElementSibling;
      else this.#list.insertBefore(article, child);
    }
  }
}

/** A tenant. Its article and heading always exist, so that it can be found; the rest while it is near the window. */
class Card {
  /** @type {HTMLElement} */
  article;
  #deployment;
  #deploymentAt;
  #tenantAt;
  #header;
  /** @type {((tenant: TenantView, state: ConsoleState, nowMs: number) => void)[] | undefined} */
  #updates;

  /**
   * @param {DeploymentView} deployment
   * @param {number} deploymentAt
   * @param {number} tenantAt
   * @param {TenantView} tenant
   */
  constructor(deployment, deploymentAt, tenantAt, { tenantId, tokens, credentials }) {
    this.#deployment = deployment;
    this.#deploymentAt = deploymentAt;
    this.#tenantAt = tenantAt;
    this.#header = element('header', {}, element('h3', {}, tenantId));
    this.article = element('article', { class: 'tenant', 'aria-label': tenantId }, this.#header);
    this.article.style.minBlockSize = `${CARD_REM + ROW_REM * (tokens.length + credentials.length)}rem`;
  }

  /** @param {ConsoleState} state */
  #tenant(state) {
    return /** @type {TenantView} */ (state.deployments[this.#deploymentAt]?.tenants[this.#tenantAt]);
  }

  /**
   * @param {ConsoleState} state
   * @param {number} nowMs
   */
  #readings(state, nowMs) {
    const { tokens, credentials } = this.#tenant(state);
    return [
      ...tokens.map((token) => tokenReading(token, state, nowMs)),
      ...credentials.map((credential) => credentialReading(credential, nowMs)),
    ];
  }

  /**
   * What a search finds, in lower case.
   * @param {ConsoleState} state
   * @param {number} nowMs
   */
  textOf(state, nowMs) {
    const words = this.#readings(state, nowMs).map(({ word }) => word);
    const { environment, platformRegion } = this.#deployment;
    const { tenantId } = this.#tenant(state);
    return [tenantId, environment, platformRegion, ...words].join(' ').toLowerCase();
  }

  /**
   * 0 if callers are affected, 1 if a credential needs attention, 2 otherwise. Tokens that are due renew by themselves.
   * @param {ConsoleState} state
   * @param {number} nowMs
   */
  rank(state, nowMs) {
    const tones = this.#readings(state, nowMs).map(({ tone }) => tone);
    if (tones.includes('bad')) return 0;
    return this.#tenant(state).credentials.some(({ problem }) => problem !== undefined) ? 1 : 2;
  }

  /**
   * @param {ConsoleState} state
   * @param {number} nowMs
   */
  update(state, nowMs) {
    for (const update of this.#updates ?? []) update(this.#tenant(state), state, nowMs);
  }

  /** @param {ConsoleState} state */
  draw(state) {
    if (this.#updates !== undefined) return;
    this.#updates = [];
    const { environment, platformRegion, hasRestoreApi } = this.#deployment;
    const { tenantId, tokens, credentials } = this.#tenant(state);
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
      this.#updates?.push((tenant, now, nowMs) => {
        const current = tenant.tokens[at];
        if (current) meter.show(tokenReading(current, now, nowMs));
      });
    });
    credentials.forEach(({ kind }, at) => {
      const end = element('span', { class: 'end dim' });
      const meter = new Meter('credential', CREDENTIAL_NAMES[kind], 'time left', { action: end });
      rows.append(meter.row);
      this.#updates?.push((tenant, _, nowMs) => {
        const current = tenant.credentials[at];
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
    const label = `Restore a record of ${tenantId}`;
    if (hasRestoreApi) {
      this.#header.append(actionButton('Restore a record', label, 'restore-record', place));
    }
    this.article.append(rows);
    this.article.style.minBlockSize = '';
  }

  /**
   * Removes the contents, unless the focus is in them.
   * @param {number} heightPx what to keep free for them; 0 while it is hidden
   */
  clear(heightPx) {
    if (this.#updates === undefined || this.article.contains(document.activeElement)) return;
    this.#updates = undefined;
    if (heightPx > 0) this.article.style.minBlockSize = `${heightPx}px`;
    this.#header.querySelector('button')?.remove();
    this.article.querySelector('.rows')?.remove();
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
