import { element, setAttribute, setText } from './dom.js';

/**
 * What a meter shows.
 * @typedef {{ share: number, value: number, max: number, text: string, tone: string, word: string, spoken: string }} Reading
 */

/**
 * A labeled bar, as one row of a tenant.
 */
export class Meter {
  #bar;
  #fill = element('span', { class: 'fill' });
  #text = element('span', { class: 'value' });
  #word = element('span', { class: 'state' });
  /** @type {HTMLLIElement} */
  row;

  /**
   * @param {'token' | 'credential'} kind
   * @param {string} name
   * @param {string} measure what the bar measures, for screen readers
   * @param {{ mark?: number, action?: HTMLElement }} [more] mark: where to mark the bar, as a share of its length
   */
  constructor(kind, name, measure, { mark, action } = {}) {
    this.#bar = element(
      'span',
      { class: 'bar', role: 'meter', 'aria-label': `${name}: ${measure}` },
      this.#fill,
    );
    if (mark !== undefined) {
      const line = element('span', { class: 'mark' });
      line.style.insetInlineStart = `${mark * 100}%`;
      this.#bar.append(line);
    }
    this.row = element(
      'li',
      { class: `row ${kind}` },
      element('span', { class: 'name' }, name),
      this.#bar,
      this.#text,
      this.#word,
      action,
    );
  }

  /** @param {Reading} reading */
  show({ share, value, max, text, tone, word, spoken }) {
    this.#fill.style.transform = `scaleX(${Math.min(1, Math.max(0, share)).toFixed(4)})`;
    setAttribute(this.#bar, 'aria-valuemin', '0');
    setAttribute(this.#bar, 'aria-valuemax', String(max));
    setAttribute(this.#bar, 'aria-valuenow', String(Math.min(max, Math.max(0, value))));
    setAttribute(this.#bar, 'aria-valuetext', spoken);
    setAttribute(this.row, 'data-tone', tone);
    setAttribute(this.#word, 'data-tone', tone);
    setText(this.#text, text);
    setText(this.#word, word);
  }
}
