import { act } from './actions.js';
import { byId, element, show } from './dom.js';

/** @typedef {import('../console-state').ConsoleState} ConsoleState */

/** Connects the form's buttons. */
export function startFaultForm() {
  const form = /** @type {HTMLFormElement} */ (byId('fault-form'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const inject = /** @type {HTMLElement} */ (event.submitter);
    void act(inject, 'inject-fault', faultOf(new FormData(form)));
  });
  const clear = byId('clear-faults');
  clear.addEventListener('click', () => void act(clear, 'clear-faults', {}));
}

/**
 * Lists all tenants in the form.
 * @param {ConsoleState['deployments']} deployments
 */
export function showTenantChoices(deployments) {
  const select = /** @type {HTMLSelectElement} */ (byId('fault-form').querySelector('[name=tenant]'));
  const chosen = select.value;
  const places = deployments.flatMap(({ environment, platformRegion, tenants }) =>
    tenants.map(({ tenantId }) => ({ environment, platformRegion, tenantId })),
  );
  show(select, places, (each) => [
    element('option', { value: '' }, 'All tenants'),
    ...each.map((place) => element('option', { value: JSON.stringify(place) }, place.tenantId)),
  ]);
  select.value = chosen;
}

/** @param {FormData} form */
function faultOf(form) {
  const [effect, tenant, times] = ['effect', 'tenant', 'times'].map((name) => String(form.get(name) ?? ''));
  return {
    target: form.get('target'),
    ...(effect === 'before' || effect === 'after' ? { reset: effect } : { status: Number(effect) }),
    ...(times !== '' && { times: Number(times) }),
    ...(tenant && { match: JSON.parse(tenant) }),
  };
}
