import type { Loose, ProviderData } from '@palimpsest/core'
import { providerDataOf, withProviderData } from '@palimpsest/provider-utils'

/** The data of this package beside a message or a tool call, under `providerData.openai`. */
export interface OpenAiData {
  /** On a message: its reasoning, in the fields in which it came. */
  readonly reasoning?: Loose
  /** On a tool call: what else stood beside it. */
  readonly extra?: Loose
}

/** The data of this package on a message or a call, of which nothing is certain. */
export function openAiData(holder: unknown): Loose {
  return providerDataOf(holder, 'openai')
}

/** The field `providerData` for these data, or nothing when there are none. */
export function withOpenAiData(data: OpenAiData): { readonly providerData?: ProviderData } {
  return withProviderData('openai', data)
}
