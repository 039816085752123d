import type { Loose, ProviderData } from '@palimpsest/core'
import { providerDataOf, withProviderData } from '@palimpsest/provider-utils'

const KEY = 'langchain'

export function langChainData(holder: unknown): Loose {
  return providerDataOf(holder, KEY)
}

export function withLangChainData(data: Loose): { readonly providerData?: ProviderData } {
  return withProviderData(KEY, data)
}
