import type { Loose, ProviderData } from '@palimpsest/core'
import { providerDataOf, withProviderData } from '@palimpsest/provider-utils'

export interface OpenAiData {
  readonly reasoning?: Loose
  readonly extra?: Loose
}

export function openAiData(holder: unknown): Loose {
  return providerDataOf(holder, 'openai')
}

export function withOpenAiData(data: OpenAiData): { readonly providerData?: ProviderData } {
  return withProviderData('openai', data)
}
