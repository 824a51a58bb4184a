import { type DeploymentKey } from '../tokens/token-key';

/** A deployment, or a tenant in it. */
export type Place = DeploymentKey & { tenantId?: string | undefined };

const FLAGS = {
  issuer: '--issuer',
  environment: '--environment',
  platformRegion: '--platform-region',
  tenantId: '--tenant',
} as const satisfies Record<keyof Place, string>;

/** The `latchkey` flags that select it. */
export function placeFlags(place: { [Field in keyof Place]?: string | undefined }): string {
  const fields = Object.keys(FLAGS) as (keyof Place)[];
  return fields
    .flatMap((field) => (place[field] === undefined ? [] : `${FLAGS[field]} ${place[field]}`))
    .join(' ');
}
