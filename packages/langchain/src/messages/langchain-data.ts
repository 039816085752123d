import type { Loose, ProviderData } from '@palimpsest/core'
import { providerDataOf, withProviderData } from '@palimpsest/provider-utils'

const KEY = 'langchain'

/** The data of this package on a message or a part; empty when there are none. */
export function langChainData(holder: unknown): Loose {
  return providerDataOf(holder, KEY)
}

/** The field `providerData` for these data, or nothing when there are none. */
export function withLangChainData(data: Loose): { readonly providerData?: ProviderData } {
  return withProviderData(KEY, data)
}
