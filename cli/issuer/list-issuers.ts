import { basisOf, lifetimeText, PROFILE_PARTS, shapeOf } from '../../core/issuers/describe-profile';
import { DEFAULT_LIFETIME_SEC } from '../../core/tokens/lifetimes';
import { isLearningPlatform, profileNames } from '../../lib/options/issuers';
import { type CommandContext } from '../command';
import { EXIT, type ExitCode } from '../exit-codes';
import { table } from '../table';
import { readIssuerProfile } from './read-profile';

/** `latchkey issuer list`: the profiles that Latchkey has, and what their facts rest on. */
export async function listIssuers({ terminal }: CommandContext): Promise<ExitCode> {
  const issuers = profileNames()
    .map(readIssuerProfile)
    .map((profile) => ({
      name: profile.name,
      title: profile.title,
      shape: shapeOf(profile),
      lifetimeSec: profile.answer?.lifetimeSec ?? DEFAULT_LIFETIME_SEC,
      ...(profile.parameters !== undefined && { parameters: Object.keys(profile.parameters) }),
      basis: Object.fromEntries(
        PROFILE_PARTS.map((part) => [
          part,
          isLearningPlatform(profile) ? 'documented' : basisOf(profile, part),
        ]),
      ),
    }));
  const next = 'latchkey issuer test NAME';
  terminal.result({ issuers, next }, (style) =>
    [
      ...table([
        ['Name', 'Title', 'Shape', 'Lifetime', 'Endpoint', 'Request', 'Answer', 'Errors'].map((text) => ({
          text,
          paint: style.bold,
        })),
        ...issuers.map(({ name, title, shape, lifetimeSec, basis }) => [
          ...[name, title, shape, lifetimeText(lifetimeSec)],
          ...PROFILE_PARTS.map((part) => basis[part]!),
        ]),
      ]),
      'Try one with your credentials: latchkey issuer test NAME. Another issuer: latchkey issuer new',
    ].join('\n'),
  );
  return EXIT.done;
}
