/** @typedef {Node | string | undefined} Child */

/**
 * Creates an element. Undefined attributes are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | undefined>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

/**
 * The page's element with this id.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return /** @type {T} */ (found);
}

/** @type {WeakMap<Element, string>} */
const shownTexts = new WeakMap();

/**
 * Renders data into an element, only if it has changed, so that a person's selection and reading position stay.
 * @template T
 * @param {Element} parent
 * @param {T} data
 * @param {(data: T) => Child[]} build
 */
export function show(parent, data, build) {
  const text = JSON.stringify(data);
  if (shownTexts.get(parent) === text) return;
  shownTexts.set(parent, text);
  parent.replaceChildren(...build(data).filter((child) => child !== undefined));
}

/**
 * @param {Element} on
 * @param {string} text
 */
export function setText(on, text) {
  if (on.textContent !== text) on.textContent = text;
}

/**
 * The names of a deployment or tenant, without those that it does not have.
 * @param {{ issuer?: string | undefined, environment?: string, platformRegion?: string | undefined, tenantId?: string }} place
 */
export function placeNames({ issuer, environment, platformRegion, tenantId }) {
  return [issuer, environment, platformRegion, tenantId].filter((name) => name !== undefined);
}

/**
 * A word for a state. Its color only repeats the word.
 * @param {string} tone good, warn, bad or idle
 * @param {string} text
 */
export function stateWord(tone, text) {
  return element('span', { class: 'state', 'data-tone': tone }, text);
}

/**
 * A command with a button that copies it.
 * @param {string} text
 */
export function copyable(text) {
  const button = element('button', { type: 'button', 'aria-label': `Copy ${text}` }, 'Copy');
  const outcome = element('span', { class: 'dim', role: 'status' });
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(
      () => setText(outcome, 'Copied'),
      () => setText(outcome, 'The browser does not allow that'),
    );
  });
  return element('div', { class: 'command' }, element('code', {}, text), button, outcome);
}

/**
 * Text with code in back-quotes, as nodes.
 * @param {string} text
 * @returns {Child[]}
 */
export function withCode(text) {
  return text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
}
