import type { Loose, ProviderData } from '@palimpsest/core'
import { providerDataOf } from '@palimpsest/provider-utils'

const KEY = 'langchain'

/** The data of this package on a message or a part; empty when there are none. */
export function langChainData(holder: unknown): Loose {
  return providerDataOf(holder, KEY)
}

/** The field `providerData` for these data, or nothing when there are none. */
export function withLangChainData(data: Loose): { readonly providerData?: ProviderData } {
  const known = withoutUndefined(data)
  return Object.keys(known).length === 0 ? {} : { providerData: { [KEY]: known } }
}

/** LangChain writes `undefined` where it means nothing; JSON has no such member. */
export function withoutUndefined(value: Loose): Loose {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined))
}
