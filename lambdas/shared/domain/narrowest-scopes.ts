import { INTERFACES, type TokenType } from '../../../contract/platform';

/** The scopes of each interface, narrowest first. */
const NARROWEST_FIRST: Record<TokenType['interface'], readonly string[]> = {
  content: ['api/read', 'api/write', 'api/all'],
  webhooks: ['api/webhooks', 'api/all'],
};

/** For each interface among the tokens, the token with the narrowest scope. */
export function narrowestScopes(tokens: readonly TokenType[]): TokenType[] {
  return INTERFACES.flatMap((platformInterface) => {
    const rankOf = ({ scope }: TokenType) => NARROWEST_FIRST[platformInterface].indexOf(scope);
    const declared = tokens.filter((token) => token.interface === platformInterface);
    return declared.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, 1);
  });
}
