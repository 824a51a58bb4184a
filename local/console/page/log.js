import { byId, element, setText, stateWord } from './dom.js';
import { timeOfDay } from './time.js';

/** @typedef {import('./dom.js').Child} Child */
/**
 * One entry of a log. Details without a value are not shown.
 * @typedef {{
 *   atMs: number,
 *   status: number,
 *   what: Node[],
 *   note: string | undefined,
 *   details: [name: string, value: string | undefined][],
 * }} LogEntry
 */

/**
 * A list of log entries, latest first, with a search field and the details of each entry. An entry never changes, so its
 * element stays when others arrive, and with it the focus and what a person has opened.
 * @template {object} T
 */
export class Log {
  #list;
  #count;
  #search;
  #toEntry;
  /** @type {Map<string, HTMLLIElement>} */
  #rows = new Map();

  /**
   * @param {string} id of the list; the search field and the count have `-search` and `-count` behind it
   * @param {(item: T) => LogEntry} toEntry
   */
  constructor(id, toEntry) {
    this.#list = byId(id);
    this.#count = byId(`${id}-count`);
    this.#search = /** @type {HTMLInputElement} */ (byId(`${id}-search`));
    this.#toEntry = toEntry;
    this.#search.addEventListener('input', () => this.#filter());
  }

  /** @param {readonly T[]} items latest first */
  show(items) {
    const keys = keysOf(items);
    for (const [key, row] of this.#rows) {
      if (keys.has(key)) continue;
      row.remove();
      this.#rows.delete(key);
    }
    for (const [key, item] of [...keys].reverse()) {
      if (this.#rows.has(key)) continue;
      const row = rowOf(this.#toEntry(item));
      this.#rows.set(key, row);
      this.#list.prepend(row);
    }
    this.#filter();
  }

  /** Shows the entries that contain every word of the search. */
  #filter() {
    const words = this.#search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of this.#rows.values()) {
      const text = (row.textContent ?? '').toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      if (!row.hidden) shown += 1;
    }
    const all = this.#rows.size;
    setText(
      this.#count,
      all === 0 ? 'None yet' : words.length === 0 ? `${all} shown` : `${shown} of ${all} shown`,
    );
  }
}

/**
 * The items by a key that stays the same while newer ones arrive. Equal items are numbered from the oldest.
 * @template {object} T
 * @param {readonly T[]} items latest first
 * @returns {Map<string, T>} latest first
 */
function keysOf(items) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  const keyed = [...items].reverse().map((item) => {
    const text = JSON.stringify(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return /** @type {const} */ ([`${count} ${text}`, item]);
  });
  return new Map(keyed.reverse());
}

/** @param {LogEntry} entry */
function rowOf({ atMs, status, what, note, details }) {
  const tone = status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good';
  const shown = details.flatMap(([name, value]) =>
    value === undefined ? [] : [element('div', {}, element('dt', {}, name), element('dd', {}, value))],
  );
  return element(
    'li',
    {},
    element(
      'details',
      {},
      element(
        'summary',
        {},
        element('span', { class: 'time' }, timeOfDay(atMs)),
        element('span', { class: 'what' }, ...what),
        element(
          'span',
          { class: 'status' },
          stateWord(tone, status === 0 ? 'broken' : String(status)),
          note && element('span', { class: 'dim' }, ` ${note}`),
        ),
      ),
      element(
        'dl',
        {},
        element('div', {}, element('dt', {}, 'Time'), element('dd', {}, new Date(atMs).toISOString())),
        ...shown,
      ),
    ),
  );
}
