import { type IssuerProfile } from './issuer-profile';

/** The parts of a profile that need evidence. */
export const PROFILE_PARTS = ['tokenEndpoint', 'request', 'answer', 'errors'] as const;

/** The form of the request in a few words, such as `form, Basic`. */
export function shapeOf({ request = {} }: IssuerProfile): string {
  const secret = request.clientAuthentication === 'client_secret_basic' ? 'Basic' : 'secret in the body';
  return `${request.body === 'json' ? 'JSON' : 'form'}, ${secret}`;
}

/** A lifetime in minutes, hours or days. */
export function lifetimeText(seconds: number): string {
  if (seconds < 3600) return `${seconds / 60} min`;
  return seconds < 2 * 86_400 ? `${seconds / 3600} h` : `${seconds / 86_400} days`;
}

/** The evidence for one part of a profile: `documented`, `seen`, `assumed`, or `documented, in part`. */
export function basisOf({ sources = [] }: IssuerProfile, part: (typeof PROFILE_PARTS)[number]): string {
  const sourcesOfPart = sources.filter(({ of }) =>
    of.some((field) => field === part || field.startsWith(`${part}.`)),
  );
  const bases = [...new Set(sourcesOfPart.map(({ basis }) => basis))];
  return bases.length > 1
    ? `${bases.find((basis) => basis !== 'assumed')}, in part`
    : (bases[0] ?? 'assumed');
}
