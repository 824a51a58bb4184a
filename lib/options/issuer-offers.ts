import { z } from 'zod';

import { type IssuerOffer, type IssuerProfile } from '../../core/issuers/issuer-profile';

/** An option that needs an offer of the issuer. Without the offer, it must be absent, and its value is `otherwise`. */
export function ifOffered<Option extends z.ZodType>(
  { title, offers = [] }: IssuerProfile,
  offer: IssuerOffer,
  option: Option,
  otherwise: z.output<Option>,
): Option {
  return offers.includes(offer) ? option : absent<Option>(`${title} has no ${offer}`, otherwise);
}

/** An option that nobody may set, because its value is always this one. */
export function absent<Option extends z.ZodType>(why: string, value: z.output<Option>): Option {
  const missing = z.never({ error: `nothing: ${why}` });
  return (value === undefined ? missing.optional() : missing.default(value as never)) as unknown as Option;
}
