/** Maximum number of faults in a message: with hundreds of tenants, each may have the same one. */
const MAX_LISTED = 50;

/** An invalid configuration. The message lists its faults, each on its own line; `issues` has all of them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'invalid_configuration';
  readonly issues!: readonly string[];

  constructor(source: string, issues: string[], options?: ErrorOptions) {
    const distinct = [...new Set(issues)];
    const unlisted = distinct.slice(MAX_LISTED).length;
    const lines = [...distinct.slice(0, MAX_LISTED), ...(unlisted === 0 ? [] : [`and ${unlisted} more`])];
    super(`${source} cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`, options);
    // Node prints the other fields of an error that nobody catches, and the message lists these already.
    Object.defineProperty(this, 'issues', { value: distinct, enumerable: false });
  }
}
