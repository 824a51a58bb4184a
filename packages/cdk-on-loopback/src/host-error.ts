type HostErrorCode =
  | 'already_running'
  | 'foreign_directory'
  | 'configuration_unreadable'
  | 'port_in_use'
  | 'sandbox_failed'
  | 'synthesis_failed'
  | 'incomplete_deployment';

/** Why a local run could not start or had to stop. The message is for the person who started it. */
export class HostError extends Error {
  override readonly name = 'HostError';
  readonly code: HostErrorCode;

  constructor(code: HostErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
