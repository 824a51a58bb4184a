import { INTERFACES, type TokenType } from '../../../contract/platform';

/** Of every interface, its scopes from the least that they allow to the most. */
const NARROWEST_FIRST: Record<TokenType['interface'], readonly string[]> = {
  content: ['api/read', 'api/write', 'api/all'],
  webhooks: ['api/webhooks', 'api/all'],
};

/** Of every interface among the tokens, the one whose scope allows the least. */
export function narrowestScopes(tokens: readonly TokenType[]): TokenType[] {
  return INTERFACES.flatMap((platformInterface) => {
    const rankOf = ({ scope }: TokenType) => NARROWEST_FIRST[platformInterface].indexOf(scope);
    const declared = tokens.filter((token) => token.interface === platformInterface);
    return declared.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 1);
  });
}
