import { type ChangedTenant, type ConsoleChange, type ConsoleState } from './console-state';

/** A state as texts, to compare the next one with. */
export interface StateTexts {
  /** All of the deployments but their tenants' states. */
  outline: string;
  tenants: string[];
  fields: ReadonlyMap<keyof ConsoleChange, string>;
}

export function textsOf(state: ConsoleState): StateTexts {
  const { deployments, ...fields } = { ...state, nowMs: 0 };
  return {
    outline: JSON.stringify(
      deployments.map(({ tenants, ...rest }) => [rest, tenants.map(({ tenantId }) => tenantId)]),
    ),
    tenants: deployments.flatMap(({ tenants }) => tenants.map((tenant) => JSON.stringify(tenant))),
    fields: new Map(
      Object.entries(fields).map(([name, value]) => [name as keyof ConsoleChange, JSON.stringify(value)]),
    ),
  };
}

/**
 * What changed since the state with those texts: the whole state if the deployments are others, and undefined if nothing
 * did. A new time alone is not a change: the page has its own clock.
 */
export function changesSince(
  before: StateTexts,
  state: ConsoleState,
  texts: StateTexts,
): ConsoleState | ConsoleChange | undefined {
  if (before.outline !== texts.outline) return state;
  const { deployments, nowMs, ...fields } = state;
  const changed = Object.entries(fields).filter(([name]) => {
    const field = name as keyof ConsoleChange;
    return before.fields.get(field) !== texts.fields.get(field);
  });
  const tenants: ChangedTenant[] = [];
  let at = 0;
  for (const [deploymentAt, deployment] of deployments.entries()) {
    for (const [tenantAt, tenant] of deployment.tenants.entries()) {
      if (before.tenants[at] !== texts.tenants[at]) tenants.push({ deploymentAt, tenantAt, tenant });
      at += 1;
    }
  }
  if (changed.length + tenants.length === 0) return undefined;
  return { ...Object.fromEntries(changed), nowMs, ...(tenants.length > 0 && { tenants }) };
}
