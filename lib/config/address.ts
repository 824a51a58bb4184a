/** What an address may look like, in the words of an error message. */
export const ADDRESS_RULE = 'an https URL with a host name, without user info, port, query or fragment';

/** The address without a slash at its end, so that a path can be appended. */
export function normalizeAddress(address: string): string {
  return new URL(address).href.replace(/\/+$/, '');
}

/** The address as an error message may show it: where an `@` or a query stands, a password could. */
export function showAddress(address: string): string {
  return address.replace(/^(https?:\/*)?.*@.*$/is, '$1…').replace(/([?#]).+$/s, '$1…');
}
